#!/usr/bin/python3
"""A terrain tile for a game engine: heights from a raster, small coordinates around an origin, a mesh and a picture.

    engine.py [--data FOLDER] [--mesh terrain.obj] [--output terrain.png]

The program converts longitudes and latitudes to a mesh of triangles in the axes of Godot and glTF: x east, y up, z
south, in metres. It uses the quickstart's data and runs in the quickstart's environment:
.build/venv/bin/python3 examples/engine/engine.py
"""
import argparse
import sys
from pathlib import Path

import alidade
import numpy
from matplotlib.colors import LinearSegmentedColormap

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import drawing  # noqa: E402

DATA = Path(__file__).resolve().parents[1] / "quickstart" / "data"

# Longitudes and latitudes of the tile, and the number of vertices per side.
WEST, SOUTH, EAST, NORTH = -122.1900, 40.7450, -122.1400, 40.7800
SIDE = 120
COLOURS = ((58, 110, 150), (96, 150, 92), (186, 190, 118), (206, 164, 96), (160, 112, 82), (244, 240, 236))
# The panel with the tile from above, in DIP, and how much the other one stretches heights.
LEFT, TOP, WIDE, STRETCH = 76, 104, 420, 2
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


def shaded(places):
    """A colour for each square: that of its height, brighter the more it faces the light."""
    east, south = places[:-1, 1:] - places[:-1, :-1], places[1:, :-1] - places[:-1, :-1]
    normals = numpy.cross(south, east)
    normals /= numpy.linalg.norm(normals, axis=2, keepdims=True)
    light = 0.25 + numpy.clip(normals @ LIGHT, 0, 1)
    heights = places[:-1, :-1, 1]
    ramp = LinearSegmentedColormap.from_list("", [drawing.rgb(colour) for colour in COLOURS])
    colours = ramp((heights - heights.min()) / (heights.max() - heights.min()))[..., :3]
    return numpy.clip(colours * light[..., None], 0, 1)


def draw(vertices, picked, caption):
    """The tile from above, in the engine's axes, and as a camera in the south-west sees it."""
    places = vertices.reshape(SIDE, SIDE, 3).astype(float)
    (west, low, north), (east, high, south) = places.min(axis=(0, 1)), places.max(axis=(0, 1))
    colours = shaded(places)
    tall = round(WIDE * (south - north) / (east - west))
    sheet = drawing.Sheet(1040, TOP + tall + 120, "A terrain tile for a game engine", caption)
    axes = sheet.axes(LEFT, TOP, WIDE, tall)
    axes.imshow(colours, extent=(west, east, south, north), interpolation="nearest", aspect="auto")
    axes.set_xlabel("x: metres east of the origin", fontsize=8)
    axes.set_ylabel("z: metres south of the origin", fontsize=8)
    axes.plot(0, 0, "+", color="black", markersize=9)
    drawing.label(axes, (60, 0), "origin", 11)
    axes.plot(picked[0], picked[2], "^", color=drawing.rgb(drawing.FINGER), markeredgecolor="white", markersize=8)
    drawing.label(axes, (picked[0] - 90, picked[2] + 10), f"highest vertex, {picked[1]:.0f} m", 11, align="right")
    sheet.colour_bar(LEFT, TOP + tall + 54, WIDE, 10, COLOURS, low, high, "y: metres up")

    scene = sheet.figure.add_axes((0.5, 0.1, 0.49, 0.84), projection="3d", computed_zorder=False)
    scene.plot_surface(places[..., 0], -places[..., 2], places[..., 1], facecolors=colours, rstride=1, cstride=1,
                       linewidth=0, antialiased=False, shade=False)
    scene.set_box_aspect((east - west, south - north, STRETCH * (high - low)), zoom=1.08)
    scene.view_init(elev=32, azim=-115)
    scene.set_axis_off()
    scene.patch.set_visible(False)
    sheet.text(560, TOP + tall - 16, f"{len(triangles()):,} triangles, seen from the south-west; heights times {STRETCH}", 11)
    return sheet


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

        # The user picks the highest vertex in the engine. Converts it back to longitude, latitude and height.
        picked = answer.vertices[answer.vertices[:, 1].argmax()]
        place = frame.to_coordinates(picked, wgs84).coordinates[0]
        print(f"Picked ({picked[0]:.2f}, {picked[1]:.2f}, {picked[2]:.2f}): longitude {place[0]:.6f}, latitude {place[1]:.6f}, "
              f"height {place[2]:.2f} m")
        draw(answer.vertices, picked, f"Heights at Shasta Lake, California, as {len(points):,} vertices of 32-bit floats, "
             f"rounded by at most {answer.worst_rounding_m * 1e3:.2f} mm.").save(arguments.output)


if __name__ == "__main__":
    main()
