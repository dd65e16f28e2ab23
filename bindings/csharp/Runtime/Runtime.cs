using System;

namespace Alidade {

public sealed partial class Runtime {
  internal readonly Completions Completions = new Completions();

  /// <summary>Creates a runtime, the owner of all other objects. One per process is enough.</summary>
  /// <param name="options">The settings; left out for the default.</param>
  /// <returns>The runtime. Dispose makes all of its objects stale.</returns>
  /// <exception cref="AlidadeException">An option is out of its range, or proj.db is not where it should be.</exception>
  public static unsafe Runtime Create(RuntimeOptions options = default(RuntimeOptions)) {
    if (IntPtr.Size != 8) throw new PlatformNotSupportedException("Alidade needs a process of 64 bits.");
    var scope = new Scope();
    try {
      RawRuntimeOptions rawOptions;
      options.Write(ref scope, &rawOptions);
      RuntimeHandle outRuntime;
      Error error;
      Failure.Check(Native.ald_runtime_create(&rawOptions, &outRuntime, &error), &error);
      return Own(outRuntime, null);
    } finally {
      scope.Dispose();
    }
  }

  /// <summary>Calls the waiting completions of requests on this thread, oldest first. Call it once per frame.</summary>
  /// <param name="budgetMs">The time after which no further completion is called, in milliseconds. At least one is
  /// called. 0: no limit.</param>
  /// <returns>How many were called, and what still waits.</returns>
  /// <exception cref="AggregateException">Completions have thrown: it holds all that was thrown, and the others were
  /// called all the same.</exception>
  /// <exception cref="AlidadeException">It was called inside a completion, or the runtime is not valid.</exception>
  public PumpReport Pump(uint budgetMs = 0) { return Completions.Pump(this, budgetMs); }

  /// <summary>Completions that have not been called never will be.</summary>
  void Ended() { Completions.Clear(); }
}

}
