import AlidadeBase
import AlidadeMap
import CAlidade

/// The C form of a result's elements; lives as long as the result.
final class ResultTexts: Sendable {
  let elements: [Element]
  private let messages: CTexts

  final class Element: Sendable {
    private let attributeCount: Int
    /// Of a raster cell. Right to share: written once, in init.
    nonisolated(unsafe) let values: UnsafeMutablePointer<ald_band_value>
    /// Name, text and alias of each attribute, then the element's own text and its sublayer.
    private let texts: CTexts
    /// The values of attributes that are lists or bytes. Right to share: written once, in init.
    nonisolated(unsafe) private var lists: [Int: UnsafeMutableRawPointer] = [:]
    private let entries: [CTexts]

    init(_ element: IdentifyElement) {
      let cells = element.cell?.values ?? []
      values = .allocate(capacity: max(1, cells.count))
      for (index, value) in cells.enumerated() { (values + index).initialize(to: ald_band_value(value)) }
      let attributes = element.attributes
      attributeCount = attributes.count
      texts = CTexts(count: attributes.count &* 3 &+ 2) { index in
        guard index < attributes.count &* 3 else { return index % 3 == 0 ? element.text : element.sublayer }
        let attribute = attributes[index / 3]
        return index % 3 == 0 ? attribute.name : index % 3 == 1 ? attribute.text : attribute.alias
      }
      var entries: [CTexts] = []
      for (number, attribute) in attributes.enumerated() {
        switch attribute.value {
        case .binary(let bytes): lists[number] = Self.copy(bytes)
        case .integers(let list): lists[number] = Self.copy(list)
        case .reals(let list): lists[number] = Self.copy(list)
        case .texts(let list):
          let texts = CTexts(list)
          entries.append(texts)
          lists[number] = Self.copy(list.indices.map { texts[$0] })
        case .null, .integer, .unsigned, .real, .complex, .text, .date: break
        }
      }
      self.entries = entries
    }

    deinit {
      values.deallocate()
      for list in lists.values { list.deallocate() }
    }

    private static func copy<Value: BitwiseCopyable>(_ list: [Value]) -> UnsafeMutableRawPointer {
      let size = max(1, list.count &* MemoryLayout<Value>.stride)
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<Value>.alignment)
      memory.initializeMemory(as: Value.self, from: list, count: list.count)
      return memory
    }

    func name(_ attribute: Int) -> UnsafePointer<CChar>? { texts[attribute &* 3] }
    func text(_ attribute: Int) -> UnsafePointer<CChar>? { texts[attribute &* 3 &+ 1] }
    func alias(_ attribute: Int) -> UnsafePointer<CChar>? { texts[attribute &* 3 &+ 2] }
    func list(_ attribute: Int) -> UnsafeRawPointer? { lists[attribute].map { UnsafeRawPointer($0) } }
    var text: UnsafePointer<CChar>? { texts[attributeCount &* 3] }
    var sublayer: UnsafePointer<CChar>? { texts[attributeCount &* 3 &+ 1] }
  }

  init(_ result: IdentifyResult) {
    elements = result.elements.map(Element.init)
    messages = CTexts(count: result.parts.count) { result.parts[$0].error?.message ?? "" }
  }

  func message(_ part: Int) -> UnsafePointer<CChar>? { messages[part] }

  static func of(_ result: IdentifyResult) -> ResultTexts { result.attachment { ResultTexts(result) } }
}
