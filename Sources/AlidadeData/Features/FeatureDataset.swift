import AlidadeBase
import CGDAL

/// An open GDAL data set of a source of features, and the layer that is read. One thread at a time leases it.
///
/// Right to hand from thread to thread: a data set is bound to no thread, and the lease makes the use exclusive.
final class FeatureDataset: @unchecked Sendable {
  let dataset: GDALDatasetH
  let layer: OGRLayerH
  private let isResult: Bool

  /// Takes over an open data set.
  ///
  /// - Parameter isResult: the layer is the result of a statement, and has to be given back.
  init(_ dataset: GDALDatasetH, layer: OGRLayerH, isResult: Bool) {
    self.dataset = dataset
    self.layer = layer
    self.isResult = isResult
  }

  deinit {
    let (dataset, layer, isResult) = (self.dataset, self.layer, self.isResult)
    GDALGuard.clean {
      if isResult { GDALDatasetReleaseResultSet(dataset, layer) }
      GDALClose(dataset)
    }
  }
}
