import AlidadeBase
import CPROJ
import Testing

@testable import AlidadeCoordinates

@Suite struct FastPathTests {
  private static let radians = "+step +proj=unitconvert +xy_in=deg +xy_out=rad "
  private static let everywhere = -1e15...1e15

  private func pipeline(_ steps: String) -> String { "+proj=pipeline " + Self.radians + steps }

  private func session() throws -> ProjSession {
    let runtime = Runtime(options: RuntimeOptions())
    return try ProjSession(
      options: runtime.options, mailbox: runtime.mailbox, grids: CoordinateService.of(runtime).grids.current)
  }

  private func isProven(_ path: String, against operation: String) throws -> Bool {
    let session = try session()
    let object = try #require(ProjObject(proj_create(session.context, operation), in: session))
    return try #require(FastPath(pipeline: path)).isProven(against: object)
  }

  static let known = [
    "+step +proj=webmerc +lat_0=0 +lon_0=0 +x_0=0 +y_0=0 +ellps=WGS84",
    "+step +proj=merc +lon_0=10 +k=0.9 +x_0=1 +y_0=2 +ellps=bessel",
    "+step +proj=merc +lat_ts=56 +lon_0=51 +x_0=0 +y_0=0 +ellps=krass",
    "+step +proj=utm +zone=32 +ellps=WGS84", "+step +proj=utm +zone=1 +south +ellps=GRS80",
    "+step +proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +a=6377563.396 +rf=299.3249646",
    "+step +proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80",
    "+step +proj=lcc +lat_1=46.8 +lat_0=46.8 +lon_0=0 +k_0=0.99987742 +x_0=6e5 +y_0=2.2e6 +ellps=clrk80ign +pm=paris",
    "+step +proj=lcc +lat_0=0 +lon_0=134 +lat_1=-18 +lat_2=-36 +x_0=0 +y_0=0 +ellps=GRS80 "
      + "+step +proj=unitconvert +xy_in=m +xy_out=us-ft",
    "+step +proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +x_0=0 +y_0=0 +ellps=GRS80",
    "+step +proj=aea +lat_0=0 +lon_0=132 +lat_1=-18 +lat_2=-36 +x_0=1 +y_0=2 +ellps=GRS80",
    "+step +proj=aea +lat_0=40 +lon_0=10 +lat_1=50 +lat_2=50 +R=6371000",
    "+step +proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80",
    "+step +proj=laea +lat_0=0 +lon_0=20 +ellps=intl", "+step +proj=laea +lat_0=-30 +lon_0=170 +R=6370997",
    "+step +proj=laea +lat_0=90 +lon_0=-40 +ellps=WGS84", "+step +proj=laea +lat_0=-90 +x_0=3 +ellps=WGS84",
    "+step +proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +x_0=0 +y_0=0 +ellps=WGS84",
    "+step +proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +x_0=0 +y_0=0 +ellps=intl",
    "+step +proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=2600000 +y_0=1200000 +ellps=bessel",
    "+step +proj=somerc +lat_0=47.1443937222222 +lon_0=19.0485717777778 +k_0=0.99993 +x_0=650000 +y_0=200000 +ellps=GRS67",
    "+step +proj=stere +lat_0=90 +k=0.994 +lon_0=0 +x_0=2000000 +y_0=2000000 +ellps=WGS84",
    "+step +proj=utm +zone=32 +ellps=WGS84 +step +proj=axisswap +order=2,1",
    "+step +proj=push +v_3 +step +proj=cart +ellps=airy +step +proj=helmert +x=446.448 +y=-125.157 +z=542.06 +rx=0.15 "
      + "+ry=0.247 +rz=0.842 +s=-20.489 +convention=position_vector +step +inv +proj=cart +ellps=WGS84 "
      + "+step +proj=pop +v_3 +step +proj=unitconvert +xy_in=rad +xy_out=deg",
    "+step +proj=push +v_3 +step +proj=cart +ellps=intl +step +inv +proj=helmert +x=-106.8686 +y=52.2978 +z=-103.7239 "
      + "+rx=-33.66 +ry=45.7 +rz=-184.22 +s=-1.2747 +exact +convention=coordinate_frame +step +inv +proj=cart "
      + "+ellps=WGS84 +step +proj=pop +v_3 +step +proj=utm +zone=31 +ellps=WGS84",
    "+step +proj=geogoffset +dlat=3.6 +dlon=-7.2 +step +proj=unitconvert +xy_in=rad +xy_out=deg",
    "+step +inv +proj=longlat +ellps=clrk80ign +pm=paris +step +proj=unitconvert +xy_in=rad +xy_out=deg",
  ]

  @Test(arguments: known) func pipelinesThatAreKnownAreProven(steps: String) throws {
    #expect(try isProven(pipeline(steps), against: pipeline(steps)))
  }

