package alidade;

import com.sun.jna.Structure;

/** A box as an argument: the one struct that is passed as it is and is no handle and no point. */
@Structure.FieldOrder({"xMin", "yMin", "xMax", "yMax"})
public final class EnvelopeByValue extends Structure implements Structure.ByValue {
  public double xMin;
  public double yMin;
  public double xMax;
  public double yMax;

  public EnvelopeByValue() {}

  EnvelopeByValue(Structs.Envelope from) {
    xMin = from.xMin;
    yMin = from.yMin;
    xMax = from.xMax;
    yMax = from.yMax;
    write();
  }
}
