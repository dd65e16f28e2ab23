package alidade;

import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.function.Function;
import java.util.function.IntFunction;

/** What the generated classes call: the library, errors, and the memory of arguments and results. */
public final class Calls {
  private Calls() {}

  /** dlopen's flag for names that stay the library's own: RTLD_LAZY without RTLD_GLOBAL. */
  private static final int OPEN_FLAGS = 1;
  private static final ThreadLocal<Memory> ERROR = ThreadLocal.withInitial(() -> new Memory(Structs.RawError.SIZE));

  /** The library: what the property alidade.library or ALIDADE_LIBRARY names, otherwise the one that JNA finds. */
  static void register(Class<?> functions) {
    String name = System.getProperty("alidade.library", System.getenv("ALIDADE_LIBRARY"));
    HashMap<String, Object> options = new HashMap<>();
    options.put(Library.OPTION_OPEN_FLAGS, OPEN_FLAGS);
    Native.register(functions, NativeLibrary.getInstance(name == null || name.isEmpty() ? "libalidade.so.0" : name, options));
  }

  /** Where the next call of this thread writes its error. */
  public static Pointer error() {
    return ERROR.get();
  }

  /** Throws the error of a call that has failed. */
  public static void check(int status, Pointer error) throws AlidadeException {
    if (status != 0) throw failure(error);
  }

  private static AlidadeException failure(Pointer at) {
    Structs.RawError raw = new Structs.RawError(at);
    return new AlidadeException(raw.status, raw.argument, raw.domain, raw.domainCode, raw.messageText());
  }

  static void require(boolean holds, String name) throws AlidadeException {
    if (!holds) throw new AlidadeException(name + " does not have as many elements as the arrays that belong to it");
  }

  // Arguments

  static long id(AlidadeObject object) {
    return object == null ? 0 : object.id();
  }

  static long id(AlidadeObject object, String name) throws AlidadeException {
    if (object == null) throw new AlidadeException(name + " must not be null");
    return object.id();
  }

  static long[] ids(AlidadeObject[] objects) {
    return objects == null ? null : Arrays.stream(objects).mapToLong(Calls::id).toArray();
  }

  static byte[] text(String text, String name) throws AlidadeException {
    if (text == null) return null;
    if (text.indexOf('\0') >= 0) throw new AlidadeException("the text " + name + " contains a NUL");
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  static Pointer in(AlidadeStruct struct) {
    if (struct == null) return null;
    struct.setStructSize();
    struct.write();
    return struct.getPointer();
  }

  static int length(double[] array) { return array == null ? 0 : array.length; }
  static int length(long[] array) { return array == null ? 0 : array.length; }
  static int length(int[] array) { return array == null ? 0 : array.length; }
  static int length(byte[] array) { return array == null ? 0 : array.length; }
  static int length(Object[] array) { return array == null ? 0 : array.length; }

  /** Memory for so many structs; null for none. */
  static Memory block(int count, int size) {
    if (count == 0) return null;
    Memory memory = new Memory((long) count * size);
    memory.clear();
    return memory;
  }

  /** Structs one after the other. */
  static Memory block(AlidadeStruct[] structs, int size) {
    Memory memory = block(structs.length, size);
    for (int index = 0; index < structs.length; index++) {
      memory.write((long) index * size, in(structs[index]).getByteArray(0, size), 0, size);
    }
    return memory;
  }

  // Results

  /** The text in an array of characters. */
  static String text(byte[] characters) {
    int length = 0;
    while (length < characters.length && characters[length] != 0) length++;
    return new String(characters, 0, length, StandardCharsets.UTF_8);
  }

  /** A text with its NUL. */
  static String textOf(byte[] bytes) {
    return new String(bytes, 0, bytes.length - 1, StandardCharsets.UTF_8);
  }

  static String text(Pointer at) {
    return at == null ? null : at.getString(0, "UTF-8");
  }

  static String[] texts(Pointer at, int count) {
    return at == null || count == 0 ? new String[0] : at.getStringArray(0, count, "UTF-8");
  }

  static <T> T[] structs(Pointer at, int count, int size, Function<Pointer, T> make, IntFunction<T[]> array) {
    T[] made = array.apply(at == null ? 0 : count);
    for (int index = 0; index < made.length; index++) made[index] = make.apply(copy(at, index, size));
    return made;
  }

  static <T> void read(Pointer at, T[] into, int size, Function<Pointer, T> make) {
    for (int index = 0; index < length(into); index++) into[index] = make.apply(copy(at, index, size));
  }

  /** Memory of its own, because the library's may change. */
  private static Memory copy(Pointer at, int index, int size) {
    Memory memory = new Memory(size);
    memory.write(0, at.getByteArray((long) index * size, size), 0, size);
    return memory;
  }

  /** Rows of numbers with a distance between the rows. */
  static double[] rows(Pointer at, int rows, int numbers, int strideBytes) {
    double[] found = new double[at == null ? 0 : rows * numbers];
    for (int row = 0; row * numbers < found.length; row++) {
      at.read((long) row * strideBytes, found, row * numbers, numbers);
    }
    return found;
  }

  // Results that grow until they fit

  interface Buffered<T> {
    int call(T buffer, long capacity, long[] size, Pointer error) throws AlidadeException;
  }

  /** Calls with a larger buffer until everything fits, and returns that buffer. size is how much there is. */
  private static <T> T grown(int capacity, long[] size, IntFunction<T> make, Buffered<T> call) throws AlidadeException {
    while (true) {
      T buffer = make.apply(capacity);
      Pointer error = error();
      size[0] = 0;
      int status = call.call(buffer, capacity, size, error);
      if (status == 0 && size[0] <= capacity) return buffer;
      if (status != 0 && (status != Constants.Status.BUFFER_TOO_SMALL || size[0] <= capacity)) throw failure(error);
      capacity = Math.toIntExact(size[0]);
    }
  }

  static byte[] copied(Buffered<byte[]> call) throws AlidadeException {
    long[] size = new long[1];
    byte[] buffer = grown(256, size, byte[]::new, call);
    return Arrays.copyOf(buffer, (int) size[0]);
  }

  static long[] longs(int capacity, Buffered<long[]> call) throws AlidadeException {
    long[] size = new long[1];
    long[] buffer = grown(capacity, size, long[]::new, call);
    return Arrays.copyOf(buffer, (int) size[0]);
  }

  /** Structs in memory. */
  static final class Block {
    Memory memory;
    int count;
  }

  static Block listed(int capacity, int size, Buffered<Pointer> call) throws AlidadeException {
    long[] count = new long[1];
    Block block = new Block();
    block.memory = grown(capacity, count, elements -> block(elements, size), call::call);
    block.count = (int) count[0];
    return block;
  }
}
