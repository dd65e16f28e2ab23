import AlidadeBase
import Glibc
import Testing

@testable import AlidadeData

/// The finders of names by themselves, also for formats that no call of the library opens yet.
@Suite struct ReferenceFinderTests {
  private func names(
    _ finder: any ReferenceFinder.Type, _ text: String, in name: String = "/data/x"
  ) throws(EngineError) -> [String] {
    try GDALGuard.call(for: nil) { (_) throws(EngineError) in
      try finder.references(in: Array(text.utf8), named: name, Policy()).map(\.name)
    }
  }

  private func refusal(_ finder: any ReferenceFinder.Type, _ text: String) -> EngineError? {
    do throws(EngineError) {
      _ = try names(finder, text)
      return nil
    } catch {
      return error
    }
  }

  @Test func findsWhatGMLLinksTo() throws {
    let text = """
      <gml:FeatureCollection xmlns:xlink="http://www.w3.org/1999/xlink"
        xsi:schemaLocation="http://example.org/ns http://example.org/x.xsd urn:y ../schemas/y.xsd">
        <a xlink:href="#inside"/><b xlink:href="http://example.org/b.gml#id"/><c xlink:href="../c.gml"/>
        <d XLINK:HREF="/etc/passwd"/><e xlink:href="urn:ogc:def:crs:EPSG::4326"/>
      </gml:FeatureCollection>
      """
    #expect(
      try names(GMLReferences.self, text)
        == ["/data/../schemas/y.xsd", "http://example.org/b.gml", "/data/../c.gml", "/etc/passwd"])
  }

  @Test func findsWhatKMLLinksTo() throws {
    let text = """
      <kml><Style><IconStyle><Icon><href>http://example.org/icon.png</href></Icon></IconStyle></Style>
      <NetworkLink><Link><href>http://example.org/more.kml</href></Link></NetworkLink>
      <GroundOverlay><Icon><href>../photo.jpg</href></Icon></GroundOverlay></kml>
      """
    #expect(try names(KMLReferences.self, text) == ["http://example.org/more.kml", "/data/../photo.jpg"])
  }

  @Test func findsTheSourcesOfAVectorVRT() throws {
    let text = """
      <OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource relativeToVRT="1">a.shp</SrcDataSource></OGRVRTLayer>
      <OGRVRTWarpedLayer><OGRVRTLayer name="b"><SrcDataSource>/data/b.gpkg</SrcDataSource></OGRVRTLayer>
      </OGRVRTWarpedLayer></OGRVRTDataSource>
      """
    #expect(try names(VectorVRTReferences.self, text) == ["/data/a.shp", "/data/b.gpkg"])
    let connection = "<OGRVRTDataSource><OGRVRTLayer><SrcDataSource>PG:host=example.org</SrcDataSource></OGRVRTLayer>"
    let refused = refusal(VectorVRTReferences.self, connection + "</OGRVRTDataSource>")
    #expect(refused?.message.contains("(rule: drivers)") == true)
  }

  /// A billion laughs: expat, which reads these formats, would expand them.
  @Test(arguments: [GMLReferences.self, KMLReferences.self] as [any ReferenceFinder.Type])
  func refusesEntities(_ finder: any ReferenceFinder.Type) {
    var text = "<!DOCTYPE x [ <!ENTITY l0 \"lol\">"
    for level in 1...9 { text += "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">" }
    text += "]><x>&l9;</x>"
    #expect(refusal(finder, text)?.status == .policyRefused)
    #expect(refusal(finder, text)?.message.contains("(rule: entities)") == true)
    #expect(refusal(finder, "\u{0}<\u{0}x")?.message.contains("(rule: encoding)") == true)
    #expect(refusal(finder, "<x>&lt; &amp;</x>") == nil)
  }

  /// GDAL's small parser knows no entities but XML's five, and reads a text with another one as empty.
  @Test func expandsNoEntities() throws {
    let text = """
      <!DOCTYPE x [<!ENTITY a "/etc/passwd">]><VRTDataset><VRTRasterBand><SimpleSource>
      <SourceFilename relativeToVRT="1">&a;&amp;b.tif</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>
      """
    #expect(try names(VRTReferences.self, text) == [])
    #expect(try names(VRTReferences.self, text.replacing("&a;", with: "a")) == ["/data/a&b.tif"])
  }

  @Test func refusesACacheOnTheDisk() {
    let text =
      "<GDAL_WMS><Service name=\"TMS\"><ServerUrl>x</ServerUrl></Service><Cache><Path>/tmp/c</Path></Cache></GDAL_WMS>"
    #expect(refusal(ServiceReferences.self, text)?.message.contains("(rule: cache)") == true)
  }

  @Test func findsNamesInLabels() throws {
    let label = """
      ^IMAGE = ("A.IMG", 5)\r
      ^QUBE = 12 <BYTES>
      ^Core = core.cub
        DataFile = "../d.raw"
      NOTE = "f.raw"
      END
      ^AFTER = "g.raw"
      """
    #expect(
      try names(LabelReferences.self, label) == ["/data/A.IMG", "/data/core.cub", "/data/../d.raw"])
    // A raw Imagine file's header separates by blanks, and may quote.
    let header = "IMAGINE_RAW_FILE\n pixel_files\t\"../e f.raw\" x\r\nDATAFILE g.raw\nWIDTH 4\n"
    #expect(try names(RawImagineReferences.self, header) == ["/data/../e f.raw"])
  }

  @Test func takesRelativeNamesAsGDALDoes() throws {
    func source(_ attributes: String, _ name: String) -> String {
      "<VRTDataset><VRTRasterBand><SimpleSource><SourceFilename \(attributes)>\(name)</SourceFilename></SimpleSource>"
        + "</VRTRasterBand></VRTDataset>"
    }
    #expect(try names(VRTReferences.self, source("relativeToVRT=\"1\"", "a.tif")) == ["/data/a.tif"])
    #expect(try names(VRTReferences.self, source("RELATIVETOVRT=\"1\"", "a.tif")) == ["/data/a.tif"])
    #expect(try names(VRTReferences.self, source("", "a.tif")) == ["a.tif"])
    // GDAL ignores the prefixed attribute.
    #expect(try names(VRTReferences.self, source("x:relativeToVRT=\"1\"", "a.tif")) == ["a.tif"])
    #expect(
      try names(VRTReferences.self, source("relativeToVRT=\"1\"", "NITF_IM:0:a.ntf")) == ["NITF_IM:0:/data/a.ntf"])
    for (name, complete) in [
      ("NETCDF:\"a.nc\":t", "NETCDF:\"/data/a.nc\":t"), ("netcdf:a.nc:t", "netcdf:/data/a.nc:t"),
      ("HDF5:\"/far/a.h5\"://t", "HDF5:\"/far/a.h5\"://t"), ("PDF:1:a.pdf", "PDF:1:/data/a.pdf"),
      ("NITF_IM:0:/far/a.ntf", "NITF_IM:0:/far/a.ntf"), ("GTIFF_RAW:a.tif", "/data/GTIFF_RAW:a.tif"),
      ("vrt:///far/a.tif", "vrt:///far/a.tif"), ("x:/far/a.tif", "x:/far/a.tif"), ("\\\\a", "\\\\a"),
    ] {
      #expect(try names(VRTReferences.self, source("relativeToVRT=\"1\"", name)) == [complete])
    }
    #expect(refusal(VRTReferences.self, source("relativeToVRT=\"2\"", "a.tif"))?.status == .policyRefused)
  }
}

