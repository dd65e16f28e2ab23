"""Paints overlay drawings with Pillow: what a host with a canvas of its own does in its own way.

Alidade says what to draw where: items in draw order, with screen coordinates and final symbols. Lines are flattened,
dashes cut and markers shaped here.
"""
import math

import alidade
import numpy
from PIL import Image, ImageDraw

# Drawn so many times larger, and made smaller at the end, for smooth edges.
SMOOTH = 3

# Strokes and gaps in widths of the line, as Include/alidade/symbol.h has them.
DASHES = {
    alidade.graphics.LineStyle.DASH: (4, 3),
    alidade.graphics.LineStyle.DOT: (1, 2),
    alidade.graphics.LineStyle.DASH_DOT: (4, 2, 1, 2),
    alidade.graphics.LineStyle.DASH_DOT_DOT: (4, 2, 1, 2, 1, 2),
}


def paint(drawing, image, density=1.0):
    """Draws over an RGB image of the view's size in physical pixels. A DIP has `density` pixels."""
    picture = image.convert("RGBA").resize((image.width * SMOOTH, image.height * SMOOTH), Image.NEAREST)
    items = list(drawing)
    for overlay in drawing.overlays:
        layer = Image.new("RGBA", picture.size)
        for index in overlay.items:
            shape = Image.new("RGBA", picture.size)
            paint_item(ImageDraw.Draw(shape), items[index], density * SMOOTH)
            layer = Image.alpha_composite(layer, shape)
        if overlay.opacity < 1:
            layer.putalpha(layer.getchannel("A").point(lambda alpha, share=overlay.opacity: round(alpha * share)))
        picture = Image.alpha_composite(picture, layer)
    return picture.convert("RGB").reduce(SMOOTH)


def paint_item(draw, item, pixels):
    """Draws one item. A DIP has `pixels` pixels."""
    symbol = item.symbol
    if isinstance(symbol, alidade.MarkerSymbol):
        for part in item.parts:
            for path in part:
                for place in path:
                    paint_marker(draw, symbol, place + symbol.offset_dip, pixels)
        return
    if isinstance(symbol, alidade.FillSymbol):
        for part in item.parts:
            if symbol.style is alidade.graphics.FillStyle.SOLID:
                draw.polygon(flat(part[0], pixels), symbol.color)
                for hole in part[1:]:
                    draw.polygon(flat(hole, pixels), (0, 0, 0, 0))
    line = symbol if isinstance(symbol, alidade.LineSymbol) else symbol.outline
    if line is not None and line.style is not alidade.graphics.LineStyle.NULL:
        for part in item.parts:
            for path in part:
                paint_line(draw, line, path, pixels)


def paint_line(draw, line, path, pixels):
    width = max(1, round(line.width_dip * pixels))
    for stroke in strokes(path, line):
        draw.line(flat(stroke, pixels), line.color, width, joint="curve")


def strokes(path, line):
    """The parts of a path that are drawn."""
    pattern = DASHES.get(line.style)
    if pattern is None or line.width_dip <= 0:
        return [path]
    steps = numpy.hypot(*numpy.diff(path, axis=0).T)
    along = numpy.concatenate([[0], numpy.cumsum(steps)])
    found, start, number = [], 0.0, 0
    while start < along[-1]:
        end = min(start + pattern[number % len(pattern)] * line.width_dip, along[-1])
        if number % 2 == 0:
            inside = path[(along > start) & (along < end)]
            ends = [[numpy.interp(place, along, path[:, axis]) for axis in (0, 1)] for place in (start, end)]
            found.append(numpy.vstack([ends[:1], inside, ends[1:]]))
        start, number = end, number + 1
    return found


def paint_marker(draw, symbol, place, pixels):
    half = symbol.size_dip / 2
    style = symbol.style
    outline = symbol.outline if symbol.outline and symbol.outline.style is not alidade.graphics.LineStyle.NULL else None
    if style in (alidade.graphics.MarkerStyle.CROSS, alidade.graphics.MarkerStyle.X):
        ends = [[(-half, 0), (half, 0)], [(0, -half), (0, half)]]
        if style is alidade.graphics.MarkerStyle.X:
            ends = [[(-half, -half), (half, half)], [(-half, half), (half, -half)]]
        width = symbol.outline.width_dip if symbol.outline else 1
        for stroke in ends:
            paint_line(draw, alidade.LineSymbol(symbol.color, width), turned(stroke, symbol, place), pixels)
        return
    shapes = {
        alidade.graphics.MarkerStyle.DIAMOND: [(0, -half), (half, 0), (0, half), (-half, 0)],
        alidade.graphics.MarkerStyle.SQUARE: [(-half, -half), (half, -half), (half, half), (-half, half)],
        alidade.graphics.MarkerStyle.TRIANGLE: [(0, -half), (half, half), (-half, half)],
        alidade.graphics.MarkerStyle.CIRCLE: [
            (half * math.cos(angle), half * math.sin(angle)) for angle in numpy.linspace(0, 2 * math.pi, 48, False)
        ],
    }
    corners = turned(shapes[style], symbol, place)
    draw.polygon(flat(corners, pixels), symbol.color)
    if outline is not None:
        paint_line(draw, outline, numpy.vstack([corners, corners[:1]]), pixels)


def turned(corners, symbol, place):
    """Corners around a point, rotated clockwise on a screen whose y points down."""
    angle = math.radians(symbol.angle_deg)
    turn = numpy.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return numpy.asarray(corners) @ turn.T + place


def flat(points, pixels):
    return [tuple(point) for point in (numpy.asarray(points) * pixels).tolist()]
