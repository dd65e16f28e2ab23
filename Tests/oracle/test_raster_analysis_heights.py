"""Heights at points against the textbook's formulas, rasterio's warping and PROJ's geoids."""

import numpy as np
import pytest
import rasterio
import rasterio.warp
from pyproj import Transformer
from rasterio.transform import from_origin
from sampling import BILINEAR, CUBIC, NEAREST, sample
from truth import Truth

import alidade
from alidade.rasters import CellVerdict, HeightFlags, Interpolation

METHODS = {Interpolation.NEAREST: NEAREST, Interpolation.BILINEAR: BILINEAR, Interpolation.CUBIC: CUBIC}
FOOT = 1200 / 3937


@pytest.fixture(scope="module")
def reference(runtime):
    return lambda definition: alidade.SpatialReference(runtime, definition)


def write(path, values, crs="EPSG:32610", **facts):
    nodata = facts.pop("nodata", None)
    unit, scale, offset = facts.pop("unit", None), facts.pop("scale", None), facts.pop("offset", None)
    transform = facts.pop("transform", from_origin(500000, 4500000, 10, 10))
    with rasterio.open(
        path, "w", driver="GTiff", height=values.shape[0], width=values.shape[1], count=1, dtype=values.dtype,
        transform=transform, nodata=nodata, crs=crs,
    ) as out:  # fmt: skip
        out.write(values, 1)
        if unit is not None:
            out.units = (unit,)
        if scale is not None:
            out.scales, out.offsets = (scale,), (offset,)
    return str(path)


def plane(rows=20, columns=30, dtype=np.float32):
    """3 per column, -2 per row: bilinear between middles is exact."""
    row, column = np.mgrid[0:rows, 0:columns]
    return (100 + 3 * column - 2 * row).astype(dtype)


def spots(count=400, seed=5):
    """Points of the plane's raster, and some outside it."""
    source = np.random.default_rng(seed)
    return np.column_stack([source.uniform(499990, 500310, count), source.uniform(4499790, 4500010, count)])


@pytest.mark.parametrize("method", METHODS)
def test_heights_of_a_real_terrain(runtime, raster_path, reference, method):
    """From longitudes and latitudes; the formulas are given PROJ's image of them."""
    path = raster_path("Shasta_Elevation.tif")
    raster, truth = alidade.Raster(runtime, path), Truth(path)
    source = np.random.default_rng(8)
    extent = raster.info.extent
    there = np.column_stack(
        [source.uniform(extent.x_min, extent.x_max, 300), source.uniform(extent.y_min, extent.y_max, 300)]
    )
    degrees = np.column_stack(Transformer.from_crs(26910, 4269, always_xy=True).transform(*there.T))
    answer = raster.heights(degrees, reference("EPSG:4269"), method)
    for (column, row), height, verdict in zip(truth.to_cells(there), answer.heights, answer.verdicts):
        expected, expected_verdict = sample(truth.bands[0], column, row, METHODS[method])
        assert verdict == expected_verdict
        # At an edge between cells nearest may go either way.
        if method is not Interpolation.NEAREST or min(column % 1, row % 1) > 1e-6:
            assert height == pytest.approx(expected, abs=1e-4, nan_ok=True)


def test_bilinear_is_the_default_and_exact_on_a_plane(runtime, tmp_path):
    raster = alidade.Raster(runtime, write(tmp_path / "plane.tif", plane(), unit="metre"))
    points = spots()
    column, row = (points[:, 0] - 500000) / 10, (4500000 - points[:, 1]) / 10
    answer = raster.heights(points)
    expected = 100 + 3 * (column - 0.5) - 2 * (row - 0.5)
    inside = (column > 0.5) & (column < 29.5) & (row > 0.5) & (row < 19.5)
    on_raster = (column >= 0) & (column < 30) & (row >= 0) & (row < 20)
    assert inside.sum() > 200 and (~on_raster).sum() > 5
    assert np.allclose(answer.heights[inside], expected[inside], atol=1e-9)
    # In the outer half of an edge cell the edge's own cells count alone: nothing is extrapolated.
    edge = on_raster & ~inside
    held = 100 + 3 * (np.clip(column, 0.5, 29.5) - 0.5) - 2 * (np.clip(row, 0.5, 19.5) - 0.5)
    assert np.allclose(answer.heights[edge], held[edge], atol=1e-9)
    assert np.array_equal(answer.verdicts == CellVerdict.VALUE, on_raster)
    assert np.isnan(answer.heights[~on_raster]).all() and answer.failed_count == (~on_raster).sum()
    assert answer.flags == 0 and answer.metres_per_unit == 1


UNITS = [("m", 1), ("metre", 1), ("Meters", 1), ("ft", 0.3048), ("foot", 0.3048), ("US survey foot", FOOT), ("km", 1000)]


@pytest.mark.parametrize("unit, metres", UNITS)
def test_the_units_of_bands(runtime, tmp_path, unit, metres):
    raster = alidade.Raster(runtime, write(tmp_path / "unit.tif", plane(), unit=unit))
    answer = raster.heights([[500105, 4499905]])
    assert answer.heights[0] == pytest.approx((100 + 30 - 18) * metres, rel=1e-15)
    assert not answer.flags & HeightFlags.UNIT_ASSUMED


