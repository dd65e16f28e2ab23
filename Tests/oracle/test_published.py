"""Coordinates that authorities and textbooks have published, there and back."""

from __future__ import annotations

import math

import pyproj
import pytest
from published import conversions, operations

import alidade
from alidade import SpatialReference, SpatialReferenceKind, Transformation, Unit, project_coordinates

WORKED = conversions("conversions.csv")
GIGS = conversions("gigs.csv")
OPERATIONS = operations("transformations.csv")

# Where PROJ 9.1.1 runs other formulas than the authority's, by how much the two differ at the published point, in
# metres, ours minus theirs. A PROJ that mends one fails its test; then it goes from here and from the page of hazards.
DEVIATIONS = {
    # Runs the method without its angle, which turns the cone by 29.2985 seconds of arc.
    "Belge 1972 / Belge Lambert 72": (745.31, 14.51),
    # Runs the formulas of the sphere.
    "WGS 84 / World Equidistant Cylindrical": (0.0, 25341.68),
}


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
    if case.name in DEVIATIONS:
        differences = [value - right for value, right in zip(found, case.expected)]
        assert differences == pytest.approx(DEVIATIONS[case.name], abs=0.01)
        return
    assert found == pytest.approx(case.expected, rel=0, abs=case.tolerance)
    # Back to the ground: as near as the printed digits of the map coordinates and of the angles are.
    near = 2 * case.tolerance * target.info.metres_per_unit / source.info.metres_per_unit
    x, y = project(target, source, case.expected)
    right_x, right_y = in_unit_of(source, case.point)
    assert y == pytest.approx(right_y, rel=0, abs=near)
    assert x == pytest.approx(right_x, rel=0, abs=near / math.cos(math.radians(case.point[1])))


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
        if case.name in DEVIATIONS:
            continue
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
        except alidade.ProjectionFailedError:
            continue
        assert not answer.projected.any()
