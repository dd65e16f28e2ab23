"""Services that say less than others do, or say it in another way: no extent, no count, pages of their own, a key that
their links lack, tile matrices by old names, boxes that are all of the world."""
import json
from urllib.parse import parse_qsl, urlparse

import alidade
import numpy as np
import pytest

from server import png
from test_hostile_documents import Server

POINTS = [(number, -170 + number * 14, number * 7 % 100 - 50) for number in range(25)]
DEGREES = "urn:ogc:def:crs:EPSG::4326"


def query_of(path):
    return {name.lower(): value for name, value in parse_qsl(urlparse(path).query)}


def runtime_for(server):
    return alidade.Runtime(policy=alidade.Policy(hosts=[server.url.removeprefix("http://")]))


def in_box(points, numbers):
    west, south, east, north = numbers
    return [point for point in points if west <= point[1] <= east and south <= point[2] <= north]


# MARK: OGC API


def collection(points, *, page=10, has_extent=False, next_link=None, gap=False):
    """A collection of points, in pages; with a gap, every second page is empty."""
    def answer(path):
        if "/items" not in path:
            extent = {"spatial": {"bbox": [[-180, -90, 180, 90]]}} if has_extent else None
            return json.dumps({"id": "c", "title": "c", **({"extent": extent} if extent else {})})
        query = query_of(path)
        if next_link and "key" not in query:
            return 401, {}, "no key"
        found = in_box(points, map(float, query["bbox"].split(","))) if "bbox" in query else points
        start = int(query.get("offset", 0))
        part = [] if gap and start // page % 2 else found[start // (2 if gap else 1):][:page]
        ends = start + page >= len(found) * (2 if gap else 1)
        links = [] if ends else [{"rel": "next", "href": f"items?offset={start + page}" if not next_link else
                                  next_link + f"/collections/c/items?offset={start + page}"}]
        return json.dumps({"type": "FeatureCollection", "links": links, "features": [
            {"type": "Feature", "id": number, "properties": {}, "geometry": {"type": "Point", "coordinates": [x, y]}}
            for number, x, y in part]})
    return answer


def test_a_service_without_an_extent_is_asked_for_the_box():
    with Server(collection(POINTS, page=100)) as server, runtime_for(server) as runtime:
        source = alidade.FeatureSource(runtime, f"{server.url}/collections/c")
        assert source.query(envelope=(-30.5, -50, -29.5, 50)).ids.tolist() == [10]
        west, south, east, north = map(float, query_of(server.asked[-1])["bbox"].split(","))
        assert -31 < west < -30 and -30 < east < -29 and (south, north) == pytest.approx((-50, 50), abs=0.1)


def test_an_empty_page_with_a_link_to_the_next_one():
    with Server(collection(POINTS, page=10, gap=True)) as server, runtime_for(server) as runtime:
        source = alidade.FeatureSource(runtime, f"{server.url}/collections/c")
        assert source.query().ids.tolist() == list(range(25)) and source.count() == 25


def test_links_to_next_pages_get_the_hosts_key():
    answer = []
    with Server(lambda path: answer[0](path)) as server, runtime_for(server) as runtime:
        answer.append(collection(POINTS, next_link=server.url))
        source = alidade.FeatureSource(runtime, f"{server.url}/collections/c?key=K")
        assert source.query().ids.tolist() == list(range(25))
        assert all(query_of(path)["key"] == "K" for path in server.asked if "/items" in path)


@pytest.mark.parametrize("name", ["crs", "bbox-crs"])
def test_another_spatial_reference_of_a_collection_is_refused(name):
    with Server(collection(POINTS)) as server, runtime_for(server) as runtime:
        with pytest.raises(alidade.errors.UnsupportedError, match=f'"{name}". Leave it out'):
            alidade.FeatureSource(runtime, f"{server.url}/collections/c?{name}=http://www.opengis.net/def/crs/EPSG/0/3857")


# MARK: WFS


def web_feature_service(host, *, version="2.0.0", constraints="", links=False, schema=None, cap=10):
    second = version >= "2"
    default = "DefaultCRS" if second else "DefaultSRS"

    def answer(path):
        query = query_of(path)
        if query["request"] == "GetCapabilities":
            return f"""<WFS_Capabilities version="{version}"><OperationsMetadata><Operation name="GetFeature"/>{constraints}
</OperationsMetadata><FeatureTypeList><FeatureType><Name>ns:a</Name><Title>A</Title><{default}>{DEGREES}</{default}>
</FeatureType></FeatureTypeList></WFS_Capabilities>"""
        if query["request"] == "DescribeFeatureType":
            return schema or (404, {}, "none")
        south, west, north, east = map(float, query["bbox"].split(",")[:4]) if "bbox" in query else (-90, -180, 90, 180)
        found = in_box(POINTS, (west, south, east, north))
        start = int(query.get("startindex", 0)) if links else 0
        part = found[start:][:cap]
        more = f' next="{host()}/?request=GetFeature&amp;startindex={start + cap}"' if links and start + cap < len(found) else ""
        matched = "unknown" if part else "0"
        member, space = ("wfs:member", "wfs/2.0") if second else ("gml:featureMember", "wfs")
        members = "".join(
            f'<{member}><ns:a gml:id="a.{number}"><ns:n>{number}</ns:n><ns:g><gml:Point srsName="{DEGREES}"><gml:pos>{y} {x}'
            f"</gml:pos></gml:Point></ns:g></ns:a></{member}>" for number, x, y in part)
        return (f'<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/{space}" xmlns:gml="http://www.opengis.net/gml'
                f'{"/3.2" if second else ""}" xmlns:ns="http://ns" numberMatched="{matched}"{more}>{members}'
                "</wfs:FeatureCollection>")
    return answer


