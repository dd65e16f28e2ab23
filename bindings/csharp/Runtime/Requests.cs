using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
#if UNITY_5_3_OR_NEWER
using AOT;
#endif

namespace Alidade {

/// <summary>The settings of a new request.</summary>
public sealed class RequestOptions {
  /// <summary>Called once when the request has ended, inside Runtime.Pump. Without it, the library sends an event.</summary>
  /// <remarks><para>The runtime keeps the function and the request until then. An exception that leaves the function is
  /// caught, and Pump throws it after the library has returned.</para></remarks>
  public Action<Request> Completion;

  /// <summary>Bits of RequestFlags.</summary>
  public RequestFlags Flags;

  /// <summary>The key for drag mode: a new request cancels older ones with the same key, kind and object. 0 for none.</summary>
  public ulong ReplaceKey;

  /// <summary>A number for the event of a request without a completion.</summary>
  public IntPtr UserData;
}

/// <summary>A request on its way: what C gets, and what its completion will find.</summary>
unsafe struct PendingRequest {
  readonly Runtime runtime;
  readonly Completions.Entry entry;
  internal readonly RawRequestOptions Options;

  internal PendingRequest(Runtime runtime, RequestOptions options) {
    this.runtime = runtime;
    entry = null;
    Options = new RawRequestOptions { StructSize = (uint)sizeof(RawRequestOptions) };
    if (options == null) return;
    Options.Flags = options.Flags;
    Options.ReplaceKey = options.ReplaceKey;
    Options.UserData = options.UserData;
    if (options.Completion == null) return;
    // The completion may run, on a thread that pumps, before the function that creates the request has returned.
    entry = runtime.Completions.Add(options.Completion);
    Options.UserData = entry.Token;
    Options.Completion = Completions.Address;
  }

  internal Request Begun(Status status, Error* error, RequestHandle handle) {
    if (entry == null) {
      Failure.Check(status, error);
      return Request.Own(handle, runtime);
    }
    if (status != Status.Ok) runtime.Completions.Remove(entry.Token);
    Failure.Check(status, error);
    return entry.Request(handle, runtime);
  }
}

/// <summary>The completion functions of a runtime that have not been called yet.</summary>
/// <remarks>C gets a number instead of an object, so nothing of the garbage collector's has to stay where it is, and the
/// number of a runtime that has ended means nothing.</remarks>
sealed class Completions {
  internal sealed class Entry {
    internal Action<Request> Completion;
    internal IntPtr Token;
    Request request;

    /// <summary>The request, which the caller owns, for whoever knows its handle first. A request that the caller has
    /// disposed of meanwhile is valid until its completion returns, so the completion gets it borrowed.</summary>
    internal Request Request(RequestHandle handle, Runtime runtime) {
      lock (this) {
        if (ReferenceEquals(request, null)) request = Alidade.Request.Own(handle, runtime);
        return request.IsClosed ? Alidade.Request.Wrap(handle, runtime) : request;
      }
    }
  }

  // One delegate for the whole process, which the garbage collector never takes away.
  static readonly RawCompletion Called = Call;
  internal static readonly IntPtr Address = Marshal.GetFunctionPointerForDelegate(Called);
  // C calls completions only inside a pump, on its thread.
  [ThreadStatic] static Runtime pumping;
  [ThreadStatic] static List<Exception> thrown;

  readonly Dictionary<long, Entry> entries = new Dictionary<long, Entry>();
  long last;

  internal int Count { get { lock (entries) return entries.Count; } }

  internal Entry Add(Action<Request> completion) {
    lock (entries) {
      var entry = new Entry { Completion = completion, Token = (IntPtr)(++last) };
      entries.Add(last, entry);
      return entry;
    }
  }

  internal Entry Remove(IntPtr token) {
    lock (entries) {
      Entry entry;
      if (entries.TryGetValue((long)token, out entry)) entries.Remove((long)token);
      return entry;
    }
  }

  internal void Clear() {
    lock (entries) entries.Clear();
  }

  internal static unsafe PumpReport Pump(Runtime runtime, uint budgetMs) {
    var report = new PumpReport { StructSize = (uint)sizeof(PumpReport) };
    using (var use = Use.Of(runtime, "runtime")) {
      // A pump inside a completion is refused by the library, and must not make the outer one forget its runtime.
      Runtime outer = pumping;
      List<Exception> outerThrown = thrown;
      pumping = runtime;
      thrown = null;
      List<Exception> caught;
      Error error;
      Status status;
      try {
        status = Native.ald_runtime_pump(new RuntimeHandle(use.Id), budgetMs, &report, &error);
      } finally {
        caught = thrown;
        pumping = outer;
        thrown = outerThrown;
      }
      if (caught != null) throw new AggregateException(caught);
      Failure.Check(status, &error);
      return report;
    }
  }

  [MonoPInvokeCallback(typeof(RawCompletion))]
  static void Call(RequestHandle handle, IntPtr token) {
    try {
      Runtime runtime = pumping;
      Entry entry = ReferenceEquals(runtime, null) ? null : runtime.Completions.Remove(token);
      if (entry != null) entry.Completion(entry.Request(handle, runtime));
    } catch (Exception exception) {
      // No exception may leave through the frames of the library.
      (thrown ?? (thrown = new List<Exception>())).Add(exception);
    }
  }
}

/// <summary>What C calls when a request has ended: ald_completion.</summary>
[UnmanagedFunctionPointer(CallingConvention.Cdecl)]
public delegate void RawCompletion(RequestHandle request, IntPtr userData);

#if !UNITY_5_3_OR_NEWER
/// <summary>Says to compilers ahead of time that C calls a method. Unity has a class of this name for IL2CPP; this one is
/// for programs without Unity.</summary>
[AttributeUsage(AttributeTargets.Method)]
sealed class MonoPInvokeCallbackAttribute : Attribute {
  internal MonoPInvokeCallbackAttribute(Type type) { Type = type; }
  internal Type Type { get; private set; }
}
#endif

}
