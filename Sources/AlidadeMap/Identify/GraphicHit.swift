import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// A graphic, or a feature that is drawn like one, that was hit.
struct GraphicHit: Sendable {
  let graphic: Graphic
  let zIndex: Int32
  /// Of the piece that was hit.
  fileprivate let columns: GeometryColumns?
  fileprivate let row: Int
  let hit: FootprintHit
}

extension OverlayLayout {
  /// The graphics whose footprints a region meets, the topmost first. Of several images of a graphic, the nearest
  /// counts.
  ///
  /// - Parameter slot: the only slot that is examined; nil means all slots.
  func hits(_ region: ScreenRegion, slot: Int? = nil) throws(EngineError) -> [GraphicHit] {
    var hits: [GraphicHit] = []
    // As many as a tap usually finds.
    hits.reserveCapacity(4)
    var last: (slot: Int, hit: FootprintHit)?
    let eye = self.eye
    try forEachImage { (image) throws(EngineError) in
      if let slot, image.slot != slot { return }
      try TimeLimit.check()
      for (number, piece) in table.pieces(of: image.slot).enumerated() {
        let columns = table.columns(image.slot, number)
        let found = image.footprint.hit(region, piece, columns) { eye.screenPoint($0, image.shift) }
        guard var hit = found, hit.distance <= region.tolerance, let graphic = table.graphics[image.slot] else {
          continue
        }
        hit.nearest.x += image.shift
        let isAgain = last?.slot == image.slot
        if isAgain, let before = last?.hit, !hit.isNearer(than: before) { continue }
        let new = GraphicHit(
          graphic: graphic, zIndex: table.slots[image.slot].zIndex, columns: columns, row: piece.row, hit: hit)
        if isAgain { hits[hits.count &- 1] = new } else { hits.append(new) }
        last = (image.slot, hit)
      }
    }
    return hits
  }
}

extension FootprintHit {
  fileprivate func isNearer(than other: FootprintHit) -> Bool {
    distance != other.distance ? distance < other.distance : nearestDistance < other.nearestDistance
  }
}

extension GraphicHit {
  /// The evidence of each hit.
  static func evidence(of hits: ArraySlice<GraphicHit>, _ region: ScreenRegion, in frame: ViewFrame) -> [HitEvidence] {
    // The anchor, and what of the hits is nearest to it, if that is not the anchor itself.
    var places = [frame.mapPoint(region.anchor)]
    places.reserveCapacity(hits.count &+ 1)
    for hit in hits where !hit.hit.isAnchorInside { places.append(hit.hit.nearest) }
    var ground: GroundFrame?
    if places.count > 1 {
      do throws(EngineError) {
        let known = try frame.map.groundFrame(frame.spatialReference)
        try known.locate(&places)
        ground = known
      } catch {
        // Without a way to the earth there are no metres.
      }
    }
    var apart = places.dropFirst()
    return hits.map { hit in
      if hit.hit.isAnchorInside { return hit.evidence(metres: 0) }
      let place = apart.removeFirst()
      return hit.evidence(metres: ground?.distance(places[0], place) ?? .nan)
    }
  }

  /// - Parameter metres: the distance to the nearest point on the ellipsoid.
  private func evidence(metres: Double) -> HitEvidence {
    let isPoint = hit.segment < 0
    var (z, m) = (Double.nan, Double.nan)
    var vertices = 0..<0
    if let columns {
      let paths = columns.paths(ofPart: columns.parts(ofGeometry: row).lowerBound &+ hit.part)
      vertices = columns.vertices(ofPath: paths.lowerBound &+ hit.path)
      let first = vertices.lowerBound &+ (isPoint ? hit.vertex : hit.segment)
      let second = isPoint || first &+ 1 >= vertices.upperBound ? first : first &+ 1
      func between(_ column: Column<Double>?) -> Double {
        guard let column, vertices.contains(first) else { return .nan }
        return hit.share <= 0 ? column[first] : column[first] + (column[second] - column[first]) * hit.share
      }
      (z, m) = (between(columns.z), between(columns.m))
    }
    return HitEvidence(
      zone: hit.zone, distance: hit.distance, nearestDistance: hit.nearestDistance,
      metres: metres, nearest: hit.nearest, z: z, m: m, member: member, part: hit.part,
      path: hit.path, segment: hit.segment, vertex: hit.vertex, zIndex: zIndex)
  }

  /// For a collection, the index of the member that was hit.
  private var member: Int { columns.map { graphic.memberIndex($0, row) } ?? 0 }
}

extension Graphic {
  /// For a collection, the index of a simple geometry in it; otherwise 0.
  func memberIndex(_ owner: GeometryColumns, _ wanted: Int) -> Int {
    if owner === columns, wanted == row { return 0 }
    var (number, found) = (0, 0)
    columns.forEachSimple(row) { columns, row in
      if owner === columns, row == wanted { found = number }
      number &+= 1
    }
    return found
  }
}
