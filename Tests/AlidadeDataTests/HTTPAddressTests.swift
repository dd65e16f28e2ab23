import AlidadeBase
import Testing

@testable import AlidadeData

@Suite struct HTTPAddressTests {
  @Test(arguments: [
    ("http://example.com/a", "example.com", 80), ("HTTPS://Example.COM./", "example.com", 443),
    ("http://user:secret@example.com:8080/a?key=1#b", "example.com", 8080), ("http://[::1]:81/", "[::1]", 81),
    ("http://192.0.2.1", "192.0.2.1", 80),
  ])
  func hostsAndPorts(_ text: String, _ host: String, _ port: Int) throws {
    let address = try HTTPAddress(text)
    #expect(address.host == host && address.port == port)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://example.com/", "http://", "http://a b/", "a.tif", "http://a:99999/"])
  func whatIsNoAddress(_ text: String) {
    #expect(throws: EngineError.self) { try HTTPAddress(text) }
  }

  @Test func messagesHoldNoSecrets() throws {
    let shown = try HTTPAddress("http://user:secret@example.com/a?token=secret").shown
    #expect(shown == "http://example.com/a")
    #expect(HTTPAddress.shown("http://example.com/a@b?x") == "http://example.com/a@b")
  }

  @Test func redirectsAreRelative() throws {
    let address = try HTTPAddress("http://example.com/a/b?c")
    #expect(try address.resolving("d").text == "http://example.com/a/d")
    #expect(try address.resolving("/d?e").text == "http://example.com/d?e")
    #expect(try address.resolving("https://other.example/").host == "other.example")
    #expect(throws: EngineError.self) { try address.resolving("file:///etc/passwd") }
  }

  @Test(arguments: [
    (["example.com"], "example.com", 80, true), (["Example.com"], "example.com", 443, true),
    (["example.com"], "sub.example.com", 80, false), (["*.example.com"], "sub.example.com", 80, true),
    (["*.example.com"], "a.b.example.com", 80, true), (["*.example.com"], "example.com", 80, false),
    (["*.example.com"], "badexample.com", 80, false), (["example.com:8080"], "example.com", 80, false),
    (["example.com:8080"], "example.com", 8080, true), (["*"], "anything", 1, true), ([], "example.com", 80, false),
    (["[::1]"], "[::1]", 80, true), (["[::1]:81"], "[::1]", 80, false), (["*:443"], "a", 443, true),
  ])
  func policies(_ hosts: [String], _ host: String, _ port: Int, _ isAllowed: Bool) throws {
    var policy = Policy()
    policy.hosts = hosts
    for pattern in hosts { try Policy.check(host: pattern) }
    #expect(policy.allows(host: host, port: port) == isAllowed)
  }

  @Test(arguments: [
    ("http://a/rest/services/x/FeatureServer/0", "featureServer"),
    ("http://a/x/MapServer/12/query?where=1", "featureServer"),
    ("http://a/x/collections/lakes", "collection"), ("http://a/x/collections/lakes/items?limit=5", "collection"),
  ])
  func services(_ text: String, _ kind: String) throws {
    #expect("\(try ServiceKind.find(text).kind)" == kind)
  }

  @Test(arguments: [
    ("http://a/x/FeatureServer/0", ""), ("http://a/x/FeatureServer/0?token=1", "&token=1"),
    ("http://a/x/FeatureServer/0/query?where=1%3D1&f=json&token=1&outFields=*#a", "&token=1"),
  ])
  func keysGoWithEachRequest(_ text: String, _ extra: String) {
    #expect(ServiceKind.extra(text) == extra)
  }
}
