"""The types of the package, as type checkers see them."""
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "bindings" / "python"


def test_mypy(tmp_path):
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), "alidade"]
    found = subprocess.run(command, cwd=PACKAGE, text=True, capture_output=True)
    assert found.returncode == 0, found.stdout
    assert found.stdout.startswith("Success: no issues found in ")
