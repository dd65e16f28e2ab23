"""What is generated from the header: nothing is left out in silence."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY

if shutil.which("clang") is None:
    pytest.skip("clang is not on PATH", allow_module_level=True)

sys.path[:0] = [str(REPOSITORY / "bindings" / "generator"), str(REPOSITORY / "Tests" / "abi")]

import doc_comment  # noqa: E402
import header_model  # noqa: E402
import hostile  # noqa: E402
import python_abi  # noqa: E402

INCLUDE = REPOSITORY / "Include"


def header_with(tmp_path: Path, declaration: str) -> header_model.Header:
    """The interface with something more at the end of map.h."""
    shutil.copytree(INCLUDE, tmp_path / "Include")
    file = tmp_path / "Include" / "alidade" / "map.h"
    before, mark, after = file.read_text().rpartition("#ifdef __cplusplus")
    file.write_text(before + declaration + "\n\n" + mark + after)
    return header_model.load(tmp_path / "Include" / "alidade.h")


def test_new_function_is_covered(tmp_path: Path) -> None:
    header = header_with(
        tmp_path,
        """/**
 * Counts the bands.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 */
ALD_API ald_status ald_map_bands(ald_map map, uint32_t *out_count, ald_error *error);""",
    )
    function = header.functions["ald_map_bands"]
    assert function.statuses == ("ALD_STATUS_OK", "ALD_STATUS_INVALID_HANDLE", "ALD_STATUS_INVALID_ARGUMENT")
    assert function.parameters[1].doc == "Receives the number."
    assert "library.ald_map_bands.argtypes" in python_abi.render(header)
    program = hostile.render(header)
    assert 'begin_case(1, "map", h.label, h.expectation);' in program.partition("test_ald_map_bands(void)")[2]
    assert 'begin_case(2, "out_count", "NULL", EXPECT_INVALID_ARGUMENT);' in program


@pytest.mark.parametrize(
    "parameter",
    ["float brightness", "double brightness", "const uint16_t *samples", "size_t sample_count", "ald_map *map_out"],
)
def test_unknown_parameter_stops_the_hostile_host(tmp_path: Path, parameter: str) -> None:
    header = header_with(
        tmp_path,
        f"""/**
 * Does something.
 *
 * @return ALD_STATUS_OK.
 */
ALD_API ald_status ald_map_shine(ald_map map, {parameter}, ald_error *error);""",
    )
    with pytest.raises(header_model.HeaderError, match="ald_map_shine"):
        hostile.render(header)


@pytest.mark.parametrize(
    "declaration",
    [
        "typedef int32_t ald_lonely;\nALD_API void ald_map_lonely(ald_map map);",
        "enum { ALD_NAMELESS = 1 };",
        "/** Lists no status. */\nALD_API ald_status ald_map_silent(ald_map map, ald_error *error);",
        "/** @return ALD_STATUS_OK. */\nALD_API ald_status ald_map_mute(ald_map map);",
        "/**\n * @param mapp Wrong name.\n */\nALD_API void ald_map_typo(ald_map map);",
        "typedef struct ald_sized {\n  uint32_t struct_size;\n} ald_sized;",
        "typedef union ald_either {\n  int32_t a;\n  float b;\n} ald_either;",
    ],
)
def test_what_breaks_the_headers_rules_stops_the_model(tmp_path: Path, declaration: str) -> None:
    with pytest.raises(header_model.HeaderError):
        header_with(tmp_path, declaration)


def test_types() -> None:
    parse = header_model.CType.parse
    assert parse("const char *const *").pointers == 2
    assert parse("double[6]").length == 6
    assert parse("const ald_rgba *").is_const and parse("const ald_rgba *").base == "ald_rgba"
    with pytest.raises(header_model.HeaderError):
        parse("int (*)(void)")


def test_comments() -> None:
    text = "/**\n * First line,\n * second.\n *\n * More.\n *\n * @param a One,\n *   two.\n * @return Three.\n */\nint f;"
    comment = doc_comment.comment_before(text, text.index("int"))
    assert comment.summary == "First line, second.\n\nMore."
    assert comment.parameters == {"a": "One, two."}
    assert comment.returns == "Three."
    assert doc_comment.comment_before("/* plain */ int f;", 12).summary == ""
