import Testing

/// What one value of a type takes in memory, in bytes.
struct Extent: Equatable {
  let size: Int
  let alignment: Int

  init(size: Int, alignment: Int) {
    self.size = size
    self.alignment = alignment
  }

  init<Value>(of type: Value.Type) {
    self.init(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
  }
}

/// A struct of the interface: as the C compiler measured it, and as Swift lays it out.
struct StructLayout: CustomTestStringConvertible {
  let name: String
  let inC: Extent
  let inSwift: Extent
  /// Where each field begins.
  let fields: [(name: String, inC: Int, inSwift: Int?)]

  var testDescription: String { name }

  init<Value>(
    of type: Value.Type, named name: String, inC: Extent, fieldsInC: [(String, Int, PartialKeyPath<Value>)]
  ) {
    self.name = name
    self.inC = inC
    inSwift = Extent(of: type)
    fields = fieldsInC.map { ($0.0, $0.1, MemoryLayout<Value>.offset(of: $0.2)) }
  }
}

/// Swift imports the structs of the headers; what it makes of them must be what C hosts write and read.
@Test(arguments: structLayouts)
func layoutIsThatOfC(layout: StructLayout) {
  #expect(layout.inSwift == layout.inC)
  for field in layout.fields {
    #expect(field.inSwift == field.inC, "\(layout.name).\(field.name)")
  }
}