  /// From metres. From two projections, PROJ 9.1 has latitudes by approximation.
  @Test(arguments: known.filter { steps in ["aea", "stere", "somerc", "lcc"].contains { steps.contains($0) } })
  func inversesOfProjectionsAreProven(steps: String) throws {
    let inverse =
      steps.replacing("+step +proj=unitconvert +xy_in=m +xy_out=us-ft", with: "")
      .replacing("+step +proj", with: "+proj=pipeline +step +inv +proj")
      + " +step +proj=unitconvert +xy_in=rad +xy_out=deg"
    let session = try session()
    let object = try #require(ProjObject(proj_create(session.context, inverse), in: session))
    let proven = try InverseMethod.allCases.filter {
      try #require(FastPath(pipeline: inverse, $0)).isProven(against: object)
    }
    let isApproximate = (steps.contains("=laea") && !steps.contains("+R=")) || steps.contains("=stere")
    #expect(proven == (isApproximate ? [.asInPROJ91] : [.exact, .asInPROJ91]))
  }

  /// A proof that lets another operation pass would be none: each difference here is small, and would be seen.
  @Test(arguments: [
    ("+step +proj=utm +zone=32 +ellps=WGS84", "+step +proj=utm +zone=32 +ellps=GRS80"),
    ("+step +proj=utm +zone=32 +ellps=WGS84", "+step +proj=tmerc +lon_0=9 +k=0.9996 +x_0=500000.000001 +ellps=WGS84"),
    (
      "+step +proj=webmerc +lat_0=0 +lon_0=0 +x_0=0 +y_0=0 +ellps=WGS84",
      "+step +proj=merc +lon_0=0 +k=1 +x_0=0 +y_0=0 +ellps=WGS84"
    ),
    (
      "+step +proj=utm +zone=32 +ellps=WGS84", "+step +proj=utm +zone=32 +ellps=WGS84 +approx"
    ),
    ("+step +proj=laea +lat_0=52 +lon_0=10 +ellps=GRS80", "+step +proj=laea +lat_0=52 +lon_0=10 +ellps=WGS84"),
    (
      "+step +proj=aea +lat_1=29.5 +lat_2=45.5 +ellps=GRS80", "+step +proj=aea +lat_1=29.5 +lat_2=45.5 +ellps=WGS84"
    ),
    ("+step +proj=stere +lat_0=90 +k=0.994 +ellps=GRS80", "+step +proj=stere +lat_0=90 +k=0.994 +ellps=WGS84"),
    (
      "+step +proj=geogoffset +dlat=3.6 +step +proj=unitconvert +xy_in=rad +xy_out=deg",
      "+step +proj=geogoffset +dlat=3.60000001 +step +proj=unitconvert +xy_in=rad +xy_out=deg"
    ),
  ])
  func proofsRefuseAnotherOperation(path: String, operation: String) throws {
    #expect(try !isProven(pipeline(path), against: pipeline(operation)))
  }

  @Test(arguments: [
    "+step +proj=utm +zone=32 +ellps=WGS84 +approx", "+step +proj=utm +zone=32 +ellps=WGS84 +towgs84=1,2,3",
    "+step +proj=utm +zone=32", "+step +proj=utm +zone=61 +ellps=WGS84", "+step +proj=utm +zone=0 +ellps=WGS84",
    "+step +proj=utm +ellps=WGS84 +zone=32 +zone=33", "+step +proj=utm +zone=32 +ellps=nonsense",
    "+step +proj=utm +zone=32 +ellps=WGS84 +south=1", "+step +proj=utm +zone=32 +ellps=WGS84 +over",
    "+step +proj=tmerc +lon_0=9 +ellps=sphere", "+step +proj=tmerc +lon_0=9d30 +ellps=WGS84",
    "+step +proj=tmerc +lon_0=nan +ellps=WGS84", "+step +proj=tmerc +k=1 +k_0=1 +ellps=WGS84",
    "+step +proj=tmerc +a=6378137 +ellps=WGS84", "+step +proj=tmerc +a=6378137 +rf=1", "+step +proj=tmerc +a=1 +b=1",
    "+step +proj=webmerc +ellps=WGS84 +lat_0=1", "+step +proj=webmerc +ellps=WGS84 +k=2",
    "+step +proj=lcc +lat_1=45 +lat_2=-45 +ellps=WGS84", "+step +proj=lcc +lat_1=90 +ellps=WGS84",
    "+step +proj=lcc +lat_1=45 +lat_2=46 +ellps=WGS84", "+step +proj=laea +lat_0=52 +k=0.9 +ellps=GRS80",
    "+step +proj=laea +lat_0=91 +ellps=GRS80", "+step +proj=aea +lat_1=45 +lat_2=-45 +ellps=WGS84",
    "+step +proj=aea +lat_1=45 +lat_2=46 +k_0=0.9 +ellps=WGS84", "+step +proj=stere +lat_0=52 +ellps=bessel",
    "+step +proj=stere +lat_0=90 +lat_ts=0 +ellps=WGS84", "+step +proj=stere +lat_0=90 +lat_ts=x +ellps=WGS84",
    "+step +proj=hgridshift +grids=BETA2007.gsb", "+step +proj=axisswap +order=-2,1", "+step +proj=push +v_3",
    "+step +proj=pop +v_3", "+step +proj=push +v_1 +step +proj=pop +v_1", "+step +proj=cart +ellps=WGS84",
    "+step +proj=helmert +x=1", "+step +inv +proj=cart +ellps=WGS84",
    "+step +proj=cart +ellps=WGS84 +step +proj=helmert +rx=1 +step +inv +proj=cart +ellps=WGS84",
    "+step +proj=cart +ellps=WGS84 +step +inv +proj=cart +ellps=airy +step +proj=cart +ellps=airy "
      + "+step +inv +proj=cart +ellps=WGS84",
    "+step +proj=geogoffset +dlat=1 +dh=2", "+step +proj=unitconvert +xy_in=m +xy_out=nonsense",
    "+step +proj=unitconvert +t_in=decimalyear +t_out=mjd", "+step", "+step +ellps=WGS84", "+step +proj=pipeline",
  ])
  func whatIsNotUnderstoodIsLeftToPROJ(steps: String) {
    #expect(FastPath(pipeline: pipeline(steps)) == nil)
  }