def test_scale_offset_and_a_unit_of_the_callers(runtime, tmp_path):
    path = write(tmp_path / "scaled.tif", plane(dtype=np.int16), unit="m", scale=0.1, offset=-5.0)
    raster = alidade.Raster(runtime, path)
    points = [[500105, 4499905]]
    assert raster.heights(points).heights[0] == pytest.approx(112 * 0.1 - 5)
    assert raster.heights(points, metres_per_band_unit=2).heights[0] == pytest.approx(2 * (112 * 0.1 - 5))
    plain = alidade.Raster(runtime, write(tmp_path / "plain.tif", plane()))
    assert plain.heights(points).flags == HeightFlags.UNIT_ASSUMED
    other = alidade.Raster(runtime, write(tmp_path / "kelvin.tif", plane(), unit="K"))
    with pytest.raises(alidade.errors.UnsupportedError, match="no length"):
        other.heights(points)
    assert other.heights(points, metres_per_band_unit=1).heights[0] == 112


def test_cells_without_a_value(runtime, tmp_path):
    """A hole's own cell has no height; next to it the other cells' weights make up for it, as in GDAL's warping."""
    values = plane()
    values[7, 9] = -9999
    path = write(tmp_path / "hole.tif", values, nodata=-9999, unit="m")
    raster = alidade.Raster(runtime, path)
    points = np.array([[500095, 4499925], [500088, 4499922], [500105, 4499925]])
    answer = raster.heights(points)
    assert list(answer.verdicts) == [CellVerdict.NODATA, CellVerdict.VALUE, CellVerdict.VALUE]
    band = Truth(path).bands[0]
    for point, height in zip(points, answer.heights):
        expected, _ = sample(band, (point[0] - 500000) / 10, (4500000 - point[1]) / 10, BILINEAR)
        assert height == pytest.approx(expected, abs=1e-9, nan_ok=True)
    # GDAL's own, where it enlarges: the middles of 4 x 4 squares of each cell.
    with rasterio.open(path) as source:
        fine = rasterio.warp.reproject(
            rasterio.band(source, 1), np.full((80, 120), np.nan), dst_transform=from_origin(500000, 4500000, 2.5, 2.5),
            dst_crs=source.crs, dst_nodata=np.nan, resampling=rasterio.enums.Resampling.bilinear,
        )[0]  # fmt: skip
    column, row = np.meshgrid(np.arange(120), np.arange(80))
    middles = np.column_stack([500001.25 + 2.5 * column.ravel(), 4499998.75 - 2.5 * row.ravel()])
    ours = raster.heights(middles).heights.reshape(80, 120)
    both = ~np.isnan(ours) & ~np.isnan(fine)
    assert both.sum() > 9500 and np.allclose(ours[both], fine[both], atol=2e-5)
    # GDAL fills the parts of a hole that lie near cells with values; here a hole is a hole.
    assert np.isnan(ours[28:32, 36:40]).all() and np.isnan(ours).sum() == 16


def test_in_place_into_the_same_vertices(runtime, tmp_path):
    raster = alidade.Raster(runtime, write(tmp_path / "plane.tif", plane(), unit="m"))
    vertices = np.zeros((50, 4))
    vertices[:, :2] = spots(50)
    alone = raster.heights(vertices[:, :2].copy()).heights
    answer = raster.heights(vertices[:, :3], out=vertices[:, 2])
    assert np.array_equal(vertices[:, 2], alone, equal_nan=True) and np.shares_memory(answer.heights, vertices)
    assert not vertices[:, 3].any()
    with pytest.raises(ValueError):
        raster.heights(vertices[:, :2], out=np.empty(49))
    with pytest.raises(ValueError):
        raster.heights(vertices[:, :2], band=0)


def test_heights_in_the_unit_of_the_points(runtime, tmp_path, reference):
    """A raster without a vertical reference: nothing can be converted but the unit, and the result says so."""
    raster = alidade.Raster(runtime, write(tmp_path / "plane.tif", plane(), unit="m"))
    points = [[500105, 4499905]]
    feet = raster.heights(points, reference("EPSG:32610+6360"))
    assert feet.heights[0] == pytest.approx(112 / FOOT) and feet.flags == HeightFlags.REFERENCE_KEPT
    assert feet.metres_per_unit == pytest.approx(FOOT)
    depth = raster.heights(points, reference("EPSG:32610+5715"))
    assert depth.heights[0] == -112 and depth.metres_per_unit == -1


