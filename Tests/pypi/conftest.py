"""What the tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def runtime():
    import alidade

    with alidade.Runtime() as runtime:
        yield runtime


@pytest.fixture(scope="session")
def terrain_path():
    """Heights in metres, 492 x 412 cells of 10 m, EPSG:26910."""
    return ROOT / "Tests" / "data" / "rasters" / "Shasta_Elevation.tif"
