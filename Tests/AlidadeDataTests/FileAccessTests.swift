import AlidadeBase
import Testing

@testable import AlidadeData

@Suite struct FileAccessTests {
  private func refusal(_ name: String, _ change: (inout Policy) -> Void = { _ in }) -> Status? {
    var policy = Policy()
    change(&policy)
    do throws(EngineError) {
      try FileAccess.check(name: name, policy)
      return nil
    } catch {
      return error.status
    }
  }

  @Test(arguments: [
    "/vsizip/a.zip/b.tif", "/vsimem/a.tif", "NETCDF:\"/vsizip/a.zip/b.nc\":t", "/vsicurl/http://example.org/a.tif",
    "http://example.org/a.tif", "HTTPS://example.org/a.tif", "/vsitar//vsigzip/a.tgz/b.tif", "/VSIZIP/a.zip",
    "/vsis3/bucket/key", "/vsistdin/", "/vsisubfile/0_10,a.tif", "WMS:https://example.org/",
  ])
  func refusesVirtualFilesAndTheNetwork(_ name: String) {
    #expect(refusal(name) == .policyRefused)
  }

  @Test(arguments: ["a.tif", "/data/a.tif", "NETCDF:\"a.nc\":t", "/data/with spaces/ä.tif", "C:/a.tif"])
  func allowsLocalFiles(_ name: String) {
    #expect(refusal(name) == nil)
  }

  @Test func allowsWhatThePolicyNames() {
    #expect(refusal("/vsizip/a.zip/b.tif") { $0.virtualFileSystems = ["/vsizip/"] } == nil)
    #expect(refusal("/vsitar/a.tar/b.tif") { $0.virtualFileSystems = ["/vsizip/"] } == .policyRefused)
    // Each part of a chain must be allowed.
    #expect(refusal("/vsizip//vsicurl/http://x/a.zip") { $0.virtualFileSystems = ["/vsizip/"] } == .policyRefused)
    #expect(refusal("/vsicurl/http://x/a.tif") { $0.allowsNetwork = true } == nil)
    #expect(refusal("/vsizip//vsicurl/http://x/a.zip") { $0.allowsNetwork = true } == .policyRefused)
  }
}
