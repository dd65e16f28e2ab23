import AlidadeBase

/// Writes elements into an array of the host, which is large enough for all of them. NULL: they are not wanted.
func store<Elements: Sequence, Element>(
  _ elements: Elements, to out: Out<Element>, _ convert: (Elements.Element) -> Element
) {
  guard let out else { return }
  for (index, element) in elements.enumerated() { (out + index).initialize(to: convert(element)) }
}

/// Where in a list the element is that an index of the host's names.
func entry(
  _ index: some FixedWidthInteger, of count: Int, _ what: String, owner: String = "there are",
  _ argument: Int32
) throws(EngineError) -> Int {
  guard let position = Int(exactly: index), position >= 0, position < count else {
    throw EngineError(.notFound, "There is no \(what) \(index); \(owner) \(count), from 0.", argument: argument)
  }
  return position
}

/// The value that a number, a name or a point of the host stands for.
@inline(__always)
func known<Value>(_ value: Value?, or failure: @autoclosure () -> EngineError) throws(EngineError) -> Value {
  guard let value else { throw failure() }
  return value
}

/// The flags that are set.
func bits(_ flags: (isSet: Bool, bit: UInt32)...) -> UInt32 {
  flags.reduce(0) { $1.isSet ? $0 | $1.bit : $0 }
}

/// The objects behind an array of handles, which hang on one runtime: that of `first`, or of the first of them.
func resolveAll<Handle: ObjectHandle>(
  _ handles: UnsafePointer<Handle>, count: Int, sameRuntimeAs first: HandleObject? = nil, _ argument: Int32
) throws(EngineError) -> [Handle.Object] {
  var objects: [Handle.Object] = []
  for index in 0..<count {
    let object = try resolve(handles[index], argument)
    try requireSameRuntime(object, first ?? objects.first, argument)
    objects.append(object)
  }
  return objects
}

/// An array of the host's for a list whose length it does not know: asked with NULL and 0, it learns it.
struct OutputList<Element> {
  private let elements: Out<Element>
  private let capacity: Int
  private let count: Out<Int>
  private let arrayArgument: Int32

  /// Whether more than the length is asked for.
  var isWanted: Bool { elements != nil }

  /// Checks the arguments before anything is done. The capacity follows the array in the function's declaration.
  init(_ elements: Out<Element>, capacity: Int, _ count: Out<Int>, arrayArgument: Int32) throws(EngineError) {
    try requireCapacity(capacity, arrayArgument &+ 1)
    if elements == nil, capacity != 0 { throw missing("The array", arrayArgument) }
    if elements == nil, count == nil {
      throw EngineError(
        .invalidArgument, "Neither the list nor its length is asked for.", argument: arrayArgument)
    }
    self.elements = elements
    self.capacity = capacity
    self.count = count
    self.arrayArgument = arrayArgument
  }

  /// Writes the length, and the list if the capacity is sufficient.
  func write<Source>(_ list: [Source], _ what: String, _ convert: (Source) -> Element) throws(EngineError) {
    count?.pointee = list.count
    guard let elements else { return }
    guard capacity >= list.count else {
      throw EngineError(
        .bufferTooSmall, "There are \(list.count) \(what); the array can hold \(capacity).",
        argument: arrayArgument &+ 1)
    }
    for (index, element) in list.enumerated() { (elements + index).initialize(to: convert(element)) }
  }
}
