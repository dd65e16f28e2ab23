"""What the site adds to Sphinx: links from names of the interface to their entries, in text and in code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains.c import CDomain
from sphinx.domains.cpp import CPPDomain
from sphinx.environment.adapters.toctree import document_toc
from sphinx.ext import napoleon
from sphinx.transforms.post_transforms import SphinxPostTransform

# Functions, types and constants of C, a field of a struct, a header.
C_NAMES = re.compile(r"\b(?:ald_\w+(?:\.\w+)?|ALD_\w+|alidade/\w+\.h)\b")
IN_CODE = re.compile(r'<span class="(n|nf|nc|kt|nn|no|nb)">((?:ald|ALD)_\w+)</span>')


class LinkNames(SphinxPostTransform):
    """Links each name of the interface of C, and each name of Python or C++ that stands alone as code."""

    default_priority = 5
    unlinked = (
        nodes.reference,
        nodes.literal_block,
        nodes.title,
        nodes.raw,
        nodes.target,
        addnodes.pending_xref,
        addnodes.desc_signature,
    )

    def run(self, **kwargs: Any) -> None:
        for text in list(self.document.findall(nodes.Text)):
            parent = text.parent
            above = parent
            while above is not None and not isinstance(above, self.unlinked):
                above = above.parent
            if above is not None:
                continue
            whole = isinstance(parent, nodes.literal) and self._object(text.astext())
            if whole:
                parent.replace(text, self._link(text.astext(), *whole))
            elif C_NAMES.search(text.astext()):
                parent.replace(text, self._linked(text.astext()))

    def _linked(self, text: str) -> list[nodes.Node]:
        names, found, end = self.config.c_names, [], 0
        for match in C_NAMES.finditer(text):
            name = match[0] if match[0] in names else match[0].partition(".")[0] if not match[0].endswith(".h") else ""
            if name not in names:
                continue
            page, _, anchor = names[name].partition("#")
            found += [nodes.Text(text[end : match.start()]), self._link(name, page, anchor)]
            end = match.start() + len(name)
        return [node for node in (*found, nodes.Text(text[end:])) if node.astext()]

    def _object(self, name: str) -> tuple[str, str] | None:
        """The entry of a class or a member of Python (View.identify) or of C++ (view_ref::identify)."""
        if re.fullmatch(r"(alidade\.)?[A-Z]\w+(\.\w+)?(\(\))?|alidade\.\w+(\.\w+)?", name):
            key = "alidade." + name.removeprefix("alidade.").removesuffix("()")
            entry = self.env.domains.python_domain.objects.get(key)
            return (entry.docname, entry.node_id) if entry else None
        if re.fullmatch(r"(alidade::)?\w+(::\w+)?", name) and ("::" in name or name.endswith("_ref")):
            return cpp_anchors(self.env).get("alidade::" + name.removeprefix("alidade::"))
        return None

    def _link(self, text: str, page: str, anchor: str) -> nodes.reference:
        address = self.app.builder.get_relative_uri(self.env.docname, page) + (f"#{anchor}" if anchor else "")
        return nodes.reference("", text, internal=True, refuri=address, classes=["name"])


def cpp_anchors(env: Any) -> dict[str, tuple[str, str]]:
    """The entry of each class and function of C++; of several forms, the first."""
    if not hasattr(env, "_cpp_anchors"):
        env._cpp_anchors = {}
        for name, _, _, docname, anchor, _ in env.domains.cpp_domain.get_objects():
            env._cpp_anchors.setdefault(name, (docname, anchor))
    return env._cpp_anchors


def link_c_types(
    app: Sphinx, env: Any, node: addnodes.pending_xref, content: nodes.TextElement
) -> nodes.reference | None:
    """Types of C in the signatures of C++."""
    entry = app.config.c_names.get(node.get("reftarget", ""))
    if entry is None:
        return None
    page, _, anchor = entry.partition("#")
    address = app.builder.get_relative_uri(node["refdoc"], page) + f"#{anchor}"
    return nodes.reference("", "", content, internal=True, refuri=address)


def link_code(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Links in highlighted code, which is HTML when it comes out of the highlighter."""

    def link(match: re.Match[str]) -> str:
        entry = app.config.c_names.get(match[2])
        if entry is None:
            return match[0]
        page, _, anchor = entry.partition("#")
        address = app.builder.get_relative_uri(pagename, page) + f"#{anchor}"
        return f'<a class="name {match[1]}" href="{address}">{match[2]}</a>'

    if "body" in context:
        context["body"] = IN_CODE.sub(link, context["body"])


def split_contents(app: Sphinx, env: Any) -> None:
    """Keeps the functions of a page out of the navigation of all pages, where they cost a minute and are not shown."""
    env.contents_of_pages, env.tocs = env.tocs, {name: contents.deepcopy() for name, contents in env.tocs.items()}
    for contents in env.tocs.values():
        for item in [item for item in contents.findall(nodes.list_item) if item.parent is not contents]:
            if not next(item.findall(addnodes.toctree), None):
                item.parent.remove(item)


def show_contents(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """The contents of a page, with its functions."""
    if doctree is not None:
        env: Any = app.env
        builder: Any = app.builder
        slim, env.tocs = env.tocs, env.contents_of_pages
        context["toc"] = builder.render_partial(document_toc(env, pagename, app.tags))["fragment"]
        env.tocs = slim
        context["furo_hide_toc"] = context["toc"].count("<li>") < 2


def read_sections(app: Sphinx, what: str, name: str, item: Any, options: Any, lines: list[str]) -> None:
    """Sections of docstrings, such as "Args:". The text of a property is no "type: text", as Napoleon takes it."""
    settings = napoleon.Config(napoleon_use_rtype=False, napoleon_use_ivar=True)
    lines[:] = napoleon.GoogleDocstring(
        lines, settings, app, "class" if what == "class" else "method", name, item, options
    ).lines()


def tidy_signature(app: Sphinx, what: str, name: str, item: Any, options: Any, arguments: str, returns: str) -> Any:
    """Objects of the library are made by functions: what a handle is wrapped with is nobody's concern."""
    if what == "class" and re.match(r"\((handle\b|self\b)", arguments or ""):
        return "", None
    # What Sphinx makes of an alias in a union.
    return tuple(
        re.sub(r"TypeAliasForwardRef\('([\w.]+)'\)", r"\1", text) if text else text for text in (arguments, returns)
    )


class CWithoutParameters(CDomain):
    """The domain of C. Parameters are found with their function, so the search does not list them."""

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        return (entry for entry in super().get_objects() if entry[2] != "functionParam")


class CppWithoutParameters(CPPDomain):
    """The domain of C++, likewise."""

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        return (entry for entry in super().get_objects() if entry[2] not in ("functionParam", "templateParam"))


def setup(app: Sphinx) -> dict[str, Any]:
    names = json.loads((Path(app.confdir) / "c_names.json").read_text(encoding="utf-8"))
    app.add_config_value("c_names", names, "env")
    app.add_post_transform(LinkNames)
    app.connect("missing-reference", link_c_types)
    app.connect("autodoc-process-docstring", read_sections)
    app.connect("autodoc-process-signature", tidy_signature)
    app.add_domain(CWithoutParameters, override=True)
    app.add_domain(CppWithoutParameters, override=True)
    app.connect("env-updated", split_contents)
    app.connect("html-page-context", show_contents, priority=600)
    app.connect("html-page-context", link_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
