"""The state of a view, and grids of samples, as plain Python values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import _abi
from .._abi import ScreenGridFlags
from .._base.arrays import FloatArray
from .._base.numbers import int32


@dataclass(frozen=True)
class Insets:
    """The parts of a view that the host's own controls cover, in DIP from each side."""

    top_dip: float = 0.0
    right_dip: float = 0.0
    bottom_dip: float = 0.0
    left_dip: float = 0.0


@dataclass(frozen=True)
class ScreenGrid:
    """A grid of samples over a rectangle of the screen in DIP. The default is the whole view."""

    left_dip: float = 0.0
    top_dip: float = 0.0
    # If both are 0: the whole view.
    width_dip: float = 0.0
    height_dip: float = 0.0
    # The number of samples per line and of lines. If both are 0: one sample per physical pixel.
    columns: int = 0
    rows: int = 0
    # Reads the overview that fits the size of a sample instead of the native cells.
    overviews: bool = False


@dataclass(frozen=True)
class ViewState:
    """The state of a view: everything that a frame needs. Map coordinates are in the map's spatial reference."""

    # Increases with every change of the values below.
    generation: int
    # The map point in the middle of the area that the insets leave free.
    center: tuple[float, float]
    # The denominator of the nominal scale.
    scale: float
    # The compass direction that is up on the screen, 0 <= rotation_deg < 360.
    rotation_deg: float
    # Map units per DIP.
    units_per_dip: float
    width_dip: float
    height_dip: float
    # Physical pixels per DIP.
    pixel_density: float
    insets: Insets
    # The screen point, in DIP, that shows center.
    anchor_dip: tuple[float, float]
    # float64 of shape (2, 2): map - center = screen_to_map @ (screen - anchor_dip). map_to_screen is its inverse.
    screen_to_map: FloatArray
    map_to_screen: FloatArray
    # The corners of the whole view, clockwise from the top left of the screen; float64 of shape (4, 2).
    visible_area: FloatArray


def view_state(state: _abi.ald_view_state) -> ViewState:
    insets = state.insets
    return ViewState(
        generation=state.generation,
        center=(state.center.x, state.center.y),
        scale=state.scale,
        rotation_deg=state.rotation_deg,
        units_per_dip=state.units_per_dip,
        width_dip=state.width_dip,
        height_dip=state.height_dip,
        pixel_density=state.pixel_density,
        insets=Insets(insets.top_dip, insets.right_dip, insets.bottom_dip, insets.left_dip),
        anchor_dip=(state.anchor_dip.x, state.anchor_dip.y),
        screen_to_map=np.array(state.screen_to_map).reshape(2, 2),
        map_to_screen=np.array(state.map_to_screen).reshape(2, 2),
        visible_area=np.array([(corner.x, corner.y) for corner in state.visible_area]),
    )


def c_grid(
    grid: ScreenGrid | None, columns: int | None = None, rows: int | None = None, *, scaled: bool = False
) -> _abi.ald_screen_grid:
    """The C form, with the numbers of samples that the caller has allocated."""
    grid = grid or ScreenGrid()
    result = _abi.ald_screen_grid(
        left_dip=grid.left_dip,
        top_dip=grid.top_dip,
        width_dip=grid.width_dip,
        height_dip=grid.height_dip,
        columns=int32(grid.columns if columns is None else columns, "columns"),
        rows=int32(grid.rows if rows is None else rows, "rows"),
    )
    result.flags = (ScreenGridFlags.OVERVIEWS if grid.overviews else 0) | (ScreenGridFlags.SCALED if scaled else 0)
    return result
