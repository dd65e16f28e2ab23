package alidade;

import java.nio.ByteBuffer;

/** A struct of C: its fields here, its bytes during a call. */
public abstract class AlidadeStruct {
  AlidadeStruct() {}

  /** The size in C, in bytes. */
  abstract int size();

  /** Writes the struct of C, which begins at a position of the buffer. held keeps what its pointers lead to. */
  abstract void write(ByteBuffer at, int base, Held held) throws AlidadeException;

  /** Reads the struct of C. Its objects are borrowed. */
  abstract void read(ByteBuffer at, int base, Runtime runtime);
}