@Suite struct LocalNamesTests {
  @Test(arguments: [
    ("/a/b.tif", ["/a/b.tif"]), ("NETCDF:\"/a/b.nc\":t", ["/a/b.nc"]), ("HDF5:\"/a/b.h5\"://c/d", ["/a/b.h5"]),
    ("NITF_IM:0:/a/b.ntf", ["/a/b.ntf"]), ("vrt:///a/b.tif?bands=1", ["/a/b.tif"]),
    ("/vsizip//a/b.zip/c.tif", ["/a/b.zip/c.tif"]), ("/vsizip/{/a/b.zip}/c.tif", ["/a/b.zip}/c.tif"]),
    ("/vsisubfile/0_10,/a/b.bin", ["/a/b.bin"]), ("/vsitar//vsigzip//a/b.tgz/c.tif", ["/a/b.tgz/c.tif"]),
    ("/vsizip//vsicurl/http://x/a.zip", []), ("/vsimem/a.tif", []), ("<VRTDataset/>", []), ("a.tif", ["a.tif"]),
  ])
  func findsTheFilesInAName(_ name: String, _ files: [String]) {
    #expect(LocalNames.files(in: name, beside: "/data/x.vrt") == files)
  }

  @Test(arguments: [
    ("GTIFF_DIR:2:/a.tif", "GTiff", "/a.tif"), ("GTIFF_DIR:off:8:/a.tif", "GTiff", "/a.tif"),
    ("GTIFF_RAW:/a:b.tif", "GTiff", "/a:b.tif"), ("GTIFF_RAW:GTIFF_DIR:1:/a.tif", "GTiff", "/a.tif"),
    ("JPEG_SUBFILE:0,9,/a,b.jpg", "JPEG", "/a,b.jpg"), ("JPEG_SUBFILE:Q1,0,9,/a.jpg", "JPEG", "/a.jpg"),
    ("PDF_IMAGE:1:2:/a:b.pdf", "PDF", "/a:b.pdf"), ("HDF4_SDS:UNKNOWN:\"/a:b.hdf\":0", "HDF4Image", "/a:b.hdf"),
    ("HDF4_EOS:EOS_GRID:/a.hdf:g:f", "HDF4Image", "/a.hdf"), ("NETCDF:/a.nc:t", "netCDF", "/a.nc"),
    ("PDS4:/a.xml:1:1", "PDS4", "/a.xml"), ("L1B_ANGLES:\"/a.l1b\"", "L1B", "/a.l1b"),
    ("FITS:\"/a.fits\":1", "FITS", "/a.fits"),
  ])
  func takesNamesApart(_ name: String, _ driver: String, _ path: String) {
    #expect(PrefixedName(name)?.driver == driver && PrefixedName(name)?.path == path)
    #expect(LocalNames.unknownWord(in: name) == nil && LocalNames.unknownWord(in: "vrt://\(name)?bands=1") == nil)
    #expect(LocalNames.files(in: name, beside: "/data/x.vrt") == [path])
  }

