package alidade;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The memory that structs of arguments lead to during a call. */
final class Held {
  private final List<Memory> memories = new ArrayList<>();

  /** The bytes of a struct; null for null. */
  byte[] bytes(AlidadeStruct struct) throws AlidadeException {
    return struct == null ? null : bytes(new AlidadeStruct[] {struct});
  }

  /** The bytes of structs, one after the other. */
  byte[] bytes(AlidadeStruct[] structs) throws AlidadeException {
    if (structs == null || structs.length == 0) return null;
    int size = structs[0].size();
    byte[] bytes = new byte[structs.length * size];
    ByteBuffer at = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    for (int index = 0; index < structs.length; index++) structs[index].write(at, index * size, this);
    return bytes;
  }

  // Addresses; 0 for null and for an empty array, which means that it is not given.

  long text(String text, String name) throws AlidadeException {
    return array(Calls.text(text, name));
  }

  long texts(String[] texts, String name) throws AlidadeException {
    if (texts == null) return 0;
    long[] addresses = new long[texts.length];
    for (int index = 0; index < texts.length; index++) addresses[index] = text(texts[index], name);
    return array(addresses);
  }

  long struct(AlidadeStruct struct) throws AlidadeException {
    return array(bytes(struct));
  }

  long structs(AlidadeStruct[] structs) throws AlidadeException {
    return array(bytes(structs));
  }

  long array(byte[] values) {
    Memory memory = memory(Calls.length(values));
    if (memory != null) memory.write(0, values, 0, values.length);
    return Pointer.nativeValue(memory);
  }

  long array(int[] values) {
    Memory memory = memory(4L * Calls.length(values));
    if (memory != null) memory.write(0, values, 0, values.length);
    return Pointer.nativeValue(memory);
  }

  long array(long[] values) {
    Memory memory = memory(8L * Calls.length(values));
    if (memory != null) memory.write(0, values, 0, values.length);
    return Pointer.nativeValue(memory);
  }

  long array(float[] values) {
    Memory memory = memory(4L * Calls.length(values));
    if (memory != null) memory.write(0, values, 0, values.length);
    return Pointer.nativeValue(memory);
  }

  long array(double[] values) {
    Memory memory = memory(8L * Calls.length(values));
    if (memory != null) memory.write(0, values, 0, values.length);
    return Pointer.nativeValue(memory);
  }

  private Memory memory(long bytes) {
    if (bytes == 0) return null;
    Memory memory = new Memory(bytes);
    memories.add(memory);
    return memory;
  }
}
