import Testing

@testable import AlidadeData

@Suite struct DataReportTests {
  @Test(arguments: [
    ("/data/password token.tif", "/data/password token.tif"), ("a?b@c.tif", "a?b@c.tif"),
    ("/vsicurl/https://user:pw@host/a@b.tif", "/vsicurl/https://***@host/a@b.tif"),
    ("/vsicurl/https://host/a.tif?sig=abc", "/vsicurl/https://host/a.tif***"),
    ("/vsizip/vsicurl/http://u:p@h/a.zip/http://v@w", "/vsizip/vsicurl/http://***@h/a.zip/http://***@w"),
    ("PG:host=h user=u Password=x dbname=d", "PG:host=h user=u ***"),
    ("NETCDF:/data/a.nc:band", "NETCDF:/data/a.nc:band"), ("<WMS><ApiKey=1", "<WMS><Api***"), ("x://", "x://"),
    ("x://@", "x://***@"), ("a:?", "a:***"),
  ])
  func showsNoSecrets(_ name: String, _ shown: String) {
    #expect(DataSources.withoutSecrets(name) == shown)
  }
}
