package alidade;

/** Why a call failed. The message is for people: what went wrong with which value, and what helps. */
public final class AlidadeException extends Exception {
  private static final long serialVersionUID = 1;

  /** A constant of Constants.Status, such as NOT_FOUND. */
  public final int status;
  /** The position of the argument at fault in the function of C, counted from 1; 0 if no argument is at fault. */
  public final int argument;
  /** The library that defines domainCode: a constant of Constants.ErrorDomain. */
  public final int domain;
  public final int domainCode;

  AlidadeException(int status, int argument, int domain, int domainCode, String message) {
    super(message);
    this.status = status;
    this.argument = argument;
    this.domain = domain;
    this.domainCode = domainCode;
  }

  /** An argument that the library never sees, because Java cannot pass it. */
  AlidadeException(String message) {
    this(Constants.Status.INVALID_ARGUMENT, 0, Constants.ErrorDomain.ALIDADE, 0, message);
  }

  /** The name of the status in C, such as ALD_STATUS_NOT_FOUND. */
  public String statusName() {
    return Alidade.statusGetName(status);
  }

  @Override public String toString() {
    return statusName() + ": " + getMessage();
  }
}
