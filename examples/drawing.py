"""What the pictures of the examples have in common: a sheet, maps on it, and what a map needs in addition to its data.

The maps are drawn by `View.plot`, the rest by matplotlib. Lengths are DIP: a hundredth of an inch, with y down.
"""
import warnings
from pathlib import Path

import alidade
import numpy
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon, Rectangle
from matplotlib.patheffects import withStroke
from PIL import Image

HERE = Path(__file__).resolve().parent
# Outlines of Natural Earth that more than one example shows.
DATA = HERE / "data"

# The pixels of a picture for each DIP.
DENSITY = 2
# Red, green and blue, from 0 to 255 as in the library's symbols.
PAPER, INK, FAINT, FRAME, EMPTY = (250, 249, 246), (38, 42, 48), (104, 108, 114), (196, 194, 188), (232, 236, 238)
WATER, LAND, COAST, STATE = (214, 228, 236), (244, 240, 230), (118, 128, 120), (182, 176, 162)
BOX, EDGE, FINGER, WHITE = (255, 255, 250), (60, 64, 70), (214, 40, 40), (255, 255, 255)
MARGIN, TITLE, LINE = 24, 24, 15
# Above everything that View.plot draws.
ABOVE = 1000
_POINTS = 0.72


def rgb(color):
    return tuple(channel / 255 for channel in color)


