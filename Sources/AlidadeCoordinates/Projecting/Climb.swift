import AlidadeBase

/// Looks for the greatest value between two ends, from a place between them where it is no smaller than around: golden
/// section.
///
/// It needs no derivatives. Where the value jumps it closes in on the jump from the higher side, and where there is no
/// value (NaN), on the last place that has one.
///
/// - Parameter resolution: how near to each other places are told apart.
func climb(
  from low: Double, over start: (place: Double, value: Double), to high: Double, resolution: Double,
  _ value: (Double) throws(EngineError) -> Double
) throws(EngineError) -> (place: Double, value: Double) {
  var (low, high, best) = (low, high, start)
  // Each step leaves at most 0.77 of the bracket.
  for _ in 0..<160 {
    let (left, right) = (best.place - low, high - best.place)
    guard max(left, right) > resolution else { break }
    let place = best.place + (right > left ? right : -left) * 0.381966011250105
    guard place != best.place else { break }
    let found = try value(place)
    if found > best.value {
      if place > best.place { low = best.place } else { high = best.place }
      best = (place, found)
    } else if place > best.place {
      high = place
    } else {
      low = place
    }
  }
  return best
}
