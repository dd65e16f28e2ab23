extension Workers {
  /// The results of `body` for 0 ..< `count`, which is called slice by slice on all threads; nil if one of them is nil.
  public func map<Result: Sendable>(
    _ count: Int, slice: Int, _ body: @Sendable (Int) throws(EngineError) -> Result?
  ) throws(EngineError) -> [Result]? {
    let slice = max(1, slice)
    let slices = count / slice &+ (count % slice == 0 ? 0 : 1)
    let made = Lock([[Result]?](repeating: nil, count: max(0, slices)))
    try forEach(slices) { (number) throws(EngineError) in
      var results: [Result] = []
      for index in (number &* slice)..<min(count, (number &+ 1) &* slice) {
        try TimeLimit.check()
        guard let result = try body(index) else { return }
        results.append(result)
      }
      made.withLock { $0[number] = results }
    }
    var results: [Result] = []
    results.reserveCapacity(max(0, count))
    for part in made.withLock({ $0 }) {
      guard let part else { return nil }
      results += part
    }
    return results
  }
}
