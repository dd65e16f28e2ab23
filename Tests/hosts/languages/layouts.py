"""What the C compiler says of the interface, and programs that say the same in Rust, Go and Java: the size of each struct,
the offset of each field, the value of each enumerator and constant, and which functions can be called.

A program prints a fact on each line. Left out are the structs that Go copies instead of passing them, and what Java has
of structs with pointers except their size: the other tests use these.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bindings" / "generator"))

import measure  # noqa: E402
from forms import is_plain, pascal  # noqa: E402
from header_model import Header  # noqa: E402
from java_binding import camel  # noqa: E402
from python_abi import member_name  # noqa: E402

BITS = 2**32 - 1


def facts(header: Header, sdk: Path, language: str) -> set[str]:
    """What the C compiler says, with the headers of an SDK."""
    include = sdk / "include"
    found = {f"function {name}" for name in header.functions}
    for layout in measure.structs(header, include):
        fields = list(enumerate(layout.fields))
        if language == "go" and not is_in_go(header, layout.name):
            continue
        found.add(f"struct {layout.name} {layout.size}")
        if language == "java":
            is_handle = header.structs[layout.name].is_handle
            fields = [(at, f) for at, f in fields if not is_handle and is_in_java(header, layout.name, f.name)]
        found |= {f"field {layout.name} {at} {field.offset} {field.size}" for at, field in fields}
    names = [e.name for enumeration in header.enumerations.values() for e in enumeration.enumerators]
    names += constants(header)
    source = '#include <alidade.h>\n#include <stdio.h>\nint main(void) {\n'
    source += "".join(f'  printf("value {name} %u\\n", (unsigned)({name}));\n' for name in names) + "  return 0;\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "values")
        Path(folder, "values.c").write_text(source)
        subprocess.run(["cc", f"-I{include}", "-o", program, f"{program}.c"], check=True)
        found |= set(subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines())
    return found


def is_in_go(header: Header, name: str) -> bool:
    return is_plain(header.structs[name], header)


def constants(header: Header) -> list[str]:
    return [name for name, text in header.macros.items() if text.isdigit() or text == "UINT32_MAX"]


def program(header: Header, language: str) -> str:
    return {"rust": _rust, "go": _go, "java": _java}[language](header)


def _rust(header: Header) -> str:
    lines = ["use alidade::sys::*;", "use std::mem::{size_of, MaybeUninit};", "use std::ptr::addr_of;"]
    lines += ["fn size_of_target<T>(_: *const T) -> usize {", "    size_of::<T>()", "}", "fn main() {"]
    for struct in header.structs.values():
        lines.append(f'    println!("struct {struct.name} {{}}", size_of::<{struct.name}>());')
        lines.append(f"    let value = MaybeUninit::<{struct.name}>::uninit();")
        lines.append("    let at = value.as_ptr();")
        for index, field in enumerate(struct.fields):
            name = {"type": "type_", "where": "where_"}.get(field.name, field.name)
            lines.append(f"    let field = unsafe {{ addr_of!((*at).{name}) }};")
            measured = "field as usize - at as usize, size_of_target(field)"
            lines.append(f'    println!("field {struct.name} {index} {{}} {{}}", {measured});')
    for enumeration in header.enumerations.values():
        for enumerator in enumeration.enumerators:
            member = member_name(enumerator.name, enumeration)
            value = f"alidade::{enumeration.name.removeprefix('ald_')}::{member} as u32"
            lines.append(f'    println!("value {enumerator.name} {{}}", {value});')
            # bindgen's own constant, which it reads from the header.
            lines.append(f"    assert_eq!({value}, {enumerator.name} as u32);")
    for name in constants(header):
        lines.append(f'    println!("value {name} {{}}", alidade::{name.removeprefix("ALD_")});')
    lines += [
        f'    if {name} as usize != 0 {{ println!("function {name}"); }}'
        for name in header.functions
    ]
    return "\n".join([*lines, "}", ""])


def _go(header: Header) -> str:
    lines = ["package main", "", "// #cgo pkg-config: alidade", "// #include <alidade.h>", 'import "C"', "", "import ("]
    lines += ['\t"alidade"', '\t"fmt"', '\t"reflect"', '\t"unsafe"', ")", "", "func show(name string, value any) {"]
    lines += ["\tkind := reflect.TypeOf(value)", '\tfmt.Println("struct", name, kind.Size())']
    lines += ["\tfor index := 0; index < kind.NumField(); index++ {"]
    lines += ['\t\tfmt.Println("field", name, index, kind.Field(index).Offset, kind.Field(index).Type.Size())', "\t}", "}", "", "func main() {"]
    for struct in header.structs.values():
        if is_in_go(header, struct.name):
            name = "RawError" if struct.name == "ald_error" else pascal(struct.name.removeprefix("ald_"))
            lines.append(f'\tshow("{struct.name}", alidade.{name}{{}})')
    for enumeration in header.enumerations.values():
        for enumerator in enumeration.enumerators:
            name = pascal(enumeration.name.removeprefix("ald_")) + pascal(member_name(enumerator.name, enumeration))
            lines.append(f'\tfmt.Println("value {enumerator.name}", uint32(alidade.{name}))')
    for name in constants(header):
        lines.append(f'\tfmt.Println("value {name}", alidade.{pascal(name.removeprefix("ALD_").lower())})')
    lines += [f'\tif unsafe.Pointer(C.{name}) != nil {{\n\t\tfmt.Println("function {name}")\n\t}}' for name in header.functions]
    return "\n".join([*lines, "}", ""])


def _java(header: Header) -> str:
    """In the package, because programs do not see the bytes of a struct. Fields that lead to memory are left out."""
    lines = [
        "package alidade;",
        "import com.sun.jna.NativeLibrary;",
        "import java.lang.reflect.Field;",
        "import java.lang.reflect.Method;",
        "import java.nio.ByteBuffer;",
        "import java.nio.ByteOrder;",
        "public final class Layouts {",
        # Whether a field has another value than in a struct of zeros.
        "  static boolean isSet(Object value) throws ReflectiveOperationException {",
        "    if (value instanceof Number) return ((Number) value).doubleValue() != 0;",
        "    if (value instanceof AlidadeStruct) {",
        "      for (Field field : value.getClass().getFields()) if (isSet(field.get(value))) return true;",
        "      return false;",
        "    }",
        "    if (value != null && value.getClass().isArray()) {",
        "      for (int at = 0; at < java.lang.reflect.Array.getLength(value); at++)",
        "        if (isSet(java.lang.reflect.Array.get(value, at))) return true;",
        "      return false;",
        "    }",
        '    return value != null && !value.equals("");',
        "  }",
        # The first or the last byte of the field is set; then exactly this field must differ.
        "  static void field(AlidadeStruct made, String name, int index, String member, int offset, int size)",
        "      throws ReflectiveOperationException {",
        "    for (int at : new int[] {offset, offset + size - 1}) {",
        "      byte[] bytes = new byte[made.size()];",
        # The last byte of a text is always a NUL.
        "      Class<?> kind = made.getClass().getField(member).getType();",
        "      bytes[kind == String.class || kind == Structs.RawError.class ? offset : at] = 0x41;",
        "      made.read(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()), 0, null);",
        "      for (Field field : made.getClass().getFields())",
        "        if (isSet(field.get(made)) != field.getName().equals(member)) return;",
        "    }",
        '    System.out.println("field " + name + " " + index + " " + offset + " " + size);',
        "  }",
        "  static void structs() throws ReflectiveOperationException {",
    ]
    for layout in measure.structs(header):
        struct = header.structs[layout.name]
        if struct.is_handle:
            # A handle is a long.
            lines.append(f'    System.out.println("struct {struct.name} " + Long.BYTES);')
            continue
        name = "RawError" if struct.name == "ald_error" else pascal(struct.name.removeprefix("ald_"))
        lines.append(f'    System.out.println("struct {struct.name} " + new Structs.{name}().size());')
        for index, (field, where) in enumerate(zip(struct.fields, layout.fields)):
            if is_in_java(header, struct.name, field.name):
                place = f"{where.offset}, {where.size}"
                lines.append(f'    field(new Structs.{name}(), "{struct.name}", {index}, "{camel(field.name)}", {place});')
    lines += ["  }", "  static void values() {"]
    for enumeration in header.enumerations.values():
        kind = pascal(enumeration.name.removeprefix("ald_"))
        for enumerator in enumeration.enumerators:
            value = f"Constants.{kind}.{member_name(enumerator.name, enumeration)}"
            lines.append(f'    System.out.println("value {enumerator.name} " + Integer.toUnsignedString({value}));')
    for name in constants(header):
        value = f"Constants.{name.removeprefix('ALD_')}"
        lines.append(f'    System.out.println("value {name} " + Integer.toUnsignedString({value}));')
    lines += [
        "  }",
        "  public static void main(String[] arguments) throws ReflectiveOperationException {",
        "    structs();",
        "    values();",
        # The first call maps all functions, and fails if the library does not have one of them.
        "    Alidade.getVersion();",
        '    NativeLibrary library = NativeLibrary.getInstance(System.getProperty("alidade.library"));',
        "    for (Method function : Functions.class.getDeclaredMethods())",
        '      if (library.getFunction(function.getName()) != null) System.out.println("function " + function.getName());',
        "  }",
    ]
    return "\n".join([*lines, "}", ""])


def is_in_java(header: Header, struct: str, name: str) -> bool:
    """Whether a field is a value that Java shows: no size, no pointer, no count of an array that goes in."""
    model = header.structs[struct]
    field = next(f for f in model.fields if f.name == name)
    is_shown = name != "struct_size" and not name.startswith("reserved")
    return is_shown and field.type.pointers == 0 and is_plain(model, header)
