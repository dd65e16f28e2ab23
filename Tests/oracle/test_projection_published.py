"""Coordinates that authorities and textbooks have published, there and back."""

from __future__ import annotations

import math

import numpy
import pyproj
import pytest
from published import conversions, operations

import alidade
from alidade import SpatialReference, Transformation, Unit, project_coordinates
from alidade.coordinates import SpatialReferenceKind

WORKED = conversions("conversions.csv")
GIGS = conversions("gigs.csv")
OPERATIONS = operations("transformations.csv")


def in_unit_of(reference: SpatialReference, point: tuple[float, float]) -> tuple[float, ...]:
    """A point in degrees in the unit of a geographic spatial reference; one on a map as it is."""
    if reference.info.kind is not SpatialReferenceKind.GEOGRAPHIC:
        return point
    return tuple(reference.from_unit(value, Unit.DEGREE) for value in point)


def project(source: SpatialReference, target: SpatialReference, point: tuple[float, ...]) -> tuple[float, ...]:
    projected = source.project([point], target)
    assert projected.projected.all(), (source, target, point)
    return tuple(projected.points[0].tolist())


@pytest.mark.parametrize("case", WORKED, ids=lambda case: case.name)
def test_worked_example(runtime, case):
    source, target = SpatialReference(runtime, case.source), SpatialReference(runtime, case.target)
    found = project(source, target, in_unit_of(source, case.point))
    assert found == pytest.approx(case.expected, rel=0, abs=case.tolerance)
    # Back to the ground: as near as the printed digits of the map coordinates and of the angles are.
    near = 2 * case.tolerance * target.info.metres_per_unit / source.info.metres_per_unit
    x, y = project(target, source, case.expected)
    right_x, right_y = in_unit_of(source, case.point)
    assert y == pytest.approx(right_y, rel=0, abs=near)
    assert x == pytest.approx(right_x, rel=0, abs=near / math.cos(math.radians(case.point[1])))


def belgian_lambert(x: float, y: float) -> tuple[float, float]:
    """EPSG:31300 by IOGP's Guidance Note 7-2, 3.1.1.4, from degrees on its datum."""
    e = math.sqrt((2 - 1 / 297) / 297)
    m, t = (
        lambda lat: math.cos(lat) / math.sqrt(1 - (e * math.sin(lat)) ** 2),
        lambda lat: math.tan(math.pi / 4 - lat / 2) / ((1 - e * math.sin(lat)) / (1 + e * math.sin(lat))) ** (e / 2),
    )
    first, second = math.radians(49.8333333333333), math.radians(51.1666666666667)
    n = math.log(m(first) / m(second)) / math.log(t(first) / t(second))
    r = 6378388 * m(first) / (n * t(first) ** n) * t(math.radians(y)) ** n
    theta = n * math.radians(x - 4.35693972222222) - math.radians(29.2985 / 3600)
    return 150000.01256 + r * math.sin(theta), 5400088.4378 - r * math.cos(theta)


def equidistant_cylindrical(x: float, y: float) -> tuple[float, float]:
    """EPSG:4087 by IOGP's Guidance Note 7-2, 3.2.5, with the meridian's arc by its integral (Simpson's rule)."""
    a, e2 = 6378137, (2 - 1 / 298.257223563) / 298.257223563
    steps = 2000
    arc = [(1 - e2 * math.sin(math.radians(y) * k / steps) ** 2) ** -1.5 for k in range(steps + 1)]
    simpson = arc[0] + arc[-1] + 4 * sum(arc[1:-1:2]) + 2 * sum(arc[2:-1:2])
    return a * math.radians(x), a * (1 - e2) * simpson * math.radians(y) / (3 * steps)


def authalic_radius(a: float, f: float) -> float:
    e = math.sqrt(f * (2 - f))
    return a * math.sqrt((1 + (1 - e * e) / (2 * e) * math.log((1 + e) / (1 - e))) / 2)


CLARKE_1866, WGS_84 = authalic_radius(6378206.4, 1 - 6356583.8 / 6378206.4), authalic_radius(6378137, 1 / 298.257223563)


def azimuthal_on_the_sphere(radius: float, longitude: float, latitude: float):
    """Method 1027: J. P. Snyder, Map Projections, 1987, equations 22-4, 22-5 and 24-2."""
    def image(x: float, y: float) -> tuple[float, float]:
        low, east, north = math.radians(latitude), math.radians(x - longitude), math.radians(y)
        k = math.sqrt(2 / (1 + math.sin(low) * math.sin(north) + math.cos(low) * math.cos(north) * math.cos(east)))
        return (radius * k * math.cos(north) * math.sin(east),
                radius * k * (math.cos(low) * math.sin(north) - math.sin(low) * math.cos(north) * math.cos(east)))

    return image


def cylindrical_on_the_sphere(x: float, y: float) -> tuple[float, float]:
    """EPSG:3975, method 9834: Snyder, equations 10-1 and 10-2."""
    parallel = math.cos(math.radians(30))
    return WGS_84 * math.radians(x) * parallel, WGS_84 * math.sin(math.radians(y)) / parallel


