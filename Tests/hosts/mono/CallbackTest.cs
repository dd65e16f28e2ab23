// Completions and the garbage collector: nothing that C will call may be collected, and nothing may be kept for ever.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Alidade;

static class CallbackTest {
  public static void Run(string path) {
    using (Runtime runtime = Runtime.Create()) {
      Forgotten(runtime, path);
      Disposed(runtime, path);
      Nested(runtime, path);
      Failed(runtime, path);
      Results(runtime, path);
      Many(runtime, path);
      Budget(runtime, path);
    }
    Ended(path);
    Freed(path);
  }

  static void Collect() {
    for (int round = 0; round < 5; round++) {
      GC.Collect();
      GC.WaitForPendingFinalizers();
    }
  }

  static void Apart(Action action) {
    var thread = new Thread(() => action());
    thread.Start();
    thread.Join();
  }

  // Pumps until a number of completions has been called, or for a minute.
  static void Until(Runtime runtime, Func<bool> done) {
    DateTime end = DateTime.UtcNow.AddMinutes(1);
    while (!done() && DateTime.UtcNow < end) {
      runtime.Wait(10);
      runtime.Pump();
    }
  }

  // The caller keeps neither the request nor the options nor the function.
  static void Forgotten(Runtime runtime, string path) {
    int calls = 0, widths = 0;
    Apart(() => {
      for (int index = 0; index < 100; index++)
        Raster.OpenAsync(runtime, path, requestOptions: new RequestOptions {
          Completion = request => {
            calls++;
            using (Raster raster = request.TakeRaster()) widths += raster.GetInfo().Width > 0 ? 1 : 0;
          }
        });
    });
    Collect();
    Until(runtime, () => calls == 100);
    Report.Equal(calls, 100, "completions of forgotten requests");
    Report.Equal(widths, 100, "their results");
    Collect();
    Report.Equal(runtime.GetHandleCount(), 1UL, "the requests are released afterwards");
  }

  // A request that was disposed of is still valid inside its completion.
  static void Disposed(Runtime runtime, string path) {
    RequestState? state = null;
    using (Raster.OpenAsync(runtime, path, requestOptions: new RequestOptions {
             Completion = request => state = request.GetInfo().State
           })) {}
    Until(runtime, () => state != null);
    Report.Check(state != null, "the completion of a request that was disposed of is called");
  }

  static void Nested(Runtime runtime, string path) {
    Exception thrown = null;
    int calls = 0;
    var inner = new RequestOptions { Completion = request => calls++ };
    Raster.OpenAsync(runtime, path, requestOptions: new RequestOptions {
      Completion = request => {
        calls++;
        try {
          runtime.Pump();
        } catch (AlidadeException exception) {
          thrown = exception;
        }
        Raster.OpenAsync(runtime, path, requestOptions: inner);
      }
    });
    Until(runtime, () => calls == 2);
    Report.Equal(calls, 2, "a completion may begin a request");
    Report.Check(thrown != null && ((AlidadeException)thrown).Status == Status.InvalidState, "but not pump");
  }

  // A request that could not be begun leaves nothing behind.
  static void Failed(Runtime runtime, string path) {
    int calls = 0;
    var options = new RequestOptions { Completion = ended => calls++ };
    Report.Throws<ArgumentNullException>(() => Raster.OpenAsync(runtime, null, requestOptions: options), "no path");
    Report.Throws<AlidadeException>(() => Raster.OpenAsync(runtime, "", requestOptions: options), "an empty path");
    Request request = Raster.OpenAsync(runtime, "no/such/file.tif", requestOptions: options);
    Report.Equal(request.Wait(), RequestState.Failed, "a request that fails");
    runtime.Pump();
    Report.Equal(calls, 1, "its completion is called, and no other");
    Report.Equal(Report.Throws<AlidadeException>(() => request.TakeRaster(), "taking").Status, Status.NotFound, "why");
    request = Raster.OpenAsync(runtime, path, requestOptions: options);
    request.Cancel();
    runtime.Pump();
    Report.Equal(calls, 2, "and that of a request that was cancelled");
  }

