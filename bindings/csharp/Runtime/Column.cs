using System;

namespace Alidade {

/// <summary>The check before memory of the library is read.</summary>
static class Column {
  internal static Use Reading(AlidadeObject owner) {
    if (!owner.IsReadable) throw new ObjectDisposedException(owner.GetType().Name);
    return Use.Of(owner, null);
  }
}

/// <summary>An array that was larger than what came.</summary>
static class Sized {
  internal static T[] Cut<T>(T[] items, ulong count) {
    if ((ulong)items.Length > count) Array.Resize(ref items, (int)count);
    return items;
  }
}

}