# A datum, a map on it with formulas that PROJ does not have, a box, and another system to come from and go to.
METHODS = [
    (4267, 9311, (-170, 18, -65, 72), azimuthal_on_the_sphere(CLARKE_1866, -100, 45), 4135),
    (4326, 3973, (-180, 20, 180, 89), azimuthal_on_the_sphere(WGS_84, 0, 90), 4979),
    (4326, 3974, (-180, -89, 180, -20), azimuthal_on_the_sphere(WGS_84, 0, -90), 4979),
    (4326, 3975, (-179, -85, 179, 85), cylindrical_on_the_sphere, 4979),
    (4313, 31300, (2.4, 49.4, 6.5, 51.6), belgian_lambert, 31370),
    (4326, 4087, (-180, -90, 180, 90), equidistant_cylindrical, 4979),
]


@pytest.mark.parametrize("geographic, code, box, formula, other", METHODS, ids=lambda value: str(value))
def test_methods_that_proj_does_not_have(runtime, geographic, code, box, formula, other):
    random = numpy.random.default_rng(code)
    points = random.uniform(box[:2], box[2:], (500, 2))
    right = numpy.array([formula(*point) for point in points])
    source, target = (SpatialReference.from_code(runtime, number) for number in (geographic, code))
    images = source.project(points, target).points
    assert numpy.abs(images - right).max() < 1e-5
    receipt = project_coordinates(source, target, points[:, 0], points[:, 1]).receipt
    assert receipt.flags & alidade.coordinates.ProjectionReceiptFlags.EPSG_FORMULAS
    back = target.project(images, source).points
    assert numpy.abs(back - points).max() < 1e-9
    # By way of another system, and as the plane of something that has heights.
    third = SpatialReference.from_code(runtime, other)
    assert numpy.abs(third.project(source.project(points, third).points, target).points - right).max() < 1e-3
    text = SpatialReference(runtime, f"EPSG:{code}+5773")
    assert numpy.abs(SpatialReference(runtime, f"EPSG:{geographic}+5773").project(points, text).points - right).max() < 1e-5


def test_what_others_call_equidistant_cylindrical(runtime):
    """Data of such systems were made with PROJ's formulas of the sphere."""
    text = "+proj=eqc +lat_ts=30 +lon_0=7 +ellps=GRS80"
    points = [(10, 55), (-170, -20)]
    right = [pyproj.Proj(text)(*point) for point in points]
    source = SpatialReference.from_code(runtime, 4258)
    plain = project_coordinates(source, SpatialReference(runtime, text), [10.0], [55.0])
    assert not plain.receipt.flags & alidade.coordinates.ProjectionReceiptFlags.EPSG_FORMULAS
    assert source.project(points, SpatialReference(runtime, text)).points == pytest.approx(numpy.array(right), abs=1e-6)


def test_gigs(runtime):
    """IOGP's test data for conversions; their tolerances are in metres."""
    references: dict[str, SpatialReference] = {}
    failures = []
    for case in GIGS:
        for text in (case.source, case.target):
            references.setdefault(text, SpatialReference(runtime, text))
        source, target = references[case.source], references[case.target]
        found = project(source, target, in_unit_of(source, case.point))
        near = case.tolerance / target.info.metres_per_unit
        if found != pytest.approx(in_unit_of(target, case.expected), rel=0, abs=near):
            failures.append((case, found))
    assert len(GIGS) > 340
    assert not failures, failures[:5]


@pytest.mark.parametrize("case", OPERATIONS, ids=lambda case: case.name)
def test_operation(runtime, case):
    """With no spatial references: in the operation's own coordinates."""
    transformation = transformation_of(runtime, case.operation)
    found = project_coordinates(None, None, *([value] for value in case.point), transformation=transformation)
    for value, right, near in zip((found.x, found.y, found.z), case.expected, case.tolerances):
        assert value == pytest.approx([right], rel=0, abs=near)


def transformation_of(runtime: alidade.Runtime, text: str) -> Transformation:
    authority, _, code = text.partition(":")
    if code.isdigit():
        return Transformation.from_code(runtime, code, authority)
    return Transformation.from_text(runtime, text)


def test_enough_operations_of_enough_methods(runtime):
    """Counted from PROJ's own facts: the method of each map projection, and of each step of a coded transformation."""
    methods, distinct = set(), set()
    for case in WORKED + GIGS:
        for text in (case.source, case.target):
            conversion = pyproj.CRS.from_user_input(text).coordinate_operation
            if conversion is not None:
                methods.add(conversion.method_name)
                distinct.add(text)
    for case in OPERATIONS:
        distinct.add(case.operation)
        if case.operation.startswith("EPSG:"):
            methods.update(step.method for step in transformation_of(runtime, case.operation).steps)
    assert len(distinct) >= 60 and len(methods) >= 25, (len(distinct), len(methods))
    # All that the first sixty need come from the authorities themselves.
    authorities = {case.reference.split()[0] for case in WORKED + GIGS}
    assert {"GN7-2", "GIGS"} <= authorities


@pytest.mark.parametrize(
    "code, base",
    [
        (2985, 4636),  # Polar Stereographic (variant C)
        (22300, 4816),  # Tunisia Mining Grid
        (22700, 4227),  # Lambert Conic Near-Conformal
        (5515, 5228),  # Krovak Modified
        (5516, 5228),  # Krovak Modified (North Orientated)
    ],
)
def test_methods_that_proj_does_not_have(runtime, code, base):
    """Points fail; they are not projected by something else."""
    projected, geographic = SpatialReference.from_code(runtime, code), SpatialReference.from_code(runtime, base)
    for source, target in ((projected, geographic), (geographic, projected)):
        try:
            answer = source.project([[1.0, 2.0]], target)
        except alidade.errors.ProjectionFailedError:
            continue
        assert not answer.projected.any()
