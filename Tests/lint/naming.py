#!/usr/bin/env python3
"""Checks the names of the C interface against one grammar, so that a host guesses them and knows what it must release.

The grammar is in the tables below; what it is checked against is the model of the headers that the generator reads.
Prints how many names break each rule, with --list each of them, and last "N passed, N failed": a check per rule.

    naming.py [--list] [--header FILE]
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "generator"))

import header_model  # noqa: E402
from header_model import CType, Field, Function, Header, Parameter  # noqa: E402

# Names that break a rule for a reason: "rule: name" and the reason.
EXCEPTIONS: dict[str, str] = {
    "lists: ald_unit_get_count": "the units themselves are the list",
    "lists: ald_unit_get_at": "the units themselves are the list",
    "lists: ald_feature_source_query_count": "reads the file, as ald_feature_source_query does",
    "lists: ald_graphics_overlay_clear_selection": "a selection is no list that has an add",
    "lists: ald_graphics_overlay_clear_history": "a history is no list that has an add",
    "lists: ald_raster_get_overview_size": "two sizes of one overview come out",
    "indexes: ald_vertex_report.worst_index": "the host's arrays may have more than 2^32 vertices",
    "counts: ald_feature_source_info.feature_count": "-1: unknown",
    "counts: ald_identify_options.area_count": "a lasso is an array of the host's points",
    "counts: ald_attribute.element_count": "may be as many bytes as size_t counts",
    "sizes in bytes: ald_attribute.element_count": "elements of any type, bytes among them",
    "counts: ald_coordinates.count": "coordinates come in columns of the host, as many as size_t counts",
    "counts: ald_feature_source_get_warning(out_unreadable_count)": "they were read into a list of the library",
}

# Forms that give the host an object, which it must release; besides them, only a parameter called out_new_x does.
GIVING = r"(create|open|clone)(_\w+)?|take_\w+|\w+_async"
# What a name may begin with after its object, and what that promises: properties, lists, look-up, reading.
FORMS = "create open clone take release get set is has add insert move remove clear find read query".split()
# Verbs of what a host has done: neither a property nor a list.
VERBS = (
    "advance animate begin build cancel compare convert dismiss drag end equals export fill handle hide identify load matches "
    "measure plan poll press project pump redo relate replay retry sample select show snap start stop test touch undo update wait wheel zoom"
).split()
# What is computed from values, by the field's own noun, and conversions of points such as screen_to_map.
COMPUTED = (
    r"areas?|lengths?|distances?|nearest|minimum_clearance|displacement|value|outline|profile|polygon_statistics"
    r"|polygon_classes|geodesic_(inverse|direct)|ground_resolution|scale_bar|grid_size|window_(around|size)|why_not_[a-z]+"
    r"|within_distance(_array)?|([a-z]+_)*(to|from)_[a-z]+"
)
# Objects besides the handles: kinds of layers, and the library itself.
SUBKINDS = {"raster_layer": "layer", "feature_layer": "layer", "group_layer": "layer"}
LIBRARY = {"get_version", "get_version_text"}

# Units, at the end of a name, and the words of a comment that call for one.
UNITS = {
    "dip": r"in DIP|logical pixels",
    "px": "physical pixels",
    "deg": "degrees",
    "m": "(?<!square )metres",
    "m2": "square metres",
    "s": "seconds",
    "ms": "milliseconds",
    "ns": "nanoseconds",
    "bytes": "bytes",
}
# Integers that count or measure bytes end in _bytes. These are not sizes: struct_size is named by the interface's rule.
NOT_BYTES = {"struct_size"}
# int32_t, because negative ones mean something or because rasters count so.
SIGNED_INDEXES = {"z_index", "z_indexes"}
# Structs whose counts go with int32_t numbers of bands, columns and rows.
RASTER_STRUCTS = {"ald_raster_info", "ald_band_info"}
# What an ald_point may be called that is no "point": parts of a shape, or a vector.
POINT_NAMES = r"\w*(point|points|location|position|center|origin|corners|offset|velocity|polygon|area|vertex|anchor|tip|base|start|end|point_[ab])"
# Words that names are kept free of, and what they become.
WORDS = {
    "place": "point, location, position", "at": "point", "told": "notified", "lent": "borrowed", "answer": "result",
    "answers": "results", "ways": "paths, curves",
}  # fmt: skip

# A name and what is wrong with it.
Finding = tuple[str, str]
Item = Parameter | Field


def noun_and_rest(function: Function, header: Header) -> tuple[str, str]:
    """("geometry_array", "create_buffers") of ald_geometry_array_create_buffers; "" for an unknown object."""
    name = function.name.removeprefix("ald_")

    def longest(nouns: set[str]) -> str:
        return max((noun for noun in nouns if name == noun or name.startswith(f"{noun}_")), key=len, default="")

    structs = [struct.name for struct in header.structs.values() if not struct.is_handle]
    values = {type_name.removeprefix("ald_") for type_name in [*structs, *header.enumerations]}
    value = longest(values | LIBRARY)
    # A value is the object if it stands first: ald_layer_view_flags_get_text is not a layer's.
    first = function.parameters[0].type.base if function.parameters else ""
    handle = longest({struct.name.removeprefix("ald_") for struct in header.handles} | set(SUBKINDS))
    found = value if first == f"ald_{value}" or not handle else handle
    return found, name[len(found) :].lstrip("_")


def out_handles(function: Function, header: Header) -> list[Parameter]:
    handles = {struct.name for struct in header.handles}
    return [p for p in function.parameters if p.type.base in handles and p.is_out]


def items(header: Header) -> Iterator[tuple[str, Item]]:
    """All parameters and fields, each with the name of its function or struct."""
    for function in header.functions.values():
        yield from ((f"{function.name}({p.name})", p) for p in function.parameters)
    for struct in header.structs.values():
        yield from ((f"{struct.name}.{f.name}", f) for f in struct.fields)


def is_integer(ctype: CType) -> bool:
    return re.fullmatch(r"u?int\d+_t|size_t", ctype.base) is not None


def ownership(header: Header) -> Iterator[Finding]:
    """create, open, clone, take and _async give an object, a parameter out_new_x is one, and nothing else is."""
    for function in header.functions.values():
        _, rest = noun_and_rest(function, header)
        gives = re.fullmatch(GIVING, rest) is not None
        outs = out_handles(function, header)
        for parameter in outs:
            is_new = parameter.name.startswith("out_new_")
            if parameter.ownership == "borrowed" and is_new:
                yield function.name, f"{parameter.name} is called new; its comment does not say that the host owns it"
            if parameter.ownership == "owned" and not (gives or is_new):
                yield function.name, f"gives {parameter.name} by a form that does not say so"
            if parameter.ownership == "borrowed" and gives:
                yield function.name, f"its form gives an object; the comment of {parameter.name} does not"
        if gives and not outs:
            yield function.name, "its form gives an object, and it has no out handle"
    for handle in header.handles:
        if f"{handle.name}_release" not in header.functions:
            yield handle.name, "has no _release"


def object_first(header: Header) -> Iterator[Finding]:
    """A name begins with its object: the first parameter, or what is created."""
    handles = {struct.name for struct in header.handles}
    for function in header.functions.values():
        noun, rest = noun_and_rest(function, header)
        # The form that waits is looked at; `asynchronous` compares the other with it.
        if noun in LIBRARY or rest.endswith("_async"):
            continue
        own = f"ald_{SUBKINDS.get(noun, noun)}"
        first = function.parameters[0].type.base if function.parameters else ""
        created = [p.type.base for p in function.parameters if p.is_out] if re.fullmatch(GIVING, rest) else []
        # A look-up and a list of values have no object yet; a value may stand behind the runtime.
        anywhere = [p.type.base for p in function.parameters] if own not in handles else []
        if not noun:
            yield function.name, "begins with no object"
        elif own not in [first, *created, *anywhere] and not (own in header.enumerations and rest.endswith("_count")):
            yield function.name, f"is called {own}_..., and its first parameter is {first or 'nothing'}"


def forms(header: Header) -> Iterator[Finding]:
    """After the object comes a form of the table, a verb or what is computed; a property is _get_x."""
    for function in header.functions.values():
        noun, rest = noun_and_rest(function, header)
        base = rest.removesuffix("_async")
        known = base.split("_")[0] in FORMS + VERBS or re.fullmatch(COMPUTED, base)
        if noun and not known and not (noun in LIBRARY and not rest):
            yield function.name, f"{rest or 'nothing'} is no form: _get_x for a property, otherwise a verb"


def lists(header: Header) -> Iterator[Finding]:
    """_get_x_count, _get_x_at(index), _add_x, _insert_x, _move_x, _remove_x, _clear_xs."""
    for function in header.functions.values():
        _, rest = noun_and_rest(function, header)
        names = {p.name for p in function.parameters}
        if rest.endswith("count") and not re.fullmatch(r"get_\w+_count", rest):
            yield function.name, "is not called _get_x_count"
        if rest.startswith("get_") and rest.endswith("_at") and not {"index", "element_index", "band"} & names:
            yield function.name, "is called _at and has no index"
        # The last index is that of the list; indexes before it say in which object.
        is_reader = re.match(r"add|insert|move|remove|create|callout|show", rest) is None
        if "index" in names and is_reader and not re.fullmatch(r"get_\w+_at", rest):
            yield function.name, "reads by index and is not called _get_x_at"
        if rest in ("add", "insert", "remove", "clear") or (rest == "move" and "index" in names):
            yield function.name, f"does not say what: _{rest}_x"
        if rest.startswith("clear_") and not rest.endswith("s"):
            yield function.name, "is not in the plural: _clear_xs"


def look_up(header: Header) -> Iterator[Finding]:
    """_find_x looks up by a key, and returns NOT_FOUND."""
    for function in header.functions.values():
        _, rest = noun_and_rest(function, header)
        if rest.startswith("find_") and "ALD_STATUS_NOT_FOUND" not in function.statuses:
            yield function.name, "does not list ALD_STATUS_NOT_FOUND"
        by_key = re.fullmatch(r"(from|by|for)_(name|code|key|id)|\w+_named", rest)
        finds = "ALD_STATUS_NOT_FOUND" in function.statuses and re.match(r"(get|is|has)_", rest)
        keys = [p for p in function.parameters[1:] if not p.is_out and p.name != "error" and "index" not in p.name]
        is_property = function.name.replace("_get_", "_set_") in header.functions
        if by_key or (finds and not is_property and any(p.type.spelling == "const char *" for p in keys)):
            yield function.name, "looks up by a key and is not called _find_x"


def asynchronous(header: Header) -> Iterator[Finding]:
    """x_async yields an ald_request, and x does the same and waits."""
    for function in header.functions.values():
        requests = [p for p in function.parameters if p.type.base == "ald_request" and p.is_out]
        is_async = function.name.endswith("_async")
        if is_async != bool(requests):
            yield function.name, "is called _async" if is_async else "yields a request and is not called _async"
        twin = header.functions.get(function.name.removesuffix("_async"))
        if is_async and twin is None:
            yield function.name, "has no form that waits"
        elif is_async and twin is not None:
            own = [p.name for p in function.parameters if not p.is_out and p.name not in ("request_options", "error")]
            if own != [p.name for p in twin.parameters if not p.is_out and p.name != "error"]:
                yield function.name, f"takes other parameters than {twin.name}"


def flags(header: Header) -> Iterator[Finding]:
    """_is_x and _has_x give one flag; a flag that is read alone is called so."""
    for function in header.functions.values():
        _, rest = noun_and_rest(function, header)
        outs = [p for p in function.parameters if p.is_out and p.name != "error"]
        says = len(outs) == 1 and outs[0].type.base == "uint32_t" and re.match(r"Receives (1 if|whether)", outs[0].doc)
        if re.match(r"(is|has)_", rest) and [p.type.spelling for p in outs] != ["uint32_t *"]:
            yield function.name, "is called as a flag and gives something else"
        if says and not re.match(rf"is_|has_|{'|'.join(VERBS)}", rest):
            yield function.name, "gives a flag and is not called _is_x or _has_x"


def batches(header: Header) -> Iterator[Finding]:
    """Many at once: the plural, or _array_."""
    for function in header.functions.values():
        names = {p.name for p in function.parameters}
        if "count" in names and any(name.endswith("stride_bytes") for name in names):
            if not re.search(r"s(_|$)|array|vertices|_(to|from)_|_geodesic_", function.name.removeprefix("ald_")):
                yield function.name, "takes many, and its name has no plural"


def byte_sizes(header: Header) -> Iterator[Finding]:
    """_bytes on every size in bytes."""
    previous: Item | None = None
    for where, item in items(header):
        of_bytes = previous is not None and previous.type.base in ("char", "void", "uint8_t")
        in_bytes = of_bytes and item.name == "capacity"
        in_bytes |= re.search(r"(^|_)(size|stride)$|byte_(count|size)", item.name) is not None
        in_bytes |= re.search(UNITS["bytes"], item.doc.split(". ")[0]) is not None and item.type.base == "size_t"
        previous = item
        plain = is_integer(item.type) and item.name not in NOT_BYTES and "offsets" not in item.name
        if in_bytes and plain and not item.name.endswith("_bytes"):
            yield where, "is in bytes"


def units(header: Header) -> Iterator[Finding]:
    """Units at the end of a name, in their short form."""
    spelled = r"degrees?|metres?|meters?|seconds?|millis(econds)?|nanos(econds)?|pixels?|minutes?"
    for where, item in items(header):
        if not re.fullmatch(r"double|float|ald_point|ald_envelope|u?int\d+_t|size_t", item.type.base):
            continue
        words = item.name.split("_")
        if not item.type.pointers and re.fullmatch(spelled, words[-1]) and "per" not in words and len(words) > 1:
            yield where, f"has the unit {words[-1]}, not one of {' '.join(UNITS)}"
        # dip_s is a speed; any other unit inside a name is not at its end.
        for unit in set(words[:-1]) & {"dip", "px", "deg", "ms", "bytes"}:
            if words[-2:] != [unit, "s"]:
                yield where, f"has its unit {unit} before the end"
        sentence = item.doc.split(". ")[0]
        # Screen points and map points are what they are called: base.h has their units.
        if re.search(r"screen_(point|xy)$", item.name):
            continue
        for unit, pattern in UNITS.items():
            wanted = rf"^(Receives |NULL, or receives )?([^,;:]* )?({pattern})\b(?!,| or| per)"
            if unit != "bytes" and re.search(wanted, sentence, re.I) and words[-1] not in UNITS and "per" not in words:
                yield where, f"is in the unit {unit} by its comment"
                break


def indexes(header: Header) -> Iterator[Finding]:
    """index is a position in a list: uint32_t."""
    for where, item in items(header):
        if re.search(r"(^|_)index(es)?$", item.name) and is_integer(item.type) and item.name not in SIGNED_INDEXES:
            if item.type.base != "uint32_t":
                yield where, f"is {item.type.base}, not uint32_t"


def counts(header: Header) -> Iterator[Finding]:
    """size_t for the host's arrays, uint32_t in structs and the library's lists, uint64_t for a source's features."""
    for function in header.functions.values():
        noun, rest = noun_and_rest(function, header)
        for p in function.parameters:
            if not re.search(r"(^|_)count$", p.name) or not is_integer(p.type) or "byte" in p.name:
                continue
            fills = p.name == "out_count" and re.search(r"\b(\w*capacity|max_\w+)\b", _names(function)) is not None
            arrays = [q for q in function.parameters if q.type.pointers and q.type.is_const and q.type.base != "char"]
            of_features = noun == "feature_source" and not re.search("field|sublayer", rest) or "feature_count" in rest
            caps = p.name == "max_count"
            wanted = "size_t" if fills or caps or not p.is_out and arrays else "uint64_t" if of_features else "uint32_t"
            yield from _wrong_count(f"{function.name}({p.name})", p, wanted)
    for struct in header.structs.values():
        for item in struct.fields:
            # Rasters count as they number: in int32_t.
            if re.search(r"(^|_)count$", item.name) and not (item.type.base == "int32_t" and struct.name in RASTER_STRUCTS):
                yield from _wrong_count(f"{struct.name}.{item.name}", item, "uint32_t")