class Sheet:
    """A picture of a size in DIP, with a heading. What is placed on it is placed from its top left corner."""

    HEADER = 76

    def __init__(self, width, height, title, subtitle=""):
        # A little more than the size, so that rounding does not lose a pixel.
        self.width, self.height = width + 1e-3, height + 1e-3
        size = self.width / 100, self.height / 100
        self.figure = Figure(figsize=size, dpi=100 * DENSITY, facecolor=rgb(PAPER))
        FigureCanvasAgg(self.figure)
        self.text(MARGIN, 18, title, 20, bold=True)
        self.text(MARGIN, 46, subtitle, 12, FAINT)

    def text(self, left, top, words, size=11, color=INK, bold=False, align="left"):
        self.figure.text(left / self.width, 1 - top / self.height, words, fontsize=size * _POINTS, color=rgb(color),
                         weight="bold" if bold else "normal", ha=align, va="top")

    def axes(self, left, top, width, height, order=0):
        """Axes for a chart."""
        # A little less than the size: matplotlib stretches pictures to whole pixels, and the picture of a view fits exactly.
        bottom, less = self.height - top - height, 1e-5
        box = ((left + less) / self.width, (round(bottom) + less) / self.height, (width - 2 * less) / self.width,
               (height - 2 * less) / self.height)
        axes = self.figure.add_axes(box, zorder=order)
        axes.tick_params(labelsize=10 * _POINTS, colors=rgb(INK))
        for spine in axes.spines.values():
            spine.set_color(rgb(FRAME))
        return axes

    def picture(self, left, top, width, height, background=EMPTY, order=0):
        """Axes in DIP, from 0 at the top left, on a background and in a frame."""
        axes = self.axes(left, top, width, height, order)
        axes.set_xlim(0, width)
        axes.set_ylim(height, 0)
        axes.set_axis_off()
        for fill, edge, place in ((rgb(background), "none", 0), ("none", rgb(FRAME), 2 * ABOVE)):
            axes.add_patch(Rectangle((0, 0), 1, 1, transform=axes.transAxes, facecolor=fill, edgecolor=edge,
                                     zorder=place, clip_on=not place))
        return axes

    def map(self, view, left, top, background=EMPTY, zoom=1, order=0):
        """What a view shows. Each DIP of the view is `zoom` DIP of the sheet."""
        state = view.state
        size = state.width_dip * zoom, state.height_dip * zoom
        return view.plot(self.picture(left, top, *size, background, order))

    def colour_bar(self, left, top, width, height, colors, low, high, label):
        """The colours from low to high, with numbers below it; the label names what they are and their unit."""
        ramp = LinearSegmentedColormap.from_list("", [rgb(color[:3]) for color in colors])
        axes = self.axes(left, top, width, height)
        bar = self.figure.colorbar(ScalarMappable(Normalize(low, high), ramp), cax=axes, orientation="horizontal")
        bar.outline.set_edgecolor(rgb(FRAME))
        axes.set_xlabel(label, fontsize=11 * _POINTS, color=rgb(INK))
        return bar

    def save(self, path, colors=None):
        """Writes the picture; with at most so many colours if they are given, which makes the file small.

        Warns of texts that cannot be read. The tests make errors of these warnings.
        """
        self.figure.canvas.draw()
        troubles = list(self.troubles())
        if troubles:
            warnings.warn(f"The picture has texts that cannot be read: {'; '.join(troubles)}", stacklevel=2)
        picture = Image.fromarray(numpy.asarray(self.figure.canvas.buffer_rgba())).convert("RGB")
        if colors is not None:
            picture = picture.quantize(colors, dither=Image.Dither.NONE)
        picture.save(path, dpi=(100 * DENSITY, 100 * DENSITY), optimize=colors is not None)

    def troubles(self):
        """Texts that are cut off at the edge of the sheet, and those that lie on each other."""
        boxes = []
        for text in self._texts():
            is_clipped = text.get_clip_on() and text.get_clip_box() is not None
            box, whole = text.get_window_extent(), text.axes.bbox if is_clipped else self.figure.bbox
            if box.overlaps(whole):
                boxes.append((text.get_text(), box, whole))
        for number, (words, box, whole) in enumerate(boxes):
            if box.x0 < whole.x0 or box.y0 < whole.y0 or box.x1 > whole.x1 or box.y1 > whole.y1:
                yield f"'{words}' is cut off"
            for others, other, _ in boxes[:number]:
                across = min(box.x1, other.x1, whole.x1) - max(box.x0, other.x0, whole.x0)
                down = min(box.y1, other.y1, whole.y1) - max(box.y0, other.y0, whole.y0)
                if min(across, down) > DENSITY:
                    yield f"'{words}' lies on '{others}'"


    def _texts(self):
        """All texts that are drawn."""
        texts = list(self.figure.texts)
        for axes in self.figure.axes:
            texts += axes.texts
            if axes.get_legend() is not None:
                texts += axes.get_legend().get_texts()
            if axes.axison:
                for axis in (axes.xaxis, axes.yaxis):
                    low, high = sorted(axis.get_view_interval())
                    texts += [axis.label, *(tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high)]
        return [text for text in texts if text.get_visible() and text.get_text().strip()]