def constraint(name, value):
    return f"<Constraint name=\"{name}\"><DefaultValue>{value}</DefaultValue></Constraint>"


@pytest.mark.parametrize("paging", ["TRUE", "FALSE"])
def test_a_wfs_that_names_its_next_page(paging):
    answer = []
    with Server(lambda path: answer[0](path)) as server, runtime_for(server) as runtime:
        answer.append(web_feature_service(
            lambda: server.url, constraints=constraint("ImplementsResultPaging", paging), links=True))
        source = alidade.FeatureSource(runtime, f"{server.url}/?service=WFS")
        assert source.query().ids.tolist() == list(range(25)) and source.warning == ""


@pytest.mark.parametrize("version, limit", [("2.0.0", constraint("CountDefault", 10)), ("1.1.0",
                                            '<Constraint name="DefaultMaxFeatures"><Value>10</Value></Constraint>')])
def test_a_wfs_that_returns_as_many_as_it_may(version, limit):
    with Server(web_feature_service(None, version=version, constraints=limit)) as server, runtime_for(server) as runtime:
        source = alidade.FeatureSource(runtime, f"{server.url}/?service=WFS&version={version}")
        found = source.query()
        assert len(found) == 10 and found.is_incomplete
        assert source.warning == "The service returns at most 10 features at once, and there may be more."


@pytest.mark.parametrize("schema", [None, "<x/>"])
def test_an_area_without_features_of_a_wfs_without_a_schema(schema):
    with Server(web_feature_service(None, schema=schema, cap=100)) as server, runtime_for(server) as runtime:
        source = alidade.FeatureSource(runtime, f"{server.url}/?service=WFS")
        assert len(source.query()) == 25
        assert len(source.query(envelope=(3.2, 3.2, 3.4, 3.4))) == 0 and source.warning == ""


# MARK: ArcGIS


def feature_server(points, wkid=3857, most=None, **page):
    fields = [{"name": "OBJECTID", "type": "esriFieldTypeOID"}]
    place = {"wkid": wkid}

    def answer(path):
        if "/query" not in path:
            return json.dumps({"name": "x", "maxRecordCount": most or 1000, "objectIdField": "OBJECTID", "fields": fields,
                               "extent": {"xmin": 0, "ymin": 0, "xmax": 30, "ymax": 30, "spatialReference": place}})
        query = query_of(path)
        found = in_box(points, map(float, query["geometry"].split(","))) if "geometry" in query else points
        cut = most is not None and len(found) > most
        return json.dumps({"objectIdFieldName": "OBJECTID", "geometryType": "esriGeometryPoint", "fields": fields,
                           "spatialReference": place, **({"exceededTransferLimit": True} if cut else {}), "features": [
                               {"attributes": {"OBJECTID": number}, "geometry": {"x": x, "y": y}}
                               for number, x, y in found[:most]], **page})
    return answer


def test_matches_say_that_a_service_kept_features_back():
    points = [(number + 1, number, 2 * number) for number in range(10)]
    with Server(feature_server(points, most=4)) as server, runtime_for(server) as runtime:
        address = f"{server.url}/arcgis/FeatureServer/0"
        metres = alidade.SpatialReference.from_code(runtime, 3857)
        box = alidade.Geometry.from_envelope(alidade.Envelope(-1, -1, 30, 30), metres)
        first, second = (alidade.FeatureLayer.from_path(runtime, address) for _ in range(2))
        first.load()
        second.load()
        near = alidade.Geometry.from_wkt(runtime, "POINT (9 18)", metres)
        for found in (first.query(box), first.query(near, max_distance=5), first.query_pairs(second)):
            assert found.skipped_count >= 1 and "did not return all of its features" in found.first_reason
        few = alidade.Geometry.from_envelope(alidade.Envelope(-1, -1, 1.5, 3), metres)
        found = alidade.FeatureLayer.from_path(runtime, address)
        found.load()
        found = found.query(few)
        assert sorted(found.ids.tolist()) == [1, 2] and found.skipped_count == 0


@pytest.mark.parametrize("wkid, code", [(102008, "102008"), (54030, "54030"), (102113, "3857"), (4326, "4326")])
def test_esris_own_numbers_of_spatial_references(wkid, code):
    with Server(feature_server([(1, 2, 3)], wkid)) as server, runtime_for(server) as runtime:
        source = alidade.FeatureSource(runtime, f"{server.url}/arcgis/FeatureServer/0")
        assert source.spatial_reference.info.code == code and source.warning == ""