def test_heights_of_a_raster_with_a_vertical_reference(runtime, tmp_path, reference):
    """NAVD88 in metres, in US survey feet, and above the ellipsoid; against PROJ, which has the geoid or has it not."""
    path = write(tmp_path / "navd88.tif", plane(), crs="EPSG:32610+5703", unit="m")
    raster = alidade.Raster(runtime, path, reference("EPSG:32610+5703"))
    points = [[500105, 4499905]]
    own = raster.heights(points)
    assert own.heights[0] == 112 and own.flags == 0 and own.receipt is None
    flat = raster.heights(points, reference("EPSG:32610"))
    assert flat.heights[0] == 112 and flat.flags == HeightFlags.REFERENCE_KEPT
    feet = raster.heights(points, reference("EPSG:32610+6360"))
    assert feet.heights[0] == pytest.approx(112 / FOOT, rel=1e-12)
    assert feet.flags == HeightFlags.CONVERTED and feet.receipt.point_count == 1
    target = reference("EPSG:4979")
    degrees = Transformer.from_crs(32610, 4326, always_xy=True).transform(*points[0])
    answer = raster.heights([degrees], target)
    expected = alidade.project_coordinates(raster.spatial_reference, target, [500105], [4499905], [112])
    assert answer.heights[0] == pytest.approx(expected.z[0], abs=1e-6) and answer.flags == HeightFlags.CONVERTED
    if expected.receipt.operations[0].is_ballpark:
        refused = raster.heights([degrees], target, strict=True)
        assert list(refused.verdicts) == [CellVerdict.NOT_PROJECTABLE] and np.isnan(refused.heights[0])
        assert refused.failed_count == 1
    kept = raster.heights([degrees], target, ignore_vertical=True)
    assert kept.heights[0] == pytest.approx(112, abs=1e-6) and kept.flags == HeightFlags.REFERENCE_KEPT


def test_cells_that_are_no_number_have_no_height(runtime, tmp_path, reference):
    """Float terrain without a nodata tag: NaN and infinite cells count as cells without data, converted or not."""
    values = plane()
    values[5, 5], values[5, 10] = np.nan, np.inf
    points = [[500055, 4499945], [500105, 4499945], [500155, 4499945]]
    for crs in ("EPSG:32610", "EPSG:32610+5773"):
        raster = alidade.Raster(runtime, write(tmp_path / f"holes{crs[11:]}.tif", values, crs=crs, unit="metre"))
        for target in (None, reference("EPSG:32610+6360")):
            answer = raster.heights(points, target, Interpolation.NEAREST)
            assert list(answer.verdicts) == [CellVerdict.NODATA, CellVerdict.NODATA, CellVerdict.VALUE]
            assert list(np.isfinite(answer.heights)) == [False, False, True]
            assert np.isnan(answer.heights[:2]).all() and answer.failed_count == 2


def test_a_grid_lifts_heights_from_the_geoid(runtime, tmp_path, reference):
    """With a geoid of 40 m everywhere, as a grid file of our own."""
    values = np.full((5, 5), 40, dtype=np.float32)
    write(tmp_path / "geoid.gtx.tif", values, crs="EPSG:4326", transform=from_origin(-125, 43, 1, 1))
    geoid = tmp_path / "geoid.tif"
    geoid.write_bytes((tmp_path / "geoid.gtx.tif").read_bytes())
    wkt = (
        'COMPOUNDCRS["over a geoid",PROJCRS["UTM 10",BASEGEOGCRS["WGS 84",DATUM["World Geodetic System 1984",'
        'ELLIPSOID["WGS 84",6378137,298.257223563]]],CONVERSION["UTM 10",METHOD["Transverse Mercator",'
        'ID["EPSG",9807]],PARAMETER["Latitude of natural origin",0],PARAMETER["Longitude of natural origin",-123],'
        'PARAMETER["Scale factor at natural origin",0.9996],PARAMETER["False easting",500000],'
        'PARAMETER["False northing",0]],CS[Cartesian,2],AXIS["x",east],AXIS["y",north],UNIT["metre",1]],'
        'BOUNDCRS[SOURCECRS[VERTCRS["over a geoid",VDATUM["a geoid"],CS[vertical,1],AXIS["up",up],UNIT["metre",1]]],'
        'TARGETCRS[GEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],'
        'CS[ellipsoidal,3],AXIS["latitude",north,UNIT["degree",0.0174532925199433]],AXIS["longitude",east,'
        'UNIT["degree",0.0174532925199433]],AXIS["height",up,UNIT["metre",1]],ID["EPSG",4979]]],'
        'ABRIDGEDTRANSFORMATION["by a grid",METHOD["GravityRelatedHeight to Geographic3D"],'
        'PARAMETERFILE["Geoid (height correction) model file","geoid.tif"]]]]'
    )
    own = alidade.Runtime()
    own.add_grid_directory(str(tmp_path))
    over = alidade.SpatialReference(own, wkt)
    raster = alidade.Raster(own, write(tmp_path / "plane.tif", plane(), unit="m"), over)
    answer = raster.heights([[-122.999, 40.6495]], alidade.SpatialReference(own, "EPSG:4979"), strict=True)
    flat = raster.heights([[-122.999, 40.6495]], alidade.SpatialReference(own, "EPSG:4326"))
    assert answer.verdicts[0] == CellVerdict.VALUE
    assert answer.heights[0] == pytest.approx(flat.heights[0] + 40, abs=1e-4)
    own.release()