def _wrong_count(where: str, item: Item, wanted: str) -> Iterator[Finding]:
    # What can be more than a list holds, such as points of a batch, may be wider than uint32_t.
    if item.type.base != wanted and (wanted, item.type.base) != ("uint32_t", "uint64_t"):
        yield where, f"is {item.type.base}, not {wanted}"


def _names(function: Function) -> str:
    return " ".join(p.name for p in function.parameters)


def points(header: Header) -> Iterator[Finding]:
    """A coordinate pair is a point: map_point, screen_point."""
    for where, item in items(header):
        bare = re.sub(r"(_(dip|px|m|s))+$", "", item.name)
        if item.type.base == "ald_point" and not re.fullmatch(POINT_NAMES, bare):
            yield where, "is a coordinate pair and not called a point"


def pairs(header: Header) -> Iterator[Finding]:
    """Two of a kind are a and b."""
    pattern = r"(one|other|first|second)(_|$)|_(one|other)$"
    for function in header.functions.values():
        inputs = [p for p in function.parameters if not p.is_out and p.name != "error"]
        for p in inputs:
            twins = [q for q in inputs if q.type.spelling == p.type.spelling]
            if re.match(pattern, p.name) and len(twins) == 2:
                yield f"{function.name}({p.name})", f"is one of two {p.type.base}: a, b"


