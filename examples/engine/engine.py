#!/usr/bin/python3
"""A terrain tile for a game engine: heights from a raster, small coordinates around an origin, a mesh and a picture.

    engine.py [--data FOLDER] [--mesh terrain.obj] [--output terrain.png]

The program converts longitudes and latitudes to a mesh of triangles in the axes of Godot and glTF: x east, y up, z
south, in metres. It uses the quickstart's data and runs in the quickstart's environment:
.build/venv/bin/python3 examples/engine/engine.py
"""
import argparse
from pathlib import Path

import alidade
import numpy
from PIL import Image

DATA = Path(__file__).resolve().parents[1] / "quickstart" / "data"

# Longitudes and latitudes of the tile, and the number of vertices per side.
WEST, SOUTH, EAST, NORTH = -122.1900, 40.7450, -122.1400, 40.7800
SIDE = 120
# The direction of the light: from the west, above and north, in the engine's axes.
LIGHT = numpy.array([-1.0, 1.4, -1.0]) / numpy.sqrt(3.96)


def grid():
    """Positions of the vertices, row by row from the north, each with a z for the height."""
    x, y = numpy.meshgrid(numpy.linspace(WEST, EAST, SIDE), numpy.linspace(NORTH, SOUTH, SIDE))
    return numpy.column_stack([x.ravel(), y.ravel(), numpy.zeros(SIDE * SIDE)])


def triangles():
    """Two triangles per square, counter-clockwise seen from above, because the axes are right-handed."""
    corner = (numpy.arange(SIDE - 1)[:, None] * SIDE + numpy.arange(SIDE - 1)).ravel()
    upper = numpy.column_stack([corner, corner + SIDE, corner + 1])
    lower = numpy.column_stack([corner + 1, corner + SIDE, corner + SIDE + 1])
    return numpy.concatenate([upper, lower])


def write_mesh(path, vertices, faces):
    """Wavefront OBJ; its vertices count from 1."""
    with open(path, "w", encoding="ascii") as mesh:
        mesh.writelines(f"v {x:.4f} {y:.4f} {z:.4f}\n" for x, y, z in vertices)
        mesh.writelines(f"f {a} {b} {c}\n" for a, b, c in faces + 1)


def shaded(vertices):
    """The tile from above. A square is brighter the more it faces the light."""
    places = vertices.reshape(SIDE, SIDE, 3).astype(float)
    east, south = places[:-1, 1:] - places[:-1, :-1], places[1:, :-1] - places[:-1, :-1]
    normals = numpy.cross(south, east)
    normals /= numpy.linalg.norm(normals, axis=2, keepdims=True)
    light = numpy.clip(normals @ LIGHT, 0, 1)
    return Image.fromarray((40 + 215 * light).astype(numpy.uint8)).resize((4 * (SIDE - 1),) * 2, Image.NEAREST)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--mesh", type=Path, default=Path("terrain.obj"))
    parser.add_argument("--output", type=Path, default=Path("terrain.png"))
    arguments = parser.parse_args()
    with alidade.Runtime() as runtime:
        raster = alidade.Raster(runtime, arguments.data / "Shasta_Elevation.tif")
        wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
        points = grid()
        heights = raster.heights(points, wgs84, out=points[:, 2])
        print(f"Heights: {len(points)} points, {heights.failed_count} without a height, "
              f"{points[:, 2].min():.2f} to {points[:, 2].max():.2f} m")

        middle = ((WEST + EAST) / 2, (SOUTH + NORTH) / 2)
        frame = alidade.engine.EngineFrame(wgs84, middle, axes=alidade.engine.EngineAxes.GODOT)
        answer = frame.to_vertices(points, wgs84)
        print(f"Vertices: up to {answer.farthest_m:.1f} m from the origin, "
              f"rounded by at most {answer.worst_rounding_m * 1e3:.3f} mm")
        write_mesh(arguments.mesh, answer.vertices, triangles())
        shaded(answer.vertices).save(arguments.output)

        # The user picks the highest vertex in the engine. Converts it back to longitude, latitude and height.
        picked = answer.vertices[answer.vertices[:, 1].argmax()]
        place = frame.to_coordinates(picked, wgs84).coordinates[0]
        print(f"Picked ({picked[0]:.2f}, {picked[1]:.2f}, {picked[2]:.2f}): longitude {place[0]:.6f}, latitude {place[1]:.6f}, "
              f"height {place[2]:.2f} m")


if __name__ == "__main__":
    main()