class Grid(Sheet):
    """A sheet with panels of one size in rows, each with a title above and lines of text below.

    A line that begins with a space is an aside.
    """

    def __init__(self, count, size, title, subtitle="", columns=3, lines=0, extra=0):
        """`extra` is the height of what comes below the panels."""
        self.size, self.columns, self.lines = size, columns, lines
        self.rows = -(-count // columns)
        self.bottom = self.HEADER + self.rows * self._row
        super().__init__(MARGIN + columns * (size[0] + MARGIN), self.bottom + extra, title, subtitle)

    @property
    def _row(self):
        return TITLE + self.size[1] + LINE * self.lines + MARGIN

    def origin(self, number):
        """The top left corner of a panel in DIP."""
        row, column = divmod(number, self.columns)
        return MARGIN + column * (self.size[0] + MARGIN), self.HEADER + TITLE + row * self._row

    def panel(self, number, title, lines=(), aside="", view=None, background=EMPTY):
        """A panel with a map, or with nothing on it."""
        left, top = self.origin(number)
        self.words(number, title, lines, aside)
        if view is None:
            return self.picture(left, top, *self.size, background)
        return self.map(view, left, top, background)

    def words(self, number, title, lines=(), aside=""):
        """What is written above and below a panel."""
        left, top = self.origin(number)
        self.text(left, top - 19, f"{number + 1}  {title}", 12, bold=True)
        self.text(left + self.size[0], top - 18, aside, 11, FAINT, align="right")
        for row, line in enumerate(lines):
            self.text(left, top + self.size[1] + 7 + LINE * row, line, 11, FAINT if line.startswith(" ") else INK)


def add_base(map, runtime):
    """Adds countries, the states of North America and large lakes below the layers of a map. The sea is the background."""
    world = HERE / "world_identify" / "data"
    for path, fill, outline, definition in (
            (world / "countries.fgb", LAND, COAST, "name NOT IN ('Canada', 'United States of America')"),
            (DATA / "states.fgb", LAND, STATE, None), (world / "lakes.fgb", WATER, STATE, None)):
        symbol = alidade.FillSymbol(fill, alidade.LineSymbol(outline, 1))
        layer = alidade.FeatureLayer.from_path(runtime, path, renderer=alidade.SimpleRenderer(symbol))
        layer.load()
        layer.definition = definition
        map.add_basemap_layer(layer)


# On a map. Axes are made by a Sheet; points are in their DIP.


def label(axes, point, words, size=11, color=INK, align="left", bold=False, level="center"):
    """A text with a halo, so that it can be read over lines."""
    return axes.text(*point, words, fontsize=size * _POINTS, color=rgb(color), ha=align, va=level, zorder=ABOVE + 3,
                     weight="bold" if bold else "normal", clip_on=True,
                     path_effects=[withStroke(linewidth=3 * _POINTS, foreground="white")])


def names(axes, places, size=11):
    """Labels for pairs of a point and a name, right of the points: those that lie within the axes and on no other."""
    taken = []
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    for (x, y), words in places:
        width, height = text_size(words, size)
        box = x + 9, y - height / 2, x + 9 + width, y + height / 2
        is_inside = left < x and box[2] < right - 4 and top + 4 < box[1] and box[3] < bottom - 4
        if is_inside and all(box[2] < other[0] or other[2] < box[0] or box[3] < other[1] or other[3] < box[1]
                             for other in taken):
            taken.append(box)
            label(axes, (x + 9, y), words, size)


def line(axes, points, color=INK, width=2.0, style="-", above=0):
    axes.plot(*numpy.transpose(points), style, color=rgb(color), linewidth=width * _POINTS, zorder=ABOVE + above,
              solid_capstyle="butt", solid_joinstyle="miter")


def circle(axes, point, radius, color=INK, width=1.5):
    axes.add_patch(Circle(point, radius, fill=False, edgecolor=rgb(color), linewidth=width * _POINTS, zorder=ABOVE))


def finger(axes, path):
    """Where a finger came down, where it went and where it was lifted."""
    line(axes, path, FINGER, 2)
    circle(axes, path[0], 4, FINGER, 2)
    circle(axes, path[-1], 8, FINGER, 2)


def cross(axes, point, words):
    """Four arms around a point that leave the point itself free, and a number next to them."""
    x, y = point
    for color, width, more in (((20, 20, 20), 5, 2), (WHITE, 2, 0.5)):
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            line(axes, [(x + part * dx, y + part * dy) for part in (4 - more, 11 + more)], color, width)
    is_right, is_top = x > axes.get_xlim()[1] - 24, y < 24
    place = x + (-6 if is_right else 6), y + (6 if is_top else -6)
    text = label(axes, place, words, 13, WHITE, "right" if is_right else "left", True, "top" if is_top else "bottom")
    text.set_path_effects([withStroke(linewidth=2.5 * _POINTS, foreground=rgb((20, 20, 20)))])


def scale_bar(axes, view, max_width=100, system=alidade.units.UnitSystem.METRIC, right=None):
    """The library's scale bar on a box of its own, at the bottom right or to the left of `right`."""
    state = view.state
    right, y = (state.width_dip if right is None else right) - 18, state.height_dip - 14
    short = view.scale_bar((right - max_width / 2, y), max_width, system)
    half = (short.end_dip[0] - short.start_dip[0]) / 2
    bar = view.scale_bar((right - half, y), max_width, system)
    left, right = bar.start_dip[0], bar.end_dip[0]
    reach = max(half, text_size(str(bar), 11)[0] / 2) + 8
    middle = (left + right) / 2
    axes.add_patch(Rectangle((middle - reach, y - 22), 2 * reach, 30, facecolor=(1, 1, 1, 0.88),
                             edgecolor=rgb(FRAME), linewidth=0.8, zorder=ABOVE + 1))
    axes.plot([left, right], [y, y], color=rgb(INK), linewidth=3 * _POINTS, zorder=ABOVE + 2, solid_capstyle="butt")
    axes.text(middle, y - 4, str(bar), fontsize=11 * _POINTS, color=rgb(INK), ha="center", va="bottom", zorder=ABOVE + 2)


def north_arrow(axes, view, point=None):
    """Points to true north, above the scale bar."""
    state = view.state
    point = numpy.array((state.width_dip - 27, state.height_dip - 58) if point is None else point, dtype=float)
    map_reference = view.map.spatial_reference
    here = map_reference.project([state.center], 4326).points[0]
    step = 1e-4 if here[1] < 0 else -1e-4
    there = alidade.project_coordinates(4326, map_reference, [here[0]] * 2, [here[1], here[1] + step])
    ends = view.map_to_screen(numpy.column_stack([there.x, there.y]))
    up = (ends[1] - ends[0]) * numpy.sign(step)
    up /= numpy.hypot(*up)
    across = numpy.array((-up[1], up[0]))
    axes.add_patch(Circle(point, 17, facecolor=(1, 1, 1, 0.88), edgecolor=rgb(FRAME), linewidth=0.8, zorder=ABOVE + 1))
    corners = [point + 5 * up, point - 12 * up + 6 * across, point - 8 * up, point - 12 * up - 6 * across]
    axes.add_patch(Polygon(corners, closed=True, color=rgb(INK), zorder=ABOVE + 2))
    axes.text(*(point + 10.5 * up), "N", fontsize=10 * _POINTS, color=rgb(INK), ha="center", va="center",
              weight="bold", zorder=ABOVE + 2)


def callout(axes, layout, words, padding, size=11):
    """A callout's box, its leader and its text, where its layout has them."""
    box = layout.box_dip
    style = {"facecolor": rgb(BOX), "edgecolor": rgb(EDGE), "linewidth": _POINTS, "zorder": ABOVE + 4}
    axes.add_patch(Rectangle((box.x_min, box.y_min), box.x_max - box.x_min, box.y_max - box.y_min, **style))
    first, second = layout.leader_base_dip
    tip = numpy.array(layout.leader_tip_dip)
    axes.add_patch(Polygon([first, tip, second], closed=False, **style))
    # The foot of the leader covers the box's edge, so that the two are one shape.
    axes.plot(*numpy.transpose([first, second]), color=rgb(BOX), linewidth=1.6 * _POINTS, zorder=ABOVE + 4)
    axes.text(box.x_min + padding, box.y_min + padding, words, fontsize=size * _POINTS, color=rgb(INK), va="top",
              zorder=ABOVE + 5)


def text_size(words, size=11):
    """The width and height of a text in DIP."""
    figure = Figure(dpi=100)
    FigureCanvasAgg(figure)
    box = figure.text(0, 0, words, fontsize=size * _POINTS).get_window_extent(figure.canvas.get_renderer())
    return box.width, box.height


# Numbers


def scale_text(scale):
    return f"1 : {scale:,.0f}"


def degrees(longitude, latitude, digits=4):
    """A location as people write it, such as 40.7624° N, 122.1626° W."""
    return (f"{abs(latitude):.{digits}f}° {'S' if latitude < 0 else 'N'}, "
            f"{abs(longitude):.{digits}f}° {'W' if longitude < 0 else 'E'}")
