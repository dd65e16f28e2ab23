#!/usr/bin/python3
"""A piece of landscape for a game engine: terrain, a road on it, and houses, as meshes in one file.

    meshes.py [--data FOLDER] [--mesh landscape.obj] [--output landscape.png]

The terrain follows the heights of a raster within two metres, with few triangles where it is flat, and has a skirt. The
road is a ribbon that lies on it, and the houses are footprints with walls. All are in the axes of Godot and glTF: x east,
y up, z south, in metres from the origin. The program uses the quickstart's data and runs in its environment:
.build/venv/bin/python3 examples/meshes/meshes.py
"""
import argparse
import sys
from pathlib import Path

import alidade
import numpy
from alidade.engine import EngineAxes, EngineFrame, EngineFrameKind, MeshOptions
from matplotlib.collections import PolyCollection

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import drawing  # noqa: E402

DATA = Path(__file__).resolve().parents[1] / "quickstart" / "data"

# In UTM zone 10: the tile, the road, and the south-west corners of houses of 60 x 40 m.
TILE = (568600.0, 4511200.0, 571600.0, 4513400.0)
ROAD = [(568700, 4513300), (569150, 4512900), (569400, 4512950), (569800, 4512300), (570500, 4512350), (571500, 4511300)]
HOUSES = [(569950, 4512420), (570050, 4512450), (570150, 4512420), (570000, 4512180), (570120, 4512200), (570240, 4512170)]
ORIGIN = (570100.0, 4512300.0)
DEVIATION, WIDTH = 2.0, 24.0
# The panel with the landscape from above, in DIP, and colours.
LEFT, TOP, WIDE = 70, 104, 440
COLOURS = ((58, 110, 150), (96, 150, 92), (186, 190, 118), (206, 164, 96), (160, 112, 82), (244, 240, 236))
ASPHALT, BRICK = (70, 70, 78), (178, 72, 60)
# The direction of the light: from the north-west and above, in the engine's axes.
LIGHT = numpy.array([-1.0, 1.6, -1.0]) / numpy.sqrt(4.56)


def house(corner):
    x, y = corner
    return f"POLYGON (({x} {y}, {x + 60} {y}, {x + 60} {y + 40}, {x} {y + 40}, {x} {y}))"


def ground(raster, corners):
    """The lowest height at the corners of each house, on which it stands."""
    points = numpy.array([[x + dx, y + dy] for x, y in corners for dx, dy in ((0, 0), (60, 0), (60, 40), (0, 40))], float)
    return raster.heights(points).heights.reshape(-1, 4).min(axis=1)


def write_obj(path, meshes):
    """Wavefront OBJ, a group for each mesh; its vertices count from 1, and its texture from the lower left corner."""
    first = 1
    with open(path, "w", encoding="ascii") as file:
        for name, mesh in meshes.items():
            columns = mesh.columns
            file.write(f"g {name}\n")
            file.writelines(f"v {x:.4f} {y:.4f} {z:.4f}\n" for x, y, z in columns.positions)
            file.writelines(f"vt {u:.5f} {1 - v:.5f}\n" for u, v in columns.texture_coordinates)
            file.writelines(f"vn {x:.4f} {y:.4f} {z:.4f}\n" for x, y, z in columns.normals)
            file.writelines("f " + " ".join(f"{i}/{i}/{i}" for i in face) + "\n" for face in columns.triangles + first)
            first += len(columns.positions)


def from_above(axes, mesh, colours, **style):
    """Draws the triangles that face upwards, brighter the more they face the light."""
    columns = mesh.columns
    normals = columns.normals[columns.triangles].mean(axis=1)
    corners = columns.positions[columns.triangles]
    visible = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 1] > 1e-3
    light = 0.3 + 0.8 * numpy.clip(normals @ LIGHT, 0, 1)
    shaded = numpy.clip(colours * light[:, None], 0, 1)
    axes.add_collection(PolyCollection(corners[visible][:, :, [0, 2]], facecolors=shaded[visible], **style))


