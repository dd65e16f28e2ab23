"""What is generated from the header: nothing is left out in silence."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import shutil
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY

if shutil.which("clang") is None:
    pytest.skip("clang is not on PATH", allow_module_level=True)

sys.path[:0] = [str(REPOSITORY / "bindings" / "generator"), str(REPOSITORY / "Tests" / "abi" / "hostile")]

import doc_comment  # noqa: E402
import function_table  # noqa: E402
import header_model  # noqa: E402
import hostile  # noqa: E402
import json_model  # noqa: E402
import python_abi  # noqa: E402
import swift_enumerations  # noqa: E402
import swift_handles  # noqa: E402

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


def test_a_text_of_any_name_is_covered(tmp_path: Path) -> None:
    header = header_with(
        tmp_path,
        """/**
 * Sets a tag.
 *
 * @param tag The tag.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_ARGUMENT if the tag is NULL or not UTF-8.
 */
ALD_API ald_status ald_map_set_tag(ald_map map, const char *tag, ald_error *error);""",
    )
    program = hostile.render(header)
    assert 'a->tag = give_text("any text");' in program
    assert 'begin_case(2, "tag", "NULL", EXPECT_INVALID_ARGUMENT);' in program


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
        "typedef int32_t ald_tagged;\nenum ald_other { ALD_TAGGED = 1 };",
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


def test_new_handle_is_in_swift(tmp_path: Path) -> None:
    header = header_with(
        tmp_path,
        "typedef struct ald_map_pin {\n  uint64_t id;\n} ald_map_pin;\n"
        "ALD_API void ald_map_pin_release(ald_map_pin pin);",
    )
    assert '    case .mapPin: "map pin"' in swift_handles.kinds(header)
    conformances = swift_handles.conformances(header)
    assert "extension ald_map_pin: ObjectHandle {\n  typealias Object = MapPin\n" in conformances
    assert "public func ald_map_pin_release(_ pin: ald_map_pin) {\n  release(pin)\n}" in conformances


def test_handle_without_release_stops_the_generator(tmp_path: Path) -> None:
    header = header_with(tmp_path, "typedef struct ald_map_pin {\n  uint64_t id;\n} ald_map_pin;")
    with pytest.raises(header_model.HeaderError, match="ald_map_pin"):
        swift_handles.conformances(header)


def test_enumerations_are_in_swift(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = header_with(
        tmp_path,
        """/** How a pin looks. */
typedef int32_t ald_pin_style;
enum ald_pin_style_values {
  /** As a needle. */
  ALD_PIN_STYLE_DEFAULT = 0,
  /** See ald_map. */
  ALD_PIN_STYLE_FLAT_HEAD = 7
};
typedef uint32_t ald_pin_flags;
enum ald_pin_flags_values { ALD_PIN_HIDDEN = 1, ALD_PIN_BENT = 2 };""",
    )
    assert "let ALD_PIN_STYLE_FLAT_HEAD: Int32 = 7" in swift_enumerations.constants(header)
    mirror = swift_enumerations.Mirror
    mirrors = {
        "ald_pin_style": mirror("Pins", "Pin.Style"),
        "ald_pin_flags": mirror("Pins", "PinFlags", "UInt8", frozenset({"bent"}), {"hidden": "isHidden"}),
    }
    monkeypatch.setattr(swift_enumerations, "MIRRORS", mirrors)
    assert swift_enumerations.render(header, "Pins") == """extension Pin {
  /// How a pin looks.
  public enum Style: Int32, Sendable, CaseIterable {
    /// As a needle.
    case `default` = 0
    case flatHead = 7
  }
}

