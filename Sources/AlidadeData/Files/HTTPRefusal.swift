import CGDAL

/// Refuses what GDAL asks its HTTP layer for, on this thread and until `stop`.
///
/// GDAL keeps a stack of such functions per thread. Two ways to the network pass it: /vsicurl/ and its kin, which ask
/// `CPL_VSIL_CURL_ALLOWED_FILENAME`, and fetching many addresses at once, which only the dead proxy stops.
enum HTTPRefusal {
  /// The beginning of the refusal's message.
  static let beginning = "The runtime's policy does not allow the network"

  /// Whether it could be put in place.
  static func begin() -> Bool { CPLHTTPPushFetchCallback(refuse, nil) != 0 }

  static func end() { _ = CPLHTTPPopFetchCallback() }

  private static let refuse:
    @convention(c) (
      UnsafePointer<CChar>?, CSLConstList?, GDALProgressFunc?, UnsafeMutableRawPointer?, CPLHTTPFetchWriteFunc?,
      UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> UnsafeMutablePointer<CPLHTTPResult>? = { address, _, _, _, _, _, _ in
      let words =
        "\(beginning), which \(ReferenceRule.short(gdalText(address))) needs (rule: network). Set "
        + "the policy flag ALLOW_NETWORK to allow it."
      alidade_cpl_failure(CPLE_AppDefined, words)
      // GDAL frees it with CPLHTTPDestroyResult. CPLCalloc ends the process when memory is short; this does not.
      guard let memory = VSICalloc(1, MemoryLayout<CPLHTTPResult>.size) else { return nil }
      let result = memory.bindMemory(to: CPLHTTPResult.self, capacity: 1)
      result.pointee.nStatus = 1
      result.pointee.pszErrBuf = VSIStrdup(words)
      return result
    }
}
