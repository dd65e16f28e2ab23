import AlidadeBase
import CPROJ
import Glibc

/// The outline of the world in the projection that an operation undoes first. PROJ takes points beyond the outline for
/// points on the other side of it; they have no position on the earth.
///
/// Belongs to its session's thread rule.
final class WorldOutline {
  /// PROJ's names of the projections in which the world has an outline that is no rectangle, and whose inverse has a
  /// longitude for points beyond it. Found by asking PROJ 9.1.1, each projection with "over", for such points.
  private static let projections: Set<Substring> = [
    "aitoff", "bonne", "collg", "crast", "eck1", "eck2", "eck3", "eck4", "eck5", "eck6", "eqearth", "fahey", "fouc",
    "fouc_s", "gn_sinu", "goode", "hammer", "hatano", "kav5", "kav7", "lagrng", "mbt_fps", "mbt_s", "mbtfpp", "mbtfpq",
    "mbtfps", "natearth", "natearth2", "nell", "nell_h", "putp1", "putp2", "putp3", "putp3p", "putp4p", "putp5",
    "putp5p", "putp6", "putp6p", "qua_aut", "sinu", "times", "urmfps", "vandg", "wag1", "wag2", "wag3", "wag6", "weren",
    "wink1", "wintri",
  ]
  /// What stands before a projection only to convert units or axes.
  private static let conversions: Set<Substring> = ["unitconvert", "axisswap", "affine", "noop"]
  /// Rounding moves a point on the outline by less, in radians of a great circle.
  private static let slack = 1e-9
  /// What an inverse and the projection after it may change of a coordinate, as a part of it, and in units of the map:
  /// PROJ's series for authalic latitudes are off by some decimetres, and next to the equator its inverse of Van der
  /// Grinten's by some metres, and hundreds of metres at times.
  private static let (relativeTolerance, tolerance, vanDerGrintensTolerance) = (1e-7, 1.0, 200.0)

  /// Longitudes are in radians, and go on beyond the outline.
  private let inverse: ProjObject
  private let centralMeridian: Double
  private let tolerance: Double

  /// nil: the pipeline undoes no such projection first. Call inside the gate.
  init?(ofPipeline pipeline: String, in session: ProjSession) {
    var steps = pipeline.split(separator: " ").split(separator: "+step").map { Array($0) }
    if steps.count > 1 { steps.removeFirst() }
    guard let number = steps.firstIndex(where: { !Self.conversions.contains(Self.value("proj", $0) ?? "") }),
      let name = Self.value("proj", steps[number]), Self.projections.contains(name), steps[number].contains("+inv"),
      Self.value("pm", steps[number]) == nil, !steps[number].contains("+over"),
      let meridian = Double(String(Self.value("lon_0", steps[number]) ?? "0"))
    else { return nil }
    steps[number].append("+over")
    let text = "+proj=pipeline " + steps[...number].map { "+step " + $0.joined(separator: " ") }.joined(separator: " ")
    guard let inverse = session.made(text) else { return nil }
    self.inverse = inverse
    centralMeridian = meridian * .pi / 180
    tolerance = name == "vandg" ? Self.vanDerGrintensTolerance : Self.tolerance
  }

  private static func value(_ key: String, _ step: [Substring]) -> Substring? {
    step.first { $0.hasPrefix("+\(key)=") }.map { $0.dropFirst(key.utf8.count &+ 2) }
  }

  /// Whether a point lies inside or on the outline. A point that the projection cannot undo counts as inside. Call inside
  /// the gate.
  func contains(x: Double, y: Double) -> Bool {
    let position = proj_trans(inverse.pointer, PJ_FWD, proj_coord(x, y, 0, .infinity))
    defer { proj_errno_reset(inverse.pointer) }
    guard position.xy.x.isFinite, position.xy.y.isFinite else { return true }
    let beyond = (position.xy.x - centralMeridian).magnitude - .pi
    // At a pole all meridians meet.
    if beyond > 0, beyond * cos(position.xy.y) > Self.slack { return false }
    // Beyond a pole, the inverse has the pole itself, or a point on the side of it that is in the world.
    let image = proj_trans(inverse.pointer, PJ_INV, position).xy
    let slack = tolerance + Self.relativeTolerance * max(x.magnitude, y.magnitude)
    return (image.x - x).magnitude <= slack && (image.y - y).magnitude <= slack
  }
}
