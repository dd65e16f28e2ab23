using System;
using System.Runtime.InteropServices;

namespace Alidade {

/// <summary>An object of the library.</summary>
/// <remarks><para>An object that a method creates, opens, clones or takes is yours: Dispose releases it, and the
/// garbage collector does so if nobody else has. Any other object is borrowed: it names something that the library or
/// somebody else owns, and releases nothing.</para> <para>Two objects are equal if they name the same thing, so a
/// borrowed layer equals the one that you own.</para></remarks>
public abstract class AlidadeObject : SafeHandle, IEquatable<AlidadeObject> {
  // Released, a runtime makes all of its handles stale: as long as one of its objects is in use, it is kept.
  readonly Runtime runtime;
  // The object that this one was borrowed from, which is kept for the same reason.
  readonly AlidadeObject lender;

  internal AlidadeObject(ulong id, Runtime runtime, AlidadeObject lender, bool isOwned) : base(IntPtr.Zero, isOwned) {
    SetHandle((IntPtr)(long)id);
    this.runtime = runtime;
    this.lender = lender;
    IsOwned = isOwned;
  }

  /// <summary>The runtime that the object belongs to.</summary>
  public Runtime Runtime { get { return runtime ?? this as Runtime; } }

  /// <summary>Whether Dispose releases the object.</summary>
  public bool IsOwned { get; private set; }

  /// <summary>Whether the object has been disposed of, or names nothing.</summary>
  public override bool IsInvalid { get { return handle == IntPtr.Zero; } }

  /// <summary>The number by which C knows the object. It stays readable after Dispose, to be compared.</summary>
  internal ulong Id { get { return (ulong)(long)handle; } }

  /// <summary>Whether memory that belongs to the object may still be read.</summary>
  internal bool IsReadable {
    get { return !IsClosed && (lender == null || lender.IsReadable) && (IsOwned || IsAlive()); }
  }

  /// <summary>Whether a borrowed object still exists. Objects whose columns are read ask the library.</summary>
  internal virtual bool IsAlive() { return true; }

  /// <summary>Whether both name the same thing.</summary>
  public bool Equals(AlidadeObject other) { return !ReferenceEquals(other, null) && Id == other.Id; }

  /// <summary>Whether both name the same thing.</summary>
  public override bool Equals(object other) { return Equals(other as AlidadeObject); }

  /// <summary>Equal for objects that name the same thing.</summary>
  public override int GetHashCode() { return Id.GetHashCode(); }

  /// <summary>Whether both name the same thing, or both are null.</summary>
  public static bool operator ==(AlidadeObject a, AlidadeObject b) {
    return ReferenceEquals(a, null) ? ReferenceEquals(b, null) : a.Equals(b);
  }

  /// <summary>Whether they name different things.</summary>
  public static bool operator !=(AlidadeObject a, AlidadeObject b) { return !(a == b); }
}

/// <summary>Keeps an object from being released during a call, by another thread or by the garbage collector.</summary>
struct Use : IDisposable {
  AlidadeObject used;

  /// <summary>The id for C; 0 for null, which must be allowed.</summary>
  internal ulong Id { get { return ReferenceEquals(used, null) ? 0 : used.Id; } }

  internal static Use Of(AlidadeObject item, string name, bool mayBeNull = false) {
    if (ReferenceEquals(item, null)) {
      if (!mayBeNull) throw new ArgumentNullException(name);
      return default(Use);
    }
    bool isAdded = false;
    item.DangerousAddRef(ref isAdded); // throws ObjectDisposedException
    return new Use { used = item };
  }

  public void Dispose() {
    if (!ReferenceEquals(used, null)) used.DangerousRelease();
  }
}

}