def words(header: Header) -> Iterator[Finding]:
    """One word for one thing."""
    for where, item in items(header):
        parts = item.name.split("_")
        # A time may be called changed_at_ns; a point is not called worst_at.
        for word in set(parts) & set(WORDS) - ({"at"} if parts[-1] != "at" else set()):
            yield where, f"has the word {word}: {WORDS[word]}"
    for name in [*header.functions, *header.structs, *header.enumerations]:
        # _at ends the names of list readers.
        for word in set(name.split("_")) & set(WORDS) - {"at"}:
            yield name, f"has the word {word}: {WORDS[word]}"


def outs(header: Header) -> Iterator[Finding]:
    """What is written is called out_x, buffer or error; an out array's stride keeps its name."""
    for function in header.functions.values():
        for p in function.parameters:
            is_named = p.name.startswith("out_") or p.name in ("buffer", "error")
            if p.is_out != is_named and not p.name.endswith("stride_bytes"):
                yield f"{function.name}({p.name})", "is written" if p.is_out else "is not written"


def enumerators(header: Header) -> Iterator[Finding]:
    """Enumerators carry their type's prefix whole; enumerators of a set of bits leave out the word that says so."""
    for enumeration in header.enumerations.values():
        prefix = enumeration.name.upper() + "_"
        short = re.sub(r"_(FLAGS|FIELDS|FACTS)_$", "_", prefix) if enumeration.is_flags else prefix
        for enumerator in enumeration.enumerators:
            if not enumerator.name.startswith((prefix, short)):
                yield enumerator.name, f"does not begin with {short}"


