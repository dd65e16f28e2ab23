package alidade;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.StringArray;
import com.sun.jna.Structure;
import java.util.ArrayList;
import java.util.List;

/** A struct of C. What its pointers lead to lives as long as this object. */
public abstract class AlidadeStruct extends Structure {
  private final List<Object> held = new ArrayList<>();

  AlidadeStruct() {
    setStringEncoding("UTF-8");
    setAutoSynch(false);
  }

  AlidadeStruct(Pointer at) {
    super(at);
    setStringEncoding("UTF-8");
    setAutoSynch(false);
  }

  /** Sets the field again that says how many bytes C may read and write. */
  void setStructSize() {}

  long hold(AlidadeObject object) {
    held.add(object);
    return Calls.id(object);
  }

  Pointer hold(AlidadeStruct value) {
    held.add(value);
    return Calls.in(value);
  }

  Pointer hold(String[] texts) {
    return texts.length == 0 ? null : keep(new StringArray(texts, "UTF-8"));
  }

  /** The handles of objects. */
  Pointer hold(AlidadeObject[] objects) {
    held.add(objects);
    return hold(Calls.ids(objects));
  }

  Pointer hold(AlidadeStruct[] values) {
    held.add(values);
    return values.length == 0 ? null : keep(Calls.block(values, values[0].size()));
  }

  Pointer hold(byte[] values) {
    Memory memory = memory(values.length);
    if (memory != null) memory.write(0, values, 0, values.length);
    return memory;
  }

  Pointer hold(int[] values) {
    Memory memory = memory(4L * values.length);
    if (memory != null) memory.write(0, values, 0, values.length);
    return memory;
  }

  Pointer hold(long[] values) {
    Memory memory = memory(8L * values.length);
    if (memory != null) memory.write(0, values, 0, values.length);
    return memory;
  }

  Pointer hold(double[] values) {
    Memory memory = memory(8L * values.length);
    if (memory != null) memory.write(0, values, 0, values.length);
    return memory;
  }

  private Memory memory(long bytes) {
    return bytes == 0 ? null : keep(new Memory(bytes));
  }

  private <T> T keep(T value) {
    held.add(value);
    return value;
  }
}
