import AlidadeBase
import AlidadeData
import CAlidade

/// The C form of a raster's texts and arrays; lives as long as the raster.
final class RasterTexts: Sendable {
  let path: CTexts
  let subdatasets: CTexts
  let bands: [Band]
  /// Tables may be large; their texts are made when they are first asked for.
  private let tables = Lock<[Int: Table]>([:])

  final class Band: Sendable {
    /// Description, then unit.
    let names: CTexts
    let columnNames: CTexts
    private let categories: CTexts
    /// Right to share: written once, in init.
    nonisolated(unsafe) let categoryNames: UnsafeMutablePointer<UnsafePointer<CChar>?>
    nonisolated(unsafe) let colors: UnsafeMutablePointer<ald_rgba>

    init(_ facts: BandFacts) {
      names = CTexts([facts.description, facts.unit])
      columnNames = CTexts(facts.table?.columns.map(\.name) ?? [])
      categories = CTexts(facts.categories)
      categoryNames = .allocate(capacity: max(1, facts.categories.count))
      for index in facts.categories.indices { (categoryNames + index).initialize(to: categories[index]) }
      colors = .allocate(capacity: max(1, facts.colors.count))
      for (index, color) in facts.colors.enumerated() { (colors + index).initialize(to: ald_rgba(color)) }
    }

    deinit {
      categoryNames.deallocate()
      colors.deallocate()
    }
  }

  /// All values of a band's table as texts, row by row.
  final class Table: Sendable {
    private let texts: CTexts
    private let columnCount: Int

    init(_ table: AttributeTable) {
      columnCount = table.columns.count
      texts = CTexts((0..<table.rowCount).flatMap { row in table.columns.map { $0.text(row: row) } })
    }

    func text(row: Int, column: Int) -> UnsafePointer<CChar>? { texts[row &* columnCount &+ column] }
  }

  init(_ facts: RasterFacts) {
    path = CTexts([facts.path, facts.driver])
    subdatasets = CTexts(facts.subdatasets)
    bands = facts.bands.map(Band.init)
  }

  static func of(_ raster: Raster) -> RasterTexts { raster.attachment { RasterTexts(raster.facts) } }

  /// The texts of a band's table.
  func table(band: Int, _ table: AttributeTable) -> Table {
    if let known = tables.withLock({ $0[band] }) { return known }
    let made = Table(table)
    return tables.withLock { tables in
      if let first = tables[band] { return first }
      tables[band] = made
      return made
    }
  }
}
