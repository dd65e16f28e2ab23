#!/usr/bin/env python3
"""Checks that the C++ header of an SDK has all of the C interface: complete.py SDK

Each function that can fail is called twice, in a form that throws and in a form that sets an error code; each other
function is called once. Each status has an enumerator of alidade::errc. Prints what is missing and, last, "N passed, N failed".
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

# Functions that have only their C form, with the reason.
ONLY_C: dict[str, str] = {}


def main() -> int:
    sdk = Path(sys.argv[1])
    interface = json.loads((sdk / "share" / "alidade" / "alidade.json").read_text(encoding="utf-8"))
    header = (sdk / "include" / "alidade" / "cpp" / "interface.hpp").read_text(encoding="utf-8")
    base = (sdk / "include" / "alidade" / "cpp" / "base.hpp").read_text(encoding="utf-8")
    calls = Counter(re.findall(r"\b(ald_\w+)\(", re.sub(r"//[^\n]*", "", header)))
    passed = 0
    missing = []
    for function in interface["functions"]:
        forms = 2 if function["returns"]["type"] == "ald_status" else 1
        if calls[function["name"]] >= forms or function["name"] in ONLY_C:
            passed += 1
        else:
            missing.append(f"{function['name']} has {calls[function['name']]} of {forms} forms")
    listed = set(re.findall(r"^// (ald_\w+): ", header, re.MULTILINE))
    if listed != set(ONLY_C):
        missing.append(f"the header lists as C only: {sorted(listed)}")
    for status in next(e for e in interface["enums"] if e["name"] == "ald_status")["enumerators"]:
        short = status["name"].removeprefix("ALD_STATUS_").lower()
        if short == "ok" or f"{short} = {status['name']}" in base:
            passed += 1
        else:
            missing.append(f"alidade::errc lacks {short}")
    print(*missing, f"{passed} passed, {len(missing)} failed", sep="\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
