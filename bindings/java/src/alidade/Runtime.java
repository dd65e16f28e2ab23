package alidade;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.lang.ref.Reference;

/** What everything else is created with. Closing it makes all of its objects invalid. */
public final class Runtime extends RuntimeFunctions {
  private Runtime(long id) {
    super(id);
  }

  /** Creates a runtime; null gives the default options. See ald_runtime_create. */
  public static Runtime create(Structs.RuntimeOptions options) throws AlidadeException {
    long[] id = new long[1];
    Pointer error = Calls.error();
    Held held = new Held();
    try {
      Calls.check(Functions.ald_runtime_create(held.bytes(options), id, error), error);
    } finally {
      Reference.reachabilityFence(held);
    }
    return new Runtime(id[0]);
  }

  /**
   * Calls the functions of requests that have ended. See ald_runtime_pump. What one of them throws is thrown when all have
   * been called.
   */
  public Structs.PumpReport pump(int budgetMs) throws AlidadeException {
    Structs.PumpReport report = new Structs.PumpReport();
    byte[] reportBytes = Calls.out(report);
    // Memory of its own, because the functions that it calls use the thread's.
    Memory error = new Memory(Structs.RawError.SIZE);
    int status = Functions.ald_runtime_pump(id(), budgetMs, reportBytes, error);
    Reference.reachabilityFence(this);
    RequestOptions.rethrow();
    Calls.check(status, error);
    Calls.read(reportBytes, report, this);
    return report;
  }
}