def draw(meshes, caption):
    terrain = meshes["terrain"].columns
    heights = terrain.positions[terrain.triangles].mean(axis=1)[:, 1]
    low, high = terrain.positions[:, 1].min() + 2 * DEVIATION, terrain.positions[:, 1].max()
    ramp = drawing.LinearSegmentedColormap.from_list("", [drawing.rgb(colour) for colour in COLOURS])
    ground_colours = ramp(numpy.clip((heights - low) / (high - low), 0, 1))[:, :3]
    east, south = TILE[2] - ORIGIN[0], ORIGIN[1] - TILE[1]
    west, north = TILE[0] - ORIGIN[0], ORIGIN[1] - TILE[3]
    tall = round(WIDE * (south - north) / (east - west))
    sheet = drawing.Sheet(2 * WIDE + 150, TOP + tall + 70, "A landscape for a game engine", caption)
    colours = {"terrain": ground_colours, "road": numpy.array(drawing.rgb(ASPHALT)), "houses": numpy.array(drawing.rgb(BRICK))}
    for left, style in ((LEFT, {"antialiaseds": False}), (LEFT + WIDE + 60, {"edgecolors": (0, 0, 0, 0.45), "linewidths": 0.3})):
        axes = sheet.axes(left, TOP, WIDE, tall)
        for name, mesh in meshes.items():
            from_above(axes, mesh, colours[name], **style)
        axes.set_xlim(west, east)
        axes.set_ylim(south, north)
        axes.set_xlabel("x: metres east of the origin", fontsize=8)
    sheet.figure.axes[0].set_ylabel("z: metres south of the origin", fontsize=8)
    sheet.text(LEFT + WIDE + 60, TOP - 24, f"{len(terrain.triangles):,} triangles of the terrain, and the others", 11)
    return sheet


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--mesh", type=Path, default=Path("landscape.obj"))
    parser.add_argument("--output", type=Path, default=Path("landscape.png"))
    arguments = parser.parse_args()
    with alidade.Runtime() as runtime:
        raster = alidade.Raster(runtime, arguments.data / "Shasta_Elevation.tif")
        utm = raster.spatial_reference
        frame = EngineFrame(utm, ORIGIN, kind=EngineFrameKind.PLANAR, axes=EngineAxes.GODOT)
        road = alidade.Geometry.from_wkt(runtime, "LINESTRING (" + ", ".join(f"{x} {y}" for x, y in ROAD) + ")", utm)
        footprints = [
            house(corner).replace("POLYGON", "POLYGON Z").replace(",", f" {z},").replace("))", f" {z}))")
            for corner, z in zip(HOUSES, ground(raster, HOUSES))
        ]
        houses = alidade.GeometryArray.from_geometries(
            runtime, [alidade.Geometry.from_wkt(runtime, text, utm) for text in footprints]
        )
        options = MeshOptions(maximum_deviation_m=DEVIATION, skirt_m=2 * DEVIATION, line_width_m=WIDTH)
        meshes = {
            # A request: the engine goes on drawing frames until the terrain is there.
            "terrain": frame.terrain_mesh_async(raster, TILE, options=options).result(),
            "road": frame.mesh(road, raster, options=options),
            "houses": frame.mesh(houses, extrusion_m=[18, 24, 18, 30, 18, 24]),
        }
        for name, mesh in meshes.items():
            info = mesh.info
            print(f"{name}: {info.triangle_count} triangles, at most {info.deviation_m:.2f} m off, "
                  f"rounded by at most {info.worst_rounding_m * 1e3:.2f} mm")
        write_obj(arguments.mesh, meshes)
        draw(meshes, f"Shasta Lake, California: terrain and road within {DEVIATION:g} m of the raster's heights.").save(
            arguments.output)


if __name__ == "__main__":
    main()