# MARK: WMTS and WMS


def tile_service(systems, dimension=""):
    def answer(path):
        if query_of(path).get("request") == "GetTile" or path.startswith("/t/"):
            return 200, {"Content-Type": "image/png"}, png(np.full((256, 256, 3), 200, np.uint8))
        sets = "".join(
            f"""<TileMatrixSet><Identifier>EPSG:{number}</Identifier><SupportedCRS>{system}</SupportedCRS><TileMatrix>
<Identifier>0</Identifier><ScaleDenominator>559082264.0287178</ScaleDenominator><TopLeftCorner>-20037508.342789244
20037508.342789244</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>1</MatrixWidth>
<MatrixHeight>1</MatrixHeight></TileMatrix></TileMatrixSet>""" for number, system in enumerate(systems))
        links = "".join(f"<TileMatrixSetLink><TileMatrixSet>EPSG:{number}</TileMatrixSet></TileMatrixSetLink>"
                        for number in range(len(systems)))
        return f"""<Capabilities version="1.0.0"><Contents><Layer><Identifier>a:b</Identifier>{dimension}<Style isDefault="true">
<Identifier>my style</Identifier></Style><Format>image/jpeg</Format><Format>image/png</Format>{links}</Layer>{sets}
</Contents></Capabilities>"""
    return answer


def tile_of(server, parameters):
    with runtime_for(server) as runtime:
        raster = alidade.Raster(runtime, f"{server.url}/?service=WMTS&{parameters}")
        raster.read_points([(0.0, 0.0)])
        return raster.info, [query_of(path) for path in server.asked if query_of(path).get("request") == "GetTile"][-1]


@pytest.mark.parametrize("name", ["EPSG:3857", "urn:ogc:def:crs:EPSG::3857", "http://www.opengis.net/def/crs/EPSG/0/3857",
                                  "EPSG:102100", "urn:ogc:def:crs:EPSG:6.18:900913"])
def test_web_mercator_is_taken_by_any_of_its_names(name):
    with Server(tile_service(["urn:ogc:def:crs:EPSG::3395", name])) as server:
        assert tile_of(server, "layer=a:b")[1]["tilematrixset"] == "EPSG:1"


def test_values_of_an_address_may_have_percent_signs():
    with Server(tile_service(["EPSG:3395", "EPSG:3857"])) as server:
        tile = tile_of(server, "layer=a%3ab&tilematrixset=EPSG%3A0&style=my%20style&format=image%2Fpng")[1]
        assert (tile["layer"], tile["tilematrixset"]) == ("a:b", "EPSG:0")
        assert (tile["style"], tile["format"]) == ("my style", "image/png")


def test_a_dimension_of_the_host_outranks_the_default():
    dimension = "<Dimension><Identifier>Time</Identifier><Default>2020</Default><Value>2020</Value></Dimension>"
    with Server(tile_service(["EPSG:3857"], dimension)) as server:
        tile_of(server, "layer=a:b")
        assert [path.count("2020") for path in server.asked if "GetTile" in path] == [1]
        tile_of(server, "layer=a:b&time=2021")
        assert ["2021" in path and "2020" not in path for path in server.asked if "GetTile" in path][-1]


def map_service(code, west, east):
    def answer(path):
        query = query_of(path)
        if query.get("request") == "GetMap":
            size = (int(query["height"]), int(query["width"]), 3)
            return 200, {"Content-Type": "image/png"}, png(np.full(size, 200, np.uint8))
        return f"""<WMS_Capabilities version="1.3.0"><Capability><Request><GetMap><Format>image/png</Format></GetMap></Request>
<Layer><Name>a</Name><Title>A</Title><CRS>EPSG:{code}</CRS><EX_GeographicBoundingBox><westBoundLongitude>{west}
</westBoundLongitude><eastBoundLongitude>{east}</eastBoundLongitude><southBoundLatitude>-50</southBoundLatitude>
<northBoundLatitude>90</northBoundLatitude></EX_GeographicBoundingBox></Layer></Capability></WMS_Capabilities>"""
    return answer


@pytest.mark.parametrize("code, widest", [(3413, 2e7), (2154, 3e6), (31370, 1e6), (28992, 1e6), (3857, 4.1e7)])
def test_a_map_service_whose_box_is_the_world(code, widest):
    """In a projection for a part of the world, the cells are not the size of countries."""
    with Server(map_service(code, -180, 180)) as server, runtime_for(server) as runtime:
        extent = alidade.Raster(runtime, f"{server.url}/?service=WMS&layers=a").info.extent
        assert 1e5 < extent.x_max - extent.x_min < widest


@pytest.mark.parametrize("code, unit", [(4326, 1), (3857, 20037508.342789244 / 180)])
def test_a_map_service_whose_box_lies_across_180(code, unit):
    with Server(map_service(code, 166, -176)) as server, runtime_for(server) as runtime:
        extent = alidade.Raster(runtime, f"{server.url}/?service=WMS&layers=a&crs=EPSG:{code}").info.extent
        assert (extent.x_min / unit, extent.x_max / unit) == pytest.approx((166, 184), abs=0.1)
