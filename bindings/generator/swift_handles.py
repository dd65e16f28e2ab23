"""Writes what each kind of handle has in Swift: its kind and its name, its conformance, its release function."""

from __future__ import annotations

from header_model import Header, HeaderError
from swift_names import camel, escaped, pascal

# Classes that are not called as their handles.
CLASSES = {"ald_view": "MapView"}


def kinds(header: Header) -> str:
    """AlidadeBase: the enumeration of kinds."""
    names = [handle.name for handle in header.handles]
    cases = [_case(name) for name in names]
    return "\n".join([
        "/// The kinds of object that a host can hold a handle of. The number is part of the handle.",
        "public enum HandleKind: UInt8, Sendable, CaseIterable {",
        *[f"  case {escaped(case)} = {number}" for number, case in enumerate(cases, 1)],
        "",
        "  /// The noun.",
        "  public var name: String {",
        "    switch self {",
        *[f'    case .{case}: "{_words(name)}"' for case, name in zip(cases, names)],
        "    }",
        "  }",
        "}",
    ])  # fmt: skip


def conformances(header: Header) -> str:
    """AlidadeABI: what ties each handle type to its class, and the release functions."""
    parts = []
    for handle in header.handles:
        release = header.functions.get(f"{handle.name}_release")
        if release is None or len(release.parameters) != 1:
            raise HeaderError(f"{handle.name} has no release function of one parameter")
        parameter = release.parameters[0].name
        parts.append("\n".join([
            f"extension {handle.name}: ObjectHandle {{",
            f"  typealias Object = {CLASSES.get(handle.name) or pascal(handle.name.removeprefix('ald_'))}",
            f"  static var kind: HandleKind {{ .{_case(handle.name)} }}",
            "}",
            "",
            f'@_cdecl("{release.name}") @implementation',
            f"public func {release.name}(_ {parameter}: {handle.name}) {{",
            f"  release({parameter})",
            "}",
        ]))  # fmt: skip
    imports = ["AlidadeBase", "AlidadeCoordinates", "AlidadeData", "AlidadeGeometry", "AlidadeMap", "CAlidade"]
    return "\n\n".join(["\n".join(f"import {module}" for module in imports), *parts])


def _words(handle: str) -> str:
    return handle.removeprefix("ald_").replace("_", " ")


def _case(handle: str) -> str:
    return camel(handle.removeprefix("ald_"))
