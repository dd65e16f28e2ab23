"""Tests of the naming lint: each rule finds the name that breaks it and leaves the right one alone."""

from __future__ import annotations

from pathlib import Path

import naming
import pytest
from naming import header_model

# What the cases below are declared after.
PREAMBLE = """#include <stddef.h>
#include <stdint.h>
typedef int32_t ald_status;
enum { ALD_STATUS_OK = 0, ALD_STATUS_INVALID_HANDLE = 2, ALD_STATUS_NOT_FOUND = 4 };
typedef int32_t ald_unit;
enum { ALD_UNIT_NONE = 0 };
typedef struct ald_error { ald_status status; } ald_error;
typedef struct ald_point { double x; double y; } ald_point;
typedef struct ald_map { uint64_t id; } ald_map;
typedef struct ald_layer { uint64_t id; } ald_layer;
typedef struct ald_request { uint64_t id; } ald_request;
void ald_map_release(ald_map map);
void ald_layer_release(ald_layer layer);
void ald_request_release(ald_request request);
"""


def broken(folder: Path, declarations: str) -> set[str]:
    """The rules that declarations, one a line, break: name(parameters) becomes a function with an error and a comment.

    What follows "@" in a parameter is its comment.
    """
    text = PREAMBLE
    for declaration in filter(None, declarations.split("\n")):
        if declaration.startswith(("typedef")):
            text += declaration + "\n"
            continue
        name, _, parameters = declaration.rstrip(")").partition("(")
        comment, kept = [], []
        for parameter in parameters.split(","):
            code, _, said = parameter.strip().partition(" @")
            kept.append(code)
            comment.append(f" * @param {code.split()[-1].lstrip('*')} {said}")
        others = ["NOT_FOUND"] if "find_" in name or "keyed" in parameters else []
        others += ["INVALID_HANDLE"] if "late" in parameters else []
        items = [f" *   - ALD_STATUS_{other} if it fails." for other in others]
        lines = ["/** Does it.", *comment, " * @return ALD_STATUS_OK on success. Otherwise:", *items, " */"]
        text += "\n".join(lines) + f"\nald_status {name}({', '.join(kept)}, ald_error *error);\n"
    header = folder / "alidade.h"
    header.write_text(text)
    return {rule for rule, found in naming.findings(header_model.load(header)).items() if found}


GIVES = "@Receives it. The host owns it."
CASES: dict[str, tuple[str, str]] = {
    # rule: (breaks it, keeps it)
    "the form says who owns an object": (
        f"ald_map_get_top(ald_map map, ald_layer *out_layer {GIVES})",
        f"ald_map_create_top(ald_map map, ald_layer *out_layer {GIVES})\nald_map_get_top(ald_map map, ald_layer *out_layer)",
    ),
    "the object comes first": (
        "ald_layer_get_depth(ald_map map, uint32_t *out_depth)",
        "ald_map_get_depth(ald_map map, uint32_t *out_depth)\nald_unit_find_by_code(int32_t code, ald_unit *out_unit)",
    ),
    "a name has a form of the table": (
        "ald_map_scale(ald_map map, double *out_scale)",
        "ald_map_get_scale(ald_map map, double *out_scale)",
    ),
    "lists": (
        "ald_map_get_layer(ald_map map, uint32_t index, ald_layer *out_layer)",
        "ald_map_get_layer_at(ald_map map, uint32_t index, ald_layer *out_layer)\nald_map_clear_layers(ald_map map)",
    ),
    "look-up by key": (
        "ald_map_get_layer(ald_map map, const char *keyed, ald_layer *out_layer)",
        "ald_map_find_layer(ald_map map, const char *name, ald_layer *out_layer)",
    ),
    "without waiting": (
        f"ald_map_load_async(ald_map map, ald_request *out_request {GIVES})",
        f"ald_map_load_async(ald_map map, ald_request *out_request {GIVES})\nald_map_load(ald_map map)",
    ),
    "flags": (
        "ald_layer_get_visible(ald_layer layer, uint32_t *out_visible @Receives 1 if it is.)",
        "ald_layer_is_visible(ald_layer layer, uint32_t *out_visible @Receives 1 if it is.)",
    ),
    "many at once": (
        "ald_map_project(ald_map map, const double *xy, size_t stride_bytes, size_t count)",
        "ald_map_project_points(ald_map map, const double *xy, size_t stride_bytes, size_t count)",
    ),
    "sizes in bytes": (
        "ald_map_get_name(ald_map map, char *buffer, size_t capacity)",
        "ald_map_get_name(ald_map map, char *buffer, size_t capacity_bytes)",
    ),
    "units": (
        "ald_map_set_rotation(ald_map map, double rotation @Clockwise from north in degrees.)",
        "ald_map_set_rotation(ald_map map, double rotation_deg @Clockwise from north in degrees.)",
    ),
    "indexes": (
        "ald_map_get_layer_at(ald_map map, int32_t index, ald_layer *out_layer)",
        "ald_map_get_layer_at(ald_map map, uint32_t index, ald_layer *out_layer)",
    ),
    "counts": (
        "typedef struct ald_ids { const int64_t *ids; int64_t id_count; } ald_ids;\n"
        "ald_map_select_layers(ald_map map, const ald_ids *ids)",
        "typedef struct ald_ids { const int64_t *ids; uint32_t id_count; } ald_ids;\n"
        "ald_map_select_layers(ald_map map, const ald_ids *ids)\nald_map_get_layer_count(ald_map map, uint32_t *out_count)",
    ),
    "points": (
        "ald_map_identify(ald_map map, ald_point screen_dip)",
        "ald_map_identify(ald_map map, ald_point screen_point)",
    ),
    "two of a kind": (
        "ald_layer_equals(ald_layer layer, ald_layer other_layer, uint32_t *out_equal)",
        "ald_layer_equals(ald_layer a, ald_layer b, uint32_t *out_equal)",
    ),
    "words of names": (
        "ald_map_show(ald_map map, double place)",
        "ald_map_show(ald_map map, double position)",
    ),
    "out parameters": (
        "ald_map_get_scale(ald_map map, double *scale)",
        "ald_map_get_scale(ald_map map, double *out_scale)",
    ),
    "enumerators": (
        "typedef int32_t ald_load_status; enum { ALD_LOADED = 0 };",
        "typedef int32_t ald_load_status; enum { ALD_LOAD_STATUS_LOADED = 0 };",
    ),
    "statuses": (
        "ald_map_find_layer(ald_map map, const char *late, ald_layer *out_layer)",
        "ald_map_set_name(ald_map map, const char *late)",
    ),
}


def test_each_rule_has_a_case() -> None:
    assert list(CASES) == list(naming.RULES)


@pytest.mark.parametrize("rule", CASES)
def test_rule(rule: str, tmp_path: Path) -> None:
    bad, good = CASES[rule]
    assert rule in broken(tmp_path, bad)
    assert broken(tmp_path, good) == set()


def test_an_exception_lets_a_name_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(naming.EXCEPTIONS, "points: ald_map_identify(screen_dip)", "the reason")
    assert broken(tmp_path, "ald_map_identify(ald_map map, ald_point screen_dip)") == set()
