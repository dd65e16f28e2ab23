using System;

namespace Alidade {

/// <summary>A call failed. The message is the library's: what is wrong, with which value, and what helps.</summary>
public sealed class AlidadeException : Exception {
  internal AlidadeException(Error error) : base(error.Message) {
    Status = error.Status;
    Argument = error.Argument;
    Domain = error.Domain;
    DomainCode = error.DomainCode;
  }

  /// <summary>The status that the function returned.</summary>
  public Status Status { get; private set; }

  /// <summary>The position of the parameter at fault in the C function, where the object is 1. 0 if none is.</summary>
  public int Argument { get; private set; }

  /// <summary>The library that defines DomainCode.</summary>
  public ErrorDomain Domain { get; private set; }

  /// <summary>The code of GDAL, PROJ, the system or a server; 0 without a code.</summary>
  public int DomainCode { get; private set; }
}

static unsafe class Failure {
  /// <summary>Throws if a call has failed.</summary>
  internal static void Check(Status status, Error* error) {
    if (status != Status.Ok) throw new AlidadeException(*error);
  }
}

}