def statuses(header: Header) -> Iterator[Finding]:
    """After @return come ALD_STATUS_OK and then, one item for each, the other statuses in the order of the enum."""
    enumeration = header.enumerations.get("ald_status")
    order = [enumerator.name for enumerator in enumeration.enumerators] if enumeration else []
    for function in header.functions.values():
        items = re.findall(r"(?:^| )- (ALD_STATUS_\w+)", function.doc.returns)
        if sorted(items, key=lambda name: order.index(name) if name in order else -1) != items:
            yield function.name, "lists its statuses in another order than the enum has"
        if len(set(items)) < len(items):
            yield function.name, "lists a status twice"
        if len(function.statuses) > 1 and not items:
            yield function.name, 'does not list its statuses as "ALD_STATUS_OK on success. Otherwise:" and items'


RULES: dict[str, Callable[[Header], Iterator[Finding]]] = {
    "the form says who owns an object": ownership,
    "the object comes first": object_first,
    "a name has a form of the table": forms,
    "lists": lists,
    "look-up by key": look_up,
    "without waiting": asynchronous,
    "flags": flags,
    "many at once": batches,
    "sizes in bytes": byte_sizes,
    "units": units,
    "indexes": indexes,
    "counts": counts,
    "points": points,
    "two of a kind": pairs,
    "words of names": words,
    "out parameters": outs,
    "enumerators": enumerators,
    "statuses": statuses,
}


def findings(header: Header) -> dict[str, list[Finding]]:
    """Of each rule, what breaks it."""
    found = {rule: list(dict.fromkeys(check(header))) for rule, check in RULES.items()}
    return {rule: [f for f in list_ if f"{rule}: {f[0]}" not in EXCEPTIONS] for rule, list_ in found.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print each name that breaks a rule")
    parser.add_argument("--header", type=Path, default=header_model.INCLUDE / "alidade.h")
    options = parser.parse_args()
    found = findings(header_model.load(options.header))
    for rule, broken in found.items():
        if broken:
            print(f"{len(broken):4} {rule}: {RULES[rule].__doc__}")
        for name, what in broken if options.list else []:
            print(f"       {name}: {what}")
    failed = sum(map(bool, found.values()))
    print(f"{len(found) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