  @Test(arguments: ["", "+proj=pipeline", "+proj=pipeline +ellps=WGS84 +step +proj=noop", "proj", "+init=epsg:32632"])
  func textsThatAreNoPipelineAreLeftToPROJ(text: String) {
    #expect(FastPath(pipeline: text) == nil)
  }

  @Test func placesBeyondTheDomainAreHandedOver() throws {
    let utm = try #require(FastPath(pipeline: pipeline("+step +proj=utm +zone=32 +ellps=WGS84")))
    let inside = [Point(x: 9, y: 0), Point(x: -51, y: 80), Point(x: 369, y: 10)]
    for point in inside { #expect(utm.project(point, accepting: Self.everywhere) != nil) }
    let outside = [
      Point(x: 70, y: 0), Point(x: 9, y: 90), Point(x: 9, y: 91), Point(x: .nan, y: 0), Point(x: 0, y: .nan),
      Point(x: .infinity, y: 0), Point(x: 9, y: -.infinity), Point(x: 1e300, y: 1e300), Point(x: 729, y: 1),
      // A NaN whose low bits are not zero.
      Point(x: Double(nan: 0x7_FFFF, signaling: false), y: 1), Point(x: 9, y: -Double(nan: 1, signaling: false)),
    ]
    for point in outside { #expect(utm.project(point, accepting: Self.everywhere) == nil) }
    // What the target does not accept is PROJ's, too.
    #expect(utm.project(Point(x: 9, y: 50), accepting: 0...10) == nil)
  }

  @Test func slicesStridesAndLanesChangeNoBit() throws {
    for steps in Self.known {
      let path = try #require(FastPath(pipeline: pipeline(steps)))
      let points = (0..<203).map { Point(x: Double($0) * 1.7 - 172, y: Double($0 * 37 % 203) * 0.7 - 71) }
      var images = points
      let left = images.withUnsafeMutableBytes { bytes -> [Int] in
        guard let base = bytes.baseAddress else { return [] }
        return path.project(
          base, stride: 16, to: base, outputStride: 16, count: points.count, accepting: Self.everywhere)
      }
      #expect(left.count < points.count - 40)
      for (index, point) in points.enumerated() {
        let alone = path.project(point, accepting: Self.everywhere)
        #expect((alone == nil) == left.contains(index))
        // A point that is left keeps what it was.
        #expect(images[index] == alone ?? point)
      }
      // At odd addresses, with gaps that are left alone.
      var gapped = [UInt8](repeating: 0xA5, count: 41 * points.count)
      _ = points.withUnsafeBytes { source in
        gapped.withUnsafeMutableBytes { target -> [Int] in
          guard let from = source.baseAddress, let to = target.baseAddress else { return [] }
          return path.project(
            from, stride: 16, to: to + 1, outputStride: 41, count: points.count, accepting: Self.everywhere)
        }
      }
      for index in points.indices {
        let bytes = gapped[(41 * index)..<(41 * index + 41)]
        let image = bytes.withUnsafeBytes { raw in
          Point(
            x: raw.loadUnaligned(fromByteOffset: 1, as: Double.self),
            y: raw.loadUnaligned(fromByteOffset: 9, as: Double.self))
        }
        if !left.contains(index) { #expect(image == images[index]) }
        #expect(bytes.first == 0xA5 && bytes.dropFirst(17).allSatisfy { $0 == 0xA5 })
      }
    }
  }
}
