package alidade;

import java.lang.ref.Cleaner;

/**
 * An object of the library, known by its handle. An object that the host owns is released by close(), or by the
 * garbage collector some time after its last use. Two objects are equal if they are the same object of the library.
 */
public abstract class AlidadeObject implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  interface Release {
    void release(long id);
  }

  private final long id;
  private final Runtime runtime;
  private final Cleaner.Cleanable cleanable;

  AlidadeObject(long id, Runtime runtime, boolean isOwned, Release release) {
    this.id = id;
    this.runtime = runtime;
    cleanable = isOwned ? CLEANER.register(this, () -> release.release(id)) : null;
  }

  /** The handle, as structs and events have it. */
  public final long id() {
    return id;
  }

  /** The runtime that the object was created with. */
  Runtime runtime() {
    return runtime;
  }

  /** Whether close() releases the object. */
  public final boolean isOwned() {
    return cleanable != null;
  }

  /** Releases the object if this is what owns it. Later calls with it fail. Closing twice does nothing. */
  @Override public final void close() {
    if (cleanable != null) cleanable.clean();
  }

  @Override public final boolean equals(Object other) {
    return other instanceof AlidadeObject && ((AlidadeObject) other).id == id;
  }

  @Override public final int hashCode() {
    return Long.hashCode(id);
  }

  @Override public String toString() {
    return getClass().getSimpleName() + "(0x" + Long.toHexString(id) + ")";
  }
}
