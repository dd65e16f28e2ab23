import AlidadeData
import CAlidade

/// The C form of a source's texts; lives as long as the source.
final class FeatureSourceTexts: Sendable {
  private let texts: CTexts
  private let fieldCount: Int

  private init(_ source: FeatureSource) {
    let facts = source.facts
    fieldCount = facts.fields.count
    texts = CTexts(
      [facts.path, facts.driver, facts.layerName, source.definition ?? ""]
        + facts.fields.flatMap { [$0.name, $0.alias] } + facts.sublayers.map(\.name))
  }

  static func of(_ source: FeatureSource) -> FeatureSourceTexts {
    source.attachment { FeatureSourceTexts(source) }
  }

  var path: UnsafePointer<CChar>? { texts[0] }
  var driver: UnsafePointer<CChar>? { texts[1] }
  var layerName: UnsafePointer<CChar>? { texts[2] }
  var definition: UnsafePointer<CChar>? { texts[3] }
  func fieldName(_ index: Int) -> UnsafePointer<CChar>? { texts[4 &+ 2 &* index] }
  func fieldAlias(_ index: Int) -> UnsafePointer<CChar>? { texts[5 &+ 2 &* index] }
  func sublayerName(_ index: Int) -> UnsafePointer<CChar>? { texts[4 &+ 2 &* fieldCount &+ index] }
}

/// The C form of a set's text; lives as long as the set.
final class FeatureSetTexts: Sendable {
  private let texts: CTexts

  private init(_ set: FeatureSet) { texts = CTexts([set.trouble.firstReason]) }

  static func of(_ set: FeatureSet) -> FeatureSetTexts { set.attachment { FeatureSetTexts(set) } }

  var firstReason: UnsafePointer<CChar>? { texts[0] }
}