  // The request of a completion is the one that the caller got.
  static void Results(Runtime runtime, string path) {
    Request given = null;
    Request request = Raster.OpenAsync(runtime, path, requestOptions: new RequestOptions { Completion = r => given = r });
    request.Wait();
    runtime.Pump();
    Report.Check(ReferenceEquals(given, request), "the completion gets the caller's request");
    // Without a completion, an event carries the number.
    var events = new AlidadeEvent[16];
    Request plain = Raster.OpenAsync(runtime, path, requestOptions: new RequestOptions { UserData = (IntPtr)77 });
    plain.Wait();
    runtime.Wait(1000);
    int count = runtime.PollEvents(events);
    AlidadeEvent ended = events.Take(count).FirstOrDefault(e => e.Kind == EventKind.RequestFinished);
    Report.Check(ended.Request == plain.Handle && ended.UserData == (IntPtr)77, "an event of a request");
  }

  // Threads begin requests while another pumps and the collector runs; each completion is called once, on that thread.
  static void Many(Runtime runtime, string path) {
    const int Threads = 3, Each = 200;
    var seen = new int[Threads * Each];
    int elsewhere = 0, pumping = Thread.CurrentThread.ManagedThreadId;
    var threads = Enumerable.Range(0, Threads).Select(thread => new Thread(() => {
      for (int index = 0; index < Each; index++) {
        int number = thread * Each + index;
        Raster.OpenAsync(runtime, path, requestOptions: new RequestOptions {
          Completion = request => {
            seen[number]++;
            if (Thread.CurrentThread.ManagedThreadId != pumping) elsewhere++;
            if (number % 10 == 0) throw new InvalidOperationException(number.ToString());
          }
        });
      }
    })).ToList();
    bool isOver = false;
    var collector = new Thread(() => {
      while (!Volatile.Read(ref isOver)) GC.Collect();
    });
    collector.Start();
    foreach (Thread thread in threads) thread.Start();
    var thrown = new List<Exception>();
    DateTime end = DateTime.UtcNow.AddMinutes(1);
    while (seen.Sum() < seen.Length && DateTime.UtcNow < end) {
      runtime.Wait(10);
      try {
        runtime.Pump();
      } catch (AggregateException exception) {
        thrown.AddRange(exception.InnerExceptions);
      }
    }
    Volatile.Write(ref isOver, true);
    collector.Join();
    foreach (Thread thread in threads) thread.Join();
    Report.Check(seen.All(times => times == 1), "each completion is called once");
    Report.Equal(elsewhere, 0, "on the thread that pumps");
    Report.Equal(thrown.Count, seen.Length / 10, "all that was thrown comes out");
  }

  static void Budget(Runtime runtime, string path) {
    int calls = 0;
    var options = new RequestOptions {
      Completion = request => {
        calls++;
        Thread.Sleep(20);
      }
    };
    for (int index = 0; index < 3; index++) Raster.OpenAsync(runtime, path, requestOptions: options).Wait();
    PumpReport report = runtime.Pump(1);
    Report.Check(report.CompletionCount == 1 && report.WaitingCompletionCount == 2, "a budget ends a pump");
    runtime.Pump();
    Report.Equal(calls, 3, "the next pump goes on");
  }

  // The completions of a runtime that ends are never called.
  static void Ended(string path) {
    int calls = 0;
    Runtime runtime = Runtime.Create();
    for (int index = 0; index < 50; index++)
      Raster.OpenAsync(runtime, path, requestOptions: new RequestOptions { Completion = request => calls++ });
    runtime.Dispose();
    Report.Throws<ObjectDisposedException>(() => runtime.Pump(), "a runtime that was disposed of does not pump");
    using (Runtime other = Runtime.Create()) other.Pump();
    Report.Equal(calls, 0, "completions of a runtime that has ended");
  }

  // A completion that refers to its own runtime does not keep the runtime for ever.
  static void Freed(string path) {
    var gone = new WeakReference(null);
    Apart(() => {
      Runtime runtime = Runtime.Create();
      gone.Target = runtime;
      Raster.OpenAsync(runtime, path, requestOptions: new RequestOptions { Completion = request => runtime.Pump() });
    });
    Collect();
    Apart(Collect);
    Report.Check(!gone.IsAlive, "a runtime with completions that refer to it is collected");
  }
}
