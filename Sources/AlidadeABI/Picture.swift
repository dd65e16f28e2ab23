import AlidadeBase

/// An array of the host's that holds a sample per pixel, line by line.
struct Picture<Sample> {
  let memory: UnsafeMutableRawPointer
  let stride: Int
  let columns: Int
  let rows: Int

  var count: Int { columns &* rows }
  private var lineSize: Int { columns &* MemoryLayout<Sample>.size }

  /// Checks the host's numbers before the array is touched.
  init(
    _ memory: UnsafeMutableRawPointer, columns: Int32, rows: Int32, stride: Int, size: Int, as: Sample.Type,
    _ strideArgument: Int32
  ) throws(EngineError) {
    try requireCapacity(size, strideArgument &+ 1)
    let columns = Int(truncatingIfNeeded: columns)
    let rows = Int(truncatingIfNeeded: rows)
    let lineSize = columns &* MemoryLayout<Sample>.size
    let step = stride == 0 ? lineSize : stride
    guard step >= lineSize, step % MemoryLayout<Sample>.alignment == 0 else {
      throw EngineError(
        .invalidArgument,
        "row_stride_bytes is \(UInt(bitPattern: stride)); a line needs \(lineSize) bytes"
          + (MemoryLayout<Sample>.alignment > 1 ? ", in multiples of \(MemoryLayout<Sample>.alignment)." : "."),
        argument: strideArgument)
    }
    let (before, overflow) = (rows &- 1).multipliedReportingOverflow(by: step)
    let needed = before.addingReportingOverflow(lineSize)
    guard !overflow, !needed.overflow, size >= needed.partialValue else {
      throw EngineError(
        .bufferTooSmall,
        "\(columns) x \(rows) samples need \(overflow ? "more bytes than there are" : "\(needed.partialValue) bytes"); "
          + "the buffer has \(size).", argument: strideArgument &+ 1)
    }
    self.memory = memory
    self.stride = step
    self.columns = columns
    self.rows = rows
  }

  /// Copies the samples in; bytes between lines are left alone.
  func store(_ samples: UnsafeMutableBufferPointer<Sample>) {
    guard let base = samples.baseAddress else { return }
    let source = UnsafeRawPointer(base)
    for row in 0..<rows {
      (memory + row &* stride).copyMemory(from: source + row &* lineSize, byteCount: lineSize)
    }
  }
}

/// Fills a picture by way of memory of our own, so that the host's is written whole or not at all.
func fill<Sample>(
  _ picture: Picture<Sample>, _ out_verdicts: UnsafeMutablePointer<UInt8>?, _ policy: Policy,
  _ body: (UnsafeMutableBufferPointer<Sample>, UnsafeMutableBufferPointer<UInt8>) throws(EngineError) -> Void
) throws(EngineError) {
  try policy.check(points: picture.count)
  // A sample, its verdict, its cell, and the cell's place among the blocks.
  try policy.check(bytes: picture.count, MemoryLayout<Sample>.size &+ 1 &+ 8 &+ 12)
  let samples = try HeapArray<Sample>(count: picture.count)
  let verdicts = try HeapArray<UInt8>(count: picture.count)
  try body(samples.buffer, verdicts.buffer)
  picture.store(samples.buffer)
  if let out_verdicts, let base = verdicts.buffer.baseAddress { out_verdicts.update(from: base, count: picture.count) }
}