  @Test(arguments: [
    "gtiff_raw:/a.tif", "GTIFF_DIR:/a.tif", "GTIFF_DIR:x:/a.tif", "JPEG_SUBFILE:0,/a.jpg", "JPEG_SUBFILE:Q,0,1,/a",
    "NETCDF:\"/a.nc", "NETCDF:\"/a.nc\"b:t", "NETCDF:\"/a\\\"b.nc\":t", "NETCDF:\"/a.nc\":\"/b.nc\"", "NETCDF:",
    "PDF:/a.pdf",
    "PDF_IMAGE:1:/a.pdf", "PDS4:/a.xml:1", "PDS4:/a:b.xml:1:1", "HDF4_SDS:\"/a.hdf\":0", "MEM:::DATAPOINTER=1",
    "C:/a.tif",
    "RASTERLITE:/a,table=t", "x://y", ":", "WMS:x", "NTv2:0:/", "vrt://nonsense:/a", "NITF_IM:0:\"/a.ntf\"",
  ])
  func knowsNoOtherNames(_ name: String) {
    #expect(PrefixedName(name) == nil && LocalNames.unknownWord(in: name) != nil)
  }

  @Test func vrtInVRTs() {
    #expect(LocalNames.behindVRT("vrt://vrt:///a.tif?bands=1") == "/a.tif")
    #expect(LocalNames.behindVRT(String(repeating: "vrt://", count: 10_000) + "/a.tif") == nil)
    #expect(LocalNames.behindVRT("/a.tif") == nil)
  }

  @Test func removesDots() {
    #expect(LocalPath.normalized("/a/./b/../c//d") == "/a/c/d")
    #expect(LocalPath.normalized("/../../etc") == "/etc")
    #expect(LocalPath.folder(of: "/a") == "/" && LocalPath.folder(of: "/a/b") == "/a")
    #expect(LocalPath.resolved("/no-such-folder/../etc/none") == "/etc/none")
  }

  @Test func foldersOfTheOpenedFileAndOfThePolicy() {
    var policy = Policy()
    policy.dataDirectories = ["/usr/share"]
    let rule = FolderRule(policy, openedFiles: ["/var/lib/x.vrt"])
    for path in ["/var/lib/a.tif", "/var/lib/deep/down/a.tif", "/usr/share/proj/proj.db", "/var/lib/./y/../a.tif"] {
      #expect(rule.allows(path), "\(path)")
    }
    for path in ["/var/a.tif", "/var/library/a.tif", "/var/lib/../a.tif", "/etc/passwd", "/usr/shared/a", "/"] {
      #expect(!rule.allows(path), "\(path)")
    }
    // What lies in the root folder does not open the machine.
    let root = FolderRule(Policy(), openedFiles: ["/x.vrt"])
    #expect(root.allows("/y.tif"))
    #expect(!root.allows("/etc/passwd"))
  }

  @Test func sidecarsWithoutRegardToCase() throws {
    var template = Array("/tmp/alidade-sidecars-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template))
    let folder = String(cString: made)
    for name in ["a.tif", "A.TIF.OVR", "a.tif.msk", "a.tif.aux.xml", "a.aux", "b.tif.ovr", "a.ovr", "a.tif.txt"] {
      fclose(fopen("\(folder)/\(name)", "w"))
    }
    #expect(
      Set(FolderListing(folder).sidecars(of: "a.tif"))
        == ["A.TIF.OVR", "a.tif.msk", "a.tif.aux.xml", "a.aux"])
    for name in ["a.tif", "A.TIF.OVR", "a.tif.msk", "a.tif.aux.xml", "a.aux", "b.tif.ovr", "a.ovr", "a.tif.txt"] {
      unlink("\(folder)/\(name)")
    }
    rmdir(folder)
  }
}
