"""
What other map engines publish as the expected numbers of their camera tests, where they mean the same: Mapbox GL JS and
MapLibre GL JS (camera.test: cameraForBounds, fitBounds, fitScreenCoordinates; a map of 512 x 512 pixels, whose world at
zoom 0 is 512 pixels wide; centres to 4 digits, zooms to 3), and Esri's scales of the Web Mercator tiling scheme.
"""
import math

import pytest

import alidade

WORLD = 2 * math.pi * 6378137.0
BOUNDS = (-133, 16, -68, 50)
PADDING = alidade.Insets(top_dip=10, right_dip=75, bottom_dip=50, left_dip=25)


@pytest.fixture
def degrees(runtime):
    return alidade.SpatialReference.from_code(runtime, 4326)


@pytest.fixture
def view(runtime):
    """At zoom 0 over 0, 0, as their tests begin."""
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    view = alidade.View(map, 512, 512)
    view.set_viewpoint(center=(0, 0), scale=WORLD / 512 * 96 / 0.0254)
    yield view
    view.release()


def look(view):
    """Longitude, latitude and zoom."""
    state = view.state
    x, y = state.center
    latitude = math.degrees(2 * math.atan(math.exp(y / 6378137.0)) - math.pi / 2)
    return x / WORLD * 360, latitude, math.log2(WORLD / 512 / state.units_per_dip)


@pytest.mark.parametrize(
    "bearing, padding, center, zoom",
    [
        (0, 0, (-100.5, 34.7171), 2.469),
        (175, 0, (-100.5, 34.7171), 2.396),
        (-30, 0, (-100.5, 34.7171), 2.222),
        (45, 0, (-100.5, 34.7171), 2.254),
        (0, 15, (-100.5, 34.7171), 2.382),
        (0, PADDING, (-96.5558, 32.0833), None),
        (90, PADDING, (-103.3761, 31.7099), None),
    ],
)
@pytest.mark.parametrize("as_geometry", [False, True])
def test_bounds_fit_as_in_maplibre(runtime, view, degrees, bearing, padding, center, zoom, as_geometry):
    if as_geometry:
        west, south, east, north = BOUNDS
        text = f"POLYGON (({west} {south}, {east} {south}, {east} {north}, {west} {north}, {west} {south}))"
        geometry = alidade.Geometry.from_wkt(runtime, text, degrees)
        view.move(geometry=geometry, rotation_deg=bearing, padding=padding)
    else:
        view.move(extent=BOUNDS, spatial_reference=degrees, rotation_deg=bearing, padding=padding)
    longitude, latitude, reached = look(view)
    assert (longitude, latitude) == pytest.approx(center, abs=0.5e-4 + 1e-9)
    assert zoom is None or reached == pytest.approx(zoom, abs=0.5e-3 + 1e-9)
    assert view.state.rotation_deg == bearing % 360


@pytest.mark.parametrize("bearing, zoom", [(225, math.log2(4 * math.sqrt(2) / 3)), (0, 1.0)])
def test_a_box_of_the_screen_fits_as_in_maplibre(runtime, view, bearing, zoom):
    corners = view.screen_to_map([(128, 128), (256, 128), (256, 384), (128, 384), (128, 128)])
    text = "POLYGON ((" + ", ".join(f"{x!r} {y!r}" for x, y in corners.tolist()) + "))"
    geometry = alidade.Geometry.from_wkt(runtime, text, view.map.spatial_reference)
    view.move(geometry=geometry, rotation_deg=bearing)
    assert look(view) == pytest.approx((-45, 0, zoom), abs=1e-9)


@pytest.mark.parametrize(
    "level, scale",
    [(0, 5.91657527591555e8), (1, 2.95828763795777e8), (10, 577790.554289), (17, 4513.988705), (19, 1128.497176)],
)
def test_scales_are_esris(view, level, scale):
    """Their inch is 1 / 39.37 m, ours 0.0254 m: 2e-6 less."""
    view.set_viewpoint(scale=1.0)
    resolution = WORLD / 256 / 2**level
    view.set_viewpoint(scale=scale / (39.37 * 0.0254))
    assert view.state.units_per_dip == pytest.approx(resolution, rel=1e-9)