/// The pin flags of C.
public struct PinFlags: OptionSet, Sendable, Hashable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let isHidden = PinFlags(rawValue: 1)
}"""
    assert "let ALD_PIN_BENT: UInt32 = 2" in swift_enumerations.constants(header)
    twins = {"ald_pin_style": mirror("Pins", "A", twin="ald_map_text_kind")}
    monkeypatch.setattr(swift_enumerations, "MIRRORS", twins)
    with pytest.raises(header_model.HeaderError, match="ald_map_text_kind differ"):
        swift_enumerations.render(header, "Pins")
    monkeypatch.setattr(swift_enumerations, "MIRRORS", {"ald_gone": mirror("Pins", "Gone")})
    with pytest.raises(header_model.HeaderError, match="ald_gone"):
        swift_enumerations.render(header, "Pins")
    monkeypatch.setattr(swift_enumerations, "MIRRORS", {"ald_pin_flags": mirror("Pins", "A", "", frozenset({"no"}))})
    with pytest.raises(header_model.HeaderError, match="no"):
        swift_enumerations.render(header, "Pins")


def test_json_says_all_that_bindings_need() -> None:
    header = header_model.load()
    interface = json.loads(json_model.render(header))
    assert [f["name"] for f in interface["functions"]] == list(header.functions)
    assert [e["name"] for e in interface["enums"]] == list(header.enumerations)
    named = {f["name"]: {p["name"]: p for p in f["parameters"]} for f in interface["functions"]}
    request = named["ald_raster_open_async"]["out_request"]
    assert (request["direction"], request["ownership"], request["pointers"]) == ("out", "owned", 1)
    assert named["ald_raster_open_async"]["path"]["direction"] == "in"
    borrowed = [p for f in named.values() for p in f.values() if p.get("ownership") == "borrowed"]
    assert "ald_map" in {p["base"] for p in borrowed}
    assert named["ald_view_set_size"]["width_dip"]["unit"] == "dip"
    point = next(struct for struct in interface["structs"] if struct["name"] == "ald_point")
    assert (point["size"], [(f["name"], f["offset"]) for f in point["fields"]]) == (16, [("x", 0), ("y", 8)])
    assert interface["constants"]["ALD_ALL"] == 0xFFFFFFFF


def test_a_stale_file_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    loader = importlib.machinery.SourceFileLoader("generate", str(REPOSITORY / "bindings" / "generator" / "generate"))
    generate = importlib.util.module_from_spec(importlib.util.spec_from_loader("generate", loader))
    loader.exec_module(generate)
    names = [*generate.files(header_model.load()), "Tests/abi/dump/alidade.abi", "Tests/abi/dump/alidade.abi.xml"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, tmp_path / name)
    monkeypatch.setattr(generate, "REPOSITORY", tmp_path)
    monkeypatch.setattr(generate, "INTERFACE", tmp_path / "Tests" / "abi" / "dump" / "alidade.abi")
    monkeypatch.setattr(sys, "argv", ["generate", "--check"])
    assert generate.main() == 0
    for name in [names[0], names[-3], "Tests/abi/dump/alidade.abi"]:
        text = (tmp_path / name).read_text()
        (tmp_path / name).write_text(text.replace("ald_map", "ald_mop", 1) if "ald_map" in text else text + "\n")
        capsys.readouterr()
        assert generate.main() == 1
        assert f"{name} does not fit the headers" in capsys.readouterr().out
    page = tmp_path / "README.md"
    before, table, after = page.read_text().partition("| [Maps]")
    page.write_text(before + table + after.replace("add_layer", "add_lair", 1))
    capsys.readouterr()
    assert generate.main() == 1
    assert "README.md does not fit the headers" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["generate"])
    assert generate.main() == 0
    assert all((tmp_path / name).read_text() == (REPOSITORY / name).read_text() for name in names)


def test_the_table_of_functions_has_each_function_once() -> None:
    header = header_model.load()
    found: list[str] = []
    for row in function_table.render(header).splitlines()[4:]:
        for group in row.split(" | ")[2].removesuffix(" |").split("; "):
            beginning, _, names = group.removeprefix("`").partition("` ")
            found += [beginning + name for name in names.split(", ")]
    assert sorted(found) == sorted(header.functions)


def test_a_new_function_is_in_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    declaration = "/** Shines. */\nALD_API void ald_map_shine(ald_map map);"
    header = header_with(tmp_path, declaration)
    monkeypatch.setattr(function_table, "REPOSITORY", tmp_path)
    rows = function_table.render(header).splitlines()
    row = next(row for row in rows if "shine" in row)
    assert row.startswith("| [Maps](Include/alidade/map.h) | layers in drawing order, in one spatial reference | `ald_map_` ")


def test_only_the_table_of_a_page_is_replaced() -> None:
    header, marks = header_model.load(), (function_table.BEGIN, function_table.END)
    page = function_table.insert(header, f"Above.\n{marks[0]}\nold\n{marks[1]}\nBelow.\n")
    assert page.startswith(f"Above.\n{marks[0]}\nAll {len(header.functions)} functions:\n") and "old" not in page
    assert page.endswith(f" |\n{marks[1]}\nBelow.\n") and function_table.insert(header, page) == page
    with pytest.raises(header_model.HeaderError, match="marks"):
        function_table.insert(header, "No marks.\n")


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
