"""The C interface as data: what `Include/alidade.h` declares and what its comments say.

Everything that is made from the header is made from this model: the ctypes layer, the layout tables, the dump of the
interface, the hostile host. What the model does not understand is an error, so that nothing is left out in silence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import clang_ast
from doc_comment import DocComment, comment_before

REPOSITORY = Path(__file__).resolve().parents[2]
INCLUDE = REPOSITORY / "Include"

# Every function may answer these, whatever its comment lists (see Include/alidade/base.h).
PROCESS_WIDE_STATUSES = (
    "ALD_STATUS_FORKED",
    "ALD_STATUS_SHUTTING_DOWN",
    "ALD_STATUS_OUT_OF_MEMORY",
    "ALD_STATUS_INTERNAL",
)


# How names end that say a unit; dip_s is a speed.
UNITS = ("dip", "px", "deg", "m", "m2", "s", "ms", "ns", "bytes", "dip_s")


class HeaderError(Exception):
    """The header holds something that this model cannot describe."""


@dataclass(frozen=True)
class CType:
    """A C type: `base`, with pointers and an array length around it."""

    spelling: str
    base: str
    # Whether what is pointed to (or the value, if there is no pointer) is const.
    is_const: bool
    # How many pointers lie around base.
    pointers: int
    # The number of elements of an array, or None.
    length: int | None = None

    @staticmethod
    def parse(spelling: str) -> CType:
        """Reads the types that the interface uses: [const] [struct] name [*[const]]... [length]."""
        spelling = spelling.strip()
        match = re.fullmatch(r"(const )?(?:struct )?(\w+) ?((?:\*(?:const )?)*)(?:\[(\d+)\])?", spelling)
        if match is None:
            raise HeaderError(f"unknown form of type: {spelling}")
        const, base, stars, length = match.groups()
        return CType(spelling, base, const is not None, stars.count("*"), int(length) if length else None)


class _Measured:
    """A name that may end in a unit."""

    name: str

    @property
    def unit(self) -> str:
        """The unit at the end of the name, "" without one."""
        return max((unit for unit in UNITS if self.name.endswith(f"_{unit}")), key=len, default="")


@dataclass(frozen=True)
class Field(_Measured):
    name: str
    type: CType
    doc: str


@dataclass(frozen=True)
class Struct:
    name: str
    fields: tuple[Field, ...]
    doc: str

    @property
    def is_handle(self) -> bool:
        """Handles are the structs whose only field is `uint64_t id`."""
        return [(f.name, f.type.spelling) for f in self.fields] == [("id", "uint64_t")]

    @property
    def has_struct_size(self) -> bool:
        return self.fields[0].name == "struct_size"


@dataclass(frozen=True)
class Enumerator:
    name: str
    value: int
    doc: str


@dataclass(frozen=True)
class Enumeration:
    """A typedef of fixed width and the enum that follows it."""

    name: str
    # "int32_t", "uint32_t" or "uint8_t".
    storage: str
    enumerators: tuple[Enumerator, ...]
    doc: str

    @property
    def is_flags(self) -> bool:
        """Sets of bits are stored unsigned, in 32 bits; alternatives are signed or small."""
        return self.storage == "uint32_t"


@dataclass(frozen=True)
class Callback:
    """A typedef of a pointer to a function of the host's that returns nothing."""

    name: str
    parameters: tuple[CType, ...]
    doc: str
    # How many structs are declared before it.
    position: int


@dataclass(frozen=True)
class Parameter(_Measured):
    name: str
    type: CType
    doc: str

    @property
    def is_out(self) -> bool:
        """Whether the library writes to where it points."""
        return self.type.pointers > 0 and not self.type.is_const or self.type.spelling == "const char **"

    @property
    def ownership(self) -> str:
        """Who releases what an out handle names: "owned", by the host, or "borrowed", which stays the library's."""
        return "owned" if re.search(r"\bowns (it|them)\b|\b[Rr]eleases? (it|them) with\b", self.doc) else "borrowed"


@dataclass(frozen=True)
class Function:
    name: str
    returns: CType
    parameters: tuple[Parameter, ...]
    doc: DocComment
    # Which statuses the comment lists after @return; empty for a function that returns no status.
    statuses: tuple[str, ...]
    # The header that declares it.
    file: Path

    @property
    def returns_status(self) -> bool:
        return self.returns.spelling == "ald_status"

    @property
    def is_release(self) -> bool:
        return self.name.endswith("_release")


@dataclass
class Header:
    """All of the interface, each part in the order of declaration."""

    structs: dict[str, Struct] = field(default_factory=dict)
    enumerations: dict[str, Enumeration] = field(default_factory=dict)
    callbacks: dict[str, Callback] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    # Structs of other interfaces, of which only the names are declared.
    foreign_structs: list[str] = field(default_factory=list)
    # The text of every ALD_... macro.
    macros: dict[str, str] = field(default_factory=dict)
    # For every struct that has one, the name of its ALD_..._INIT macro.
    init_macros: dict[str, str] = field(default_factory=dict)
    # The header that declares a name, such as "map.h" for ald_map_create.
    files: dict[str, str] = field(default_factory=dict)

    @property
    def handles(self) -> list[Struct]:
        return [struct for struct in self.structs.values() if struct.is_handle]

    def storage(self, type_name: str) -> str:
        """The fixed-width integer behind an enumeration's name; any other name as it is."""
        enumeration = self.enumerations.get(type_name)
        return enumeration.storage if enumeration else type_name


