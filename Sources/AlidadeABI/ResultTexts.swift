import AlidadeBase
import AlidadeMap
import CAlidade

/// The C form of a result's elements; lives as long as the result.
final class ResultTexts: Sendable {
  let elements: [Element]

  final class Element: Sendable {
    let attributeCount: Int
    let bandCount: Int
    /// Right to share: written once, in init.
    nonisolated(unsafe) let values: UnsafeMutablePointer<ald_band_value>
    /// Names and texts by turns, then the element's own text.
    private let texts: CTexts

    init(_ element: CellElement) {
      attributeCount = element.attributes.count
      bandCount = element.values.count
      values = .allocate(capacity: max(1, element.values.count))
      for (index, value) in element.values.enumerated() { (values + index).initialize(to: ald_band_value(value)) }
      let attributes = element.attributes
      texts = CTexts(count: attributes.count &* 2 &+ 1) { index in
        if index == attributes.count &* 2 { return element.text }
        return index % 2 == 0 ? attributes[index / 2].name : attributes[index / 2].text
      }
    }

    deinit { values.deallocate() }

    func name(_ attribute: Int) -> UnsafePointer<CChar>? { texts[attribute &* 2] }
    func text(_ attribute: Int) -> UnsafePointer<CChar>? { texts[attribute &* 2 &+ 1] }
    var text: UnsafePointer<CChar>? { texts[attributeCount &* 2] }
  }

  init(_ result: IdentifyResult) { elements = result.elements.map(Element.init) }

  static func of(_ result: IdentifyResult) -> ResultTexts { result.attachment { ResultTexts(result) } }
}
