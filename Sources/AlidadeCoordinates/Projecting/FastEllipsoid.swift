import Glibc

/// Coefficients of sin 2k(phi), k from 1 to 6.
struct SineCoefficients: Sendable {
  var c1, c2, c3, c4, c5, c6: Double
}

/// An ellipsoid of revolution, flattened little or not at all.
struct FastEllipsoid: Sendable {
  /// Metres.
  let semiMajorAxis: Double
  let flattening: Double

  /// The square of the eccentricity.
  var eccentricity2: Double { 2 * flattening - flattening * flattening }
  var semiMinorAxis: Double { semiMajorAxis * (1 - flattening) }
  /// The third flattening, by which the series go.
  var third: Double { flattening / (2 - flattening) }

  /// Nil if it is no ellipsoid like the Earth's: the bounds of the series hold for flattenings up to 1/150.
  init?(semiMajorAxis: Double, flattening: Double) {
    guard semiMajorAxis > 1e6, semiMajorAxis < 1e8, flattening >= 0, flattening < 1.0 / 150 else { return nil }
    self.semiMajorAxis = semiMajorAxis
    self.flattening = flattening
  }

  /// By a name of PROJ's; nil for one that is not in this table.
  init?(named name: Substring) {
    guard let (axis, shape) = Self.table[String(name)] else { return nil }
    // Above 1000 it is the semi-minor axis, else the inverse flattening.
    self.init(
      semiMajorAxis: axis, flattening: shape == 0 ? 0 : shape > 1000 ? (axis - shape) / axis : 1 / shape)
  }

  /// Semi-major axis with inverse flattening or semi-minor axis, as EPSG and PROJ's manual have them.
  private static let table: [String: (Double, Double)] = [
    "WGS84": (6_378_137, 298.257223563), "GRS80": (6_378_137, 298.257222101), "WGS72": (6_378_135, 298.26),
    "WGS66": (6_378_145, 298.25), "GRS67": (6_378_160, 298.2471674270), "aust_SA": (6_378_160, 298.25),
    "airy": (6_377_563.396, 299.3249646), "mod_airy": (6_377_340.189, 299.3249373654873),
    "bessel": (6_377_397.155, 299.1528128), "bess_nam": (6_377_483.865, 299.1528128),
    "clrk66": (6_378_206.4, 6_356_583.8), "clrk80": (6_378_249.145, 293.4663),
    "clrk80ign": (6_378_249.2, 293.4660212936269), "evrst30": (6_377_276.345, 300.8017),
    "helmert": (6_378_200, 298.3), "intl": (6_378_388, 297), "krass": (6_378_245, 298.3),
    "sphere": (6_370_997, 0),
  ]

  /// ln tan(pi/4 + phi/2) - e artanh(e sin phi): the isometric latitude, from the sine and cosine of a latitude.
  @inline(__always)
  static func isometricLatitude(_ sine: Lanes, _ cosine: Lanes, _ eccentricity: Double) -> Lanes {
    let onSphere = logarithm(of: 1.0 + sine.magnitudes, over: cosine).signed(like: sine)
    if eccentricity == 0 { return onSphere }
    return onSphere - eccentricity * smallArtanh(eccentricity * sine)
  }

  /// The latitude of an isometric latitude of |psi| <= 20, by way of the conformal latitude.
  @inline(__always)
  static func latitude(isometric psi: Lanes, _ toLatitude: SineCoefficients?) -> Lanes {
    // tan chi = sinh |psi| = (e^2 - 1) / 2e, and the sine and cosine of 2 chi by the tangent's half.
    let e = exponential(psi.magnitudes)
    let conformal = angleToTheRight(y: e * e - 1.0, x: e + e).signed(like: psi)
    guard let toLatitude else { return conformal }
    let sech = 2.0 * e / (e * e + 1.0)
    let tanh = ((e * e - 1.0) / (e * e + 1.0)).signed(like: psi)
    return conformal + sineSeries(toLatitude, 2.0 * (tanh * sech), 2.0 * (sech * sech) - 1.0)
  }

