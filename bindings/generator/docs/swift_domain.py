"""A domain of Sphinx for Swift, as small as can be: entries that the search finds, and links to types."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.directives import ObjectDescription
from sphinx.domains import Domain, ObjType
from sphinx.util.nodes import make_id, make_refnode

KEYWORDS = set(
    "actor any associatedtype borrowing case class consuming convenience enum final func get indirect init inout let "
    "mutating nonisolated nonmutating override protocol required rethrows self set some static struct subscript throws "
    "typealias unowned var weak where".split()
)


class Entry(ObjectDescription[str]):
    """`{swift:symbol} DECLARATION` with the options name and kind."""

    option_spec = {**ObjectDescription.option_spec, "name": directives.unchanged, "kind": directives.unchanged}

    def handle_signature(self, sig: str, signode: addnodes.desc_signature) -> str:
        name = self.options["name"]
        last = re.match(r"\w+|\S+?(?=\()|\S+", name.split(".")[-1] if "..." not in name else name)
        own, is_named = last[0] if last else name, False
        for word in re.findall(r"`?\w+`?|\s+|[^\w\s`]", sig):
            if word == own and not is_named:
                signode += addnodes.desc_name(word, word)
                is_named = True
            elif word in KEYWORDS:
                signode += addnodes.desc_sig_keyword(word, word)
            elif re.match(r"[A-Z]", word):
                link = addnodes.pending_xref("", refdomain="swift", reftype="type", reftarget=word, refwarn=False)
                link += addnodes.desc_sig_name(word, word)
                signode += link
            else:
                signode += (
                    addnodes.desc_sig_punctuation(word, word) if word.strip() else addnodes.desc_sig_space(word, word)
                )
        return name

    def add_target_and_index(self, name: str, sig: str, signode: addnodes.desc_signature) -> None:
        anchor = make_id(self.env, self.state.document, "swift", name)
        signode["ids"].append(anchor)
        self.env.get_domain("swift").note(name, self.options["kind"], self.env.docname, anchor)
        self.indexnode["entries"].append(("single", f"{name} (Swift {self.options['kind']})", anchor, "", None))

    def _object_hierarchy_parts(self, sig_node: addnodes.desc_signature) -> tuple[str, ...]:
        return tuple(self.options["name"].split("."))

    def _toc_entry_name(self, sig_node: addnodes.desc_signature) -> str:
        return self.options["name"] if self.options["kind"] in ("class", "struct", "enum", "protocol") else ""


class SwiftDomain(Domain):
    name = "swift"
    label = "Swift"
    object_types = {"symbol": ObjType("symbol", "type")}
    directives = {"symbol": Entry}
    initial_data: dict[str, Any] = {"symbols": []}
    data_version = 1

    def note(self, name: str, kind: str, docname: str, anchor: str) -> None:
        self.data["symbols"].append((name, kind, docname, anchor))

    def clear_doc(self, docname: str) -> None:
        self.data["symbols"] = [symbol for symbol in self.data["symbols"] if symbol[2] != docname]

    def merge_domaindata(self, docnames: set[str], otherdata: dict[str, Any]) -> None:
        self.data["symbols"] += [symbol for symbol in otherdata["symbols"] if symbol[2] in docnames]

    def resolve_xref(self, env, fromdocname, builder, typ, target, node, contnode):  # type: ignore[no-untyped-def]
        found = self._types.get(target)
        return make_refnode(builder, fromdocname, *found, contnode, target) if found else None

    @functools.cached_property
    def _types(self) -> dict[str, tuple[str, str]]:
        """Where each type has its entry. It is asked for when all pages have been read."""
        types = reversed([symbol for symbol in self.data["symbols"] if symbol[1] in TYPES])
        return {name.split(".")[-1]: (docname, anchor) for name, _, docname, anchor in types}

    def resolve_any_xref(self, env, fromdocname, builder, target, node, contnode):  # type: ignore[no-untyped-def]
        return []

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        for name, _, docname, anchor in self.data["symbols"]:
            yield name, name, "symbol", docname, anchor, 2


TYPES = ("class", "struct", "enum", "protocol", "typealias")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_domain(SwiftDomain)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
