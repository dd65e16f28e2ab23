"""Which statuses tests have provoked: every status that a comment lists needs a test that provokes it.

While the environment variable of `RECORD` names a file, programs built by toolbox.Sdk.compile note there what each
function returns: the linker leads every call through a generated function of the same signature. The file is a byte
per function and status, shared by all programs and the processes that they fork off.
"""

from __future__ import annotations

import mmap
import os
from pathlib import Path

from header_model import PROCESS_WIDE_STATUSES, Function, Header

RECORD = "ALIDADE_STATUS_RECORD"
STATUS_COUNT = 32

PRELUDE = f"""\
#include "alidade.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {{ STATUS_COUNT = {STATUS_COUNT} }};

static volatile unsigned char *record;

__attribute__((constructor)) static void open_record(void) {{
  const char *path = getenv("{RECORD}");
  const int file = path ? open(path, O_RDWR) : -1;
  if (file < 0)
    return;
  void *memory = mmap(NULL, FUNCTION_COUNT * STATUS_COUNT, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED)
    record = memory;
}}

static ald_status note(int function, ald_status status) {{
  if (record && status >= 0 && status < STATUS_COUNT)
    record[function * STATUS_COUNT + status] = 1;
  return status;
}}
"""


def functions(header: Header) -> list[Function]:
    """Those that answer a status, in the order of the record."""
    return [function for function in header.functions.values() if function.returns_status]


def render(header: Header) -> str:
    """C that stands between a program and the library."""
    parts = [f"#define FUNCTION_COUNT {len(functions(header))}", PRELUDE]
    for number, function in enumerate(functions(header)):
        declared = ", ".join(f"{p.type.spelling} {p.name}" for p in function.parameters)
        names = ", ".join(p.name for p in function.parameters)
        parts.append(
            f"ald_status __real_{function.name}({declared});\n"
            f"ald_status __wrap_{function.name}({declared});\n"
            f"ald_status __wrap_{function.name}({declared}) {{\n"
            f"  return note({number}, __real_{function.name}({names}));\n}}\n"
        )
    return "\n".join(parts)


def begin_recording(folder: Path, header: Header) -> Path:
    """From now on this process and those that it starts record into the file that comes back."""
    path = folder / "statuses"
    path.write_bytes(bytes(len(functions(header)) * STATUS_COUNT))
    path.with_suffix(".c").write_text(render(header))
    # Arguments of the linker, for a command line that names this file.
    path.with_suffix(".options").write_text("".join(f"-Wl,--wrap={f.name}\n" for f in functions(header)))
    os.environ[RECORD] = str(path)
    return path


def sources() -> list[Path]:
    """What a program is built with, so that it records; nothing if nothing is recorded."""
    path = os.environ.get(RECORD)
    return [Path(f"{path}.c")] if path else []


def link_options() -> list[str]:
    """What goes to the linker with these sources."""
    path = os.environ.get(RECORD)
    return [f"@{path}.options"] if path else []


def missing(path: Path, header: Header) -> tuple[int, list[tuple[str, str]]]:
    """How many documented statuses have been provoked, and those that have not, each with its function.

    The statuses of the process do not count: most cannot be provoked function by function.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as record:
        provoked, others = 0, []
        for number, function in enumerate(functions(header)):
            for status in function.statuses:
                if status in PROCESS_WIDE_STATUSES:
                    continue
                if record[number * STATUS_COUNT + _value(header, status)]:
                    provoked += 1
                else:
                    others.append((function.name, status))
    return provoked, others


def _value(header: Header, status: str) -> int:
    return next(e.value for e in header.enumerations["ald_status"].enumerators if e.name == status)
