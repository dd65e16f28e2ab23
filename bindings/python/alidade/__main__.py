"""The command `python -m alidade`."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Sequence

import alidade

from ._base.pictures import metres
from ._library import find


def doctor(_: argparse.Namespace) -> None:
    """Prints which libraries are used, and what they find."""
    print(f"alidade for Python {alidade.__version__}, library {alidade.version()}: {find()}")
    with alidade.Runtime() as runtime:
        print(runtime.report_text())


def identify(arguments: argparse.Namespace) -> None:
    """Prints the values of a raster at a point, or the features nearest to it."""
    data = alidade.open(arguments.file)
    reference = arguments.crs if arguments.crs is not None else data.spatial_reference
    if isinstance(data, alidade.Raster):
        _print_cell(data, arguments.x, arguments.y, arguments.crs)
        return
    point = alidade.Geometry.from_wkt(f"POINT ({arguments.x!r} {arguments.y!r})", reference)
    layer = alidade.FeatureLayer(data)
    layer.load()
    found = layer.query(point, nearest=arguments.count, geodesic=data.spatial_reference is not None)
    assert found.distances is not None
    unit = " m" if data.spatial_reference is not None else ""
    features = {feature.id: feature for feature in data.query(ids=found.ids, with_geometry=False)}
    for number, distance in zip(found.ids.tolist(), found.distances.tolist()):
        print(f"feature {number}, distance {distance:.3f}{unit}")
        for name, value in features[number].attributes.items():
            print(f"  {name}: {value}")


def _print_cell(raster: alidade.Raster, x: float, y: float, crs: str | None) -> None:
    read = raster.read_points((x, y), crs)
    cell = read.cells[0]
    if cell["verdict"] == alidade.rasters.CellVerdict.OUTSIDE:
        print("outside")
        return
    print(f"column {cell['column']}, row {cell['row']}")
    for number, value in enumerate(read.values[0], start=1):
        band = raster.band(number)
        verdict = alidade.rasters.CellVerdict(int(value["verdict"]))
        text = (
            f"{value['scaled']:.15g} {band.unit}".strip()
            if verdict is alidade.rasters.CellVerdict.VALUE
            else verdict.name
        )
        print(f"  band {number}: {text}")


def transformations(arguments: argparse.Namespace) -> None:
    """Prints the transformations between two spatial references, the best first."""
    area = [arguments.area[:2], arguments.area[2:]] if arguments.area else None
    for index, row in enumerate(alidade.TransformationList(arguments.a, arguments.b, area=area), start=1):
        found = row.transformation
        code = f"{found.authority}:{found.code} " if found.code else ""
        print(
            f"{index}. {code}{found.name}: {metres(found.accuracy_m)}, {row.area_share:.0%} of the area. {row.reason}"
        )
        for grid in found.missing_grids:
            print(f"   lacks {grid.name} {grid.url}".rstrip())


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="python -m alidade", description="Looks at maps without a window.")
    result.add_argument("--version", action="version", version=alidade.__version__)
    commands = result.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("doctor", help=doctor.__doc__)
    command.set_defaults(run=doctor)
    command = commands.add_parser("identify", help=identify.__doc__)
    command.add_argument("file", metavar="FILE")
    command.add_argument("x", type=float, metavar="X", help="east or longitude")
    command.add_argument("y", type=float, metavar="Y", help="north or latitude")
    command.add_argument("--crs", help="the spatial reference of the point; default: that of the file")
    command.add_argument("--count", type=int, default=1, help="how many features, the nearest first; default: 1")
    command.set_defaults(run=identify)
    command = commands.add_parser("transformations", help=transformations.__doc__)
    command.add_argument("a", metavar="A", help="the spatial reference before, such as EPSG:27700")
    command.add_argument("b", metavar="B", help="the spatial reference after")
    command.add_argument("--area", type=float, nargs=4, metavar=("WEST", "SOUTH", "EAST", "NORTH"), help="in degrees")
    command.set_defaults(run=transformations)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Returns 0, or 1 if it fails; the reason is on standard error."""
    given = parser().parse_args(arguments)
    try:
        given.run(given)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader, such as `head`, has read enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (alidade.AlidadeError, alidade.errors.LibraryNotFoundError, ValueError) as error:
        print(f"alidade: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