def load(header: Path = INCLUDE / "alidade.h") -> Header:
    """Reads the header and all files of its folder that it includes."""
    model = Header()
    texts: dict[Path, str] = {}
    # A fixed-width typedef waits here for the enum that must follow it.
    waiting: tuple[str, str, str] | None = None
    for file, node in clang_ast.declarations(header, header.parent):
        text = texts.setdefault(file, file.read_text())
        kind = node["kind"]
        if "name" in node:
            model.files.setdefault(node["name"], file.name)
        if waiting is not None and kind != "EnumDecl":
            raise HeaderError(f"{waiting[0]} is not followed by its enum")
        if kind == "EnumDecl":
            if waiting is None:
                raise HeaderError(f"an enum of {file.name} does not follow a typedef of its width")
            name, storage, doc = waiting
            # Tools such as bindgen name the enumerators by the tag; in C++ it cannot be the typedef's name.
            if node.get("name", f"{name}_values") != f"{name}_values":
                raise HeaderError(f"the enum of {name} is tagged {node['name']}, not {name}_values")
            model.enumerations[name] = Enumeration(name, storage, _enumerators(node, text), doc)
            waiting = None
        elif kind == "RecordDecl" and not node.get("completeDefinition"):
            # A struct of another interface, such as Arrow's: it goes through as a pointer.
            model.foreign_structs.append(node["name"])
        elif kind == "RecordDecl":
            struct = _struct(node, text)
            model.structs[struct.name] = struct
        elif kind == "TypedefDecl":
            waiting = _fixed_width_typedef(node, text, model)
        elif kind == "FunctionDecl":
            function = _function(node, text, file)
            model.functions[function.name] = function
        else:
            raise HeaderError(f"unknown kind of declaration: {kind} {node.get('name')}")
    for file, text in texts.items():
        model.files |= {name: file.name for name in re.findall(r"(?m)^#define (ALD_\w+)", text)}
    _add_macros(model, header)
    _check(model)
    return model


def _fixed_width_typedef(node: clang_ast.Node, text: str, model: Header) -> tuple[str, str, str] | None:
    """The (name, storage, doc) of an enumeration's typedef; None for other typedefs, of which callbacks are noted."""
    name, spelling = node["name"], node["type"]["qualType"]
    if re.fullmatch(r"u?int(8|32)_t", spelling):
        return name, spelling, _doc(node, text).summary
    if name in model.structs and spelling == f"struct {name}":
        return None
    callback = re.fullmatch(r"void \(\*\)\((.*)\)", spelling)
    if callback is not None:
        parameters = tuple(CType.parse(part) for part in callback.group(1).split(","))
        model.callbacks[name] = Callback(name, parameters, _doc(node, text).summary, len(model.structs))
        return None
    raise HeaderError(f"unknown form of typedef: {name} is {spelling}")


def _struct(node: clang_ast.Node, text: str) -> Struct:
    fields = tuple(
        Field(child["name"], CType.parse(child["type"]["qualType"]), _doc(child, text).summary)
        for child in node.get("inner", [])
        if child["kind"] == "FieldDecl"
    )
    # The comment stands before `typedef struct`, a word before the struct itself.
    return Struct(node["name"], fields, comment_before(text, _offset(node), skip="typedef").summary)


def _enumerators(node: clang_ast.Node, text: str) -> tuple[Enumerator, ...]:
    enumerators = []
    for child in node["inner"]:
        if child["kind"] == "EnumConstantDecl":
            value = int(child["inner"][0]["value"])
            enumerators.append(Enumerator(child["name"], value, _doc(child, text).summary))
    return tuple(enumerators)


def _function(node: clang_ast.Node, text: str, file: Path) -> Function:
    doc = _doc(node, text)
    parameters = tuple(
        Parameter(child["name"], CType.parse(child["type"]["qualType"]), doc.parameters.get(child["name"], ""))
        for child in node.get("inner", [])
        if child["kind"] == "ParmVarDecl"
    )
    returns = CType.parse(node["type"]["qualType"].split("(")[0])
    statuses = tuple(dict.fromkeys(re.findall(r"ALD_STATUS_[A-Z_]+", doc.returns)))
    return Function(node["name"], returns, parameters, doc, statuses, file)


def _add_macros(model: Header, header: Path) -> None:
    for name, text in sorted(clang_ast.macro_definitions(header).items()):
        if not name.startswith("ALD_"):
            continue
        model.macros[name] = text
        if name.endswith("_INIT"):
            match = re.search(r"sizeof\((\w+)\)", text)
            if match is None:
                raise HeaderError(f"{name} does not begin with the size of its struct")
            model.init_macros[match.group(1)] = name


def _check(model: Header) -> None:
    """The rules of the header that the model relies on."""
    for struct in model.structs.values():
        if struct.has_struct_size != (struct.name in model.init_macros):
            raise HeaderError(f"{struct.name}: struct_size and an ALD_..._INIT macro come together")
    for function in model.functions.values():
        names = {p.name for p in function.parameters}
        unknown = set(function.doc.parameters) - names
        if unknown:
            raise HeaderError(f"{function.name}: the comment names unknown parameters: {sorted(unknown)}")
        if function.returns_status and "ALD_STATUS_OK" not in function.statuses:
            raise HeaderError(f"{function.name}: the comment does not list the statuses after @return")
        if function.returns_status and function.parameters[-1].type.spelling != "ald_error *":
            raise HeaderError(f"{function.name}: the last parameter is not an ald_error")


def _doc(node: clang_ast.Node, text: str) -> DocComment:
    return comment_before(text, _offset(node))


def _offset(node: clang_ast.Node) -> int:
    return clang_ast.begin(node)["offset"]
