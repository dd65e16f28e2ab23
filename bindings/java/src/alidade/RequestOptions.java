package alidade;

import com.sun.jna.CallbackReference;
import com.sun.jna.Pointer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** How a request runs. null gives the defaults. */
public final class RequestOptions {
  /** Constants of Constants.RequestFlags. */
  public int flags;
  /** Newer requests with the same key replace older ones. 0: none. */
  public long replaceKey;
  /** Called once by Runtime.pump, on its thread, when the request has ended. */
  public Consumer<Request> onDone;

  /** The functions that wait, by the number that C hands through. */
  private static final ConcurrentHashMap<Long, Consumer<Long>> WAITING = new ConcurrentHashMap<>();
  private static final AtomicLong COUNT = new AtomicLong();
  /** What a function threw, until pump has returned: it must not leave the frames of the library. */
  private static final ThreadLocal<Throwable> THROWN = new ThreadLocal<>();
  /** One for all requests, so that the garbage collector never takes it. */
  private static final Completion COMPLETION = (request, userData) -> {
    try {
      WAITING.remove(Pointer.nativeValue(userData)).accept(request);
    } catch (Throwable why) {
      if (THROWN.get() == null) THROWN.set(why);
    }
  };

  static void rethrow() {
    Throwable why = THROWN.get();
    THROWN.remove();
    if (why != null) throw RequestOptions.<RuntimeException>unchecked(why);
  }

  @SuppressWarnings("unchecked") private static <T extends Throwable> T unchecked(Throwable why) throws T {
    throw (T) why;
  }

  /** A request that is about to begin. */
  static final class Pending {
    private Structs.RequestOptions raw;
    private long key;

    byte[] bytes() throws AlidadeException {
      return new Held().bytes(raw);
    }

    /** Forgets the function of a request that has not begun. */
    void begun(int status, Pointer error) throws AlidadeException {
      if (status != 0 && key != 0) WAITING.remove(key);
      Calls.check(status, error);
    }
  }

  static Pending begin(RequestOptions options, Runtime runtime) {
    Pending pending = new Pending();
    if (options == null) return pending;
    pending.raw = new Structs.RequestOptions();
    pending.raw.flags = options.flags;
    pending.raw.replaceKey = options.replaceKey;
    Consumer<Request> function = options.onDone;
    if (function == null) return pending;
    pending.key = COUNT.incrementAndGet();
    pending.raw.completion = Pointer.nativeValue(CallbackReference.getFunctionPointer(COMPLETION));
    pending.raw.userData = pending.key;
    WAITING.put(pending.key, request -> function.accept(Request.borrowed(runtime, request)));
    return pending;
  }
}