  /// The series between latitudes, and between the sphere's and the ellipsoid's transverse Mercator projection, in
  /// powers of the third flattening n up to the sixth: K. E. Engsager and K. Poder, A highly accurate world wide
  /// algorithm for the transverse Mercator mapping (almost), ICC 2007; the same in C. F. F. Karney, Transverse Mercator
  /// with an accuracy of a few nanometers, J. Geodesy 85 (2011), equations 35 and 36. What is left out is below 1e-17.
  var latitudeFromConformal: SineCoefficients {
    let n = third
    return SineCoefficients(
      c1: Self.series(n, 1, 2, -2.0 / 3, -2, 116.0 / 45, 26.0 / 45, -2854.0 / 675),
      c2: Self.series(n, 2, 7.0 / 3, -8.0 / 5, -227.0 / 45, 2704.0 / 315, 2323.0 / 945),
      c3: Self.series(n, 3, 56.0 / 15, -136.0 / 35, -1262.0 / 105, 73814.0 / 2835),
      c4: Self.series(n, 4, 4279.0 / 630, -332.0 / 35, -399_572.0 / 14175),
      c5: Self.series(n, 5, 4174.0 / 315, -144_838.0 / 6237),
      c6: Self.series(n, 6, 601_676.0 / 22275))
  }

  var conformalFromLatitude: SineCoefficients {
    let n = third
    return SineCoefficients(
      c1: Self.series(n, 1, -2, 2.0 / 3, 4.0 / 3, -82.0 / 45, 32.0 / 45, 4642.0 / 4725),
      c2: Self.series(n, 2, 5.0 / 3, -16.0 / 15, -13.0 / 9, 904.0 / 315, -1522.0 / 945),
      c3: Self.series(n, 3, -26.0 / 15, 34.0 / 21, 8.0 / 5, -12686.0 / 2835),
      c4: Self.series(n, 4, 1237.0 / 630, -12.0 / 5, -24832.0 / 14175),
      c5: Self.series(n, 5, -734.0 / 315, 109_598.0 / 31185),
      c6: Self.series(n, 6, 444_337.0 / 155_925))
  }

  var ellipsoidFromSphere: SineCoefficients {
    let n = third
    return SineCoefficients(
      c1: Self.series(n, 1, 0.5, -2.0 / 3, 5.0 / 16, 41.0 / 180, -127.0 / 288, 7891.0 / 37800),
      c2: Self.series(n, 2, 13.0 / 48, -3.0 / 5, 557.0 / 1440, 281.0 / 630, -1_983_433.0 / 1_935_360),
      c3: Self.series(n, 3, 61.0 / 240, -103.0 / 140, 15061.0 / 26880, 167_603.0 / 181_440),
      c4: Self.series(n, 4, 49561.0 / 161_280, -179.0 / 168, 6_601_661.0 / 7_257_600),
      c5: Self.series(n, 5, 34729.0 / 80640, -3_418_889.0 / 1_995_840),
      c6: Self.series(n, 6, 212_378_941.0 / 319_334_400))
  }

  var sphereFromEllipsoid: SineCoefficients {
    let n = third
    return SineCoefficients(
      c1: Self.series(n, 1, -0.5, 2.0 / 3, -37.0 / 96, 1.0 / 360, 81.0 / 512, -96199.0 / 604_800),
      c2: Self.series(n, 2, -1.0 / 48, -1.0 / 15, 437.0 / 1440, -46.0 / 105, 1_118_711.0 / 3_870_720),
      c3: Self.series(n, 3, -17.0 / 480, 37.0 / 840, 209.0 / 4480, -5569.0 / 90720),
      c4: Self.series(n, 4, -4397.0 / 161_280, 11.0 / 504, 830_251.0 / 7_257_600),
      c5: Self.series(n, 5, -4583.0 / 161_280, 108_847.0 / 3_991_680),
      c6: Self.series(n, 6, -20_648_693.0 / 638_668_800))
  }

  /// The radius of the circle as long as the meridian, in units of the semi-major axis.
  var rectifyingRadius: Double {
    let n = third
    return (1 + n * n * (0.25 + n * n * (1.0 / 64 + n * n / 256))) / (1 + n)
  }

  /// n^power times a polynomial in n.
  private static func series(_ n: Double, _ power: Int, _ coefficients: Double...) -> Double {
    var sum = 0.0
    for coefficient in coefficients.reversed() { sum = coefficient + n * sum }
    for _ in 0..<power { sum *= n }
    return sum
  }
}

extension SineCoefficients {
  /// The sum at one angle.
  func sum(at angle: Double) -> Double {
    c1 * sin(2 * angle) + c2 * sin(4 * angle) + c3 * sin(6 * angle) + c4 * sin(8 * angle) + c5 * sin(10 * angle)
      + c6 * sin(12 * angle)
  }
}
