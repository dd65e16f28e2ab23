package alidade;

import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

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
    Structs.RawError raw = new Structs.RawError();
    read(at.getByteArray(0, Structs.RawError.SIZE), raw, null);
    return new AlidadeException(raw.status, raw.argument, raw.domain, raw.domainCode, raw.message);
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

  static int length(double[] array) { return array == null ? 0 : array.length; }
  static int length(float[] array) { return array == null ? 0 : array.length; }
  static int length(long[] array) { return array == null ? 0 : array.length; }
  static int length(int[] array) { return array == null ? 0 : array.length; }
  static int length(byte[] array) { return array == null ? 0 : array.length; }
  static int length(Object[] array) { return array == null ? 0 : array.length; }

  /**
   * How many elements arrays have that share a count; each may be empty. For each array: its length, by what it is divided,
   * and what it has beyond.
   */
  static int count(String name, int... lengths) throws AlidadeException {
    int found = -1;
    for (int at = 0; at < lengths.length; at += 3) {
      int length = lengths[at], factor = lengths[at + 1], more = lengths[at + 2];
      if (length == 0) continue;
      int elements = (length - more) / factor;
      if (elements * factor + more != length || (found != -1 && found != elements)) {
        throw new AlidadeException("the arrays that " + name + " counts have different sizes");
      }
      found = elements;
    }
    return Math.max(found, 0);
  }

  /** The same with the arrays inside of attributes. */
  static int countWith(String name, Structs.GraphicAttributes[] attributes, int... lengths) throws AlidadeException {
    IntStream all = IntStream.of(lengths);
    for (Structs.GraphicAttributes one : attributes == null ? new Structs.GraphicAttributes[0] : attributes) {
      all = IntStream.concat(all, IntStream.of(one.lengths()).flatMap(length -> IntStream.of(length, 1, 0)));
    }
    return count(name, all.toArray());
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

  /** The text in an array of characters of a struct. */
  static String text(ByteBuffer at, int base, int length) {
    byte[] characters = new byte[length];
    for (int index = 0; index < length; index++) characters[index] = at.get(base + index);
    return text(characters);
  }

  static Pointer pointer(ByteBuffer at, int base) {
    long address = at.getLong(base);
    return address == 0 ? null : new Pointer(address);
  }

  static String[] texts(Pointer at, int count) {
    return at == null || count == 0 ? new String[0] : at.getStringArray(0, count, "UTF-8");
  }

  static byte[] bytes(Pointer at, int count) { return at == null ? new byte[0] : at.getByteArray(0, count); }
  static int[] ints(Pointer at, int count) { return at == null ? new int[0] : at.getIntArray(0, count); }
  static long[] longs(Pointer at, int count) { return at == null ? new long[0] : at.getLongArray(0, count); }
  static float[] floats(Pointer at, int count) { return at == null ? new float[0] : at.getFloatArray(0, count); }
  static double[] doubles(Pointer at, int count) { return at == null ? new double[0] : at.getDoubleArray(0, count); }

  static <T> T[] structs(int count, Supplier<T> make, IntFunction<T[]> array) {
    T[] made = array.apply(count);
    for (int index = 0; index < count; index++) made[index] = make.get();
    return made;
  }

  static <T extends AlidadeStruct> T[] structs(byte[] bytes, int size, Supplier<T> make, IntFunction<T[]> array, Runtime runtime) {
    T[] made = array.apply(bytes.length / size);
    fill(bytes, made, size, make, runtime);
    return made;
  }

  static <T extends AlidadeStruct> T[] structs(
      Pointer at, int count, int size, Supplier<T> make, IntFunction<T[]> array, Runtime runtime) {
    return structs(bytes(at, count * size), size, make, array, runtime);
  }

  /** Reads structs into an array of the host's. */
  static <T extends AlidadeStruct> void fill(byte[] bytes, T[] into, int size, Supplier<T> make, Runtime runtime) {
    if (into == null) return;
    ByteBuffer at = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    for (int index = 0; index < into.length; index++) {
      into[index] = make.get();
      into[index].read(at, index * size, runtime);
    }
  }

  /** The bytes that C writes a struct to; null for null. */
  static byte[] out(AlidadeStruct struct) {
    if (struct == null) return null;
    byte[] bytes = new byte[struct.size()];
    // Structs without a size at their beginning are not read by C.
    ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putInt(0, bytes.length);
    return bytes;
  }

  static void read(byte[] bytes, AlidadeStruct into, Runtime runtime) {
    if (into != null) into.read(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()), 0, runtime);
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

  /** The bytes of structs. */
  static byte[] listed(int capacity, int size, Buffered<byte[]> call) throws AlidadeException {
    long[] count = new long[1];
    byte[] buffer = grown(capacity, count, elements -> new byte[elements * size], call);
    return Arrays.copyOf(buffer, (int) count[0] * size);
  }
}
