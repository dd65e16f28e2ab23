#!/usr/bin/env python3
"""Checks what people read for words that plain technical English does without.

Read are the Markdown files, and of the library, its tests, the examples and the bindings the comments and texts of C,
C++, C#, Go, Java, Python, Rust and Swift files. Names and code are not looked at.
Rewrite the sentence; do not swap the word. Prints how often each word occurs, with --list each sentence, and last
"N passed, N failed": a check per word.

    words.py [--list] [FILE]...
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import textwrap
import tokenize
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PATTERNS = [
    "*.md",
    "Include/**.h",
    *[f"{folder}/**{suffix}" for folder in ("Sources", "Tests", "examples", "bindings")
      for suffix in (".c", ".h", ".cpp", ".hpp", ".cs", ".go", ".java", ".lua", ".py", ".rs", ".swift")],
]
# These two quote the words.
QUOTING = ["Tests/lint/words.py", "Tests/lint/test_words.py"]

# What to avoid, as a pattern, and what to say instead.
WORDS: dict[str, tuple[str, str]] = {
    "told, tells": (r"\b(told|tells?)\b", "reports, notifies"),
    "answers": (r"\banswer(s|ed)\b", "returns"),
    "lent, lends": (r"\b(lent|lends?|lending)\b", "borrowed, valid until"),
    # "there is none" is right.
    "is none": (r"(?<!there )\b(is|are) (?-i:none)\b", "is not valid, there is no"),
    # To make something valid, invalid or faster is right.
    "makes": (r"\bmakes? an? (?!difference|\w+ (in)?valid\b|\w+ fast)", "creates"),
    # A unit in the last place is a term of rounding.
    "place": (r"(?<!in )(?<!takes )(?<!take )(?<!decimal )(?<!in the last )\bplaces?\b", "point, location, position"),
    "what x is in": (r"\bwhat (the |its |a )?\w+( \w+)? (is|are) in\b", "the spatial reference of x"),
    "Of a group,": (r"(?<![^.:;(] )(?<!\w)Of (an?|the|each|all|both|one)\b[^.;:]{0,80},", "for a group,"),
    # "the one that the host set", with its noun before it, is right.
    "one that, those of": (r"(?<!the )\bones? that\b|\bthose of\b", "the noun again"),
    "also if": (r"\balso (if|when)\b", "even if"),
    # Before a bracket it is Swift.
    "else": (r"(?<!thing )(?<!body )(?<!one )(?<!where )(?<!what )(?<!who )(?<!or )\belse\b(?! (if .*)?\\?\{)", "otherwise"),
    "counted in": (r"\bcounted in\b", "included"),
    "as of now": (r"\bas of now\b", "currently"),
    "any more": (r"\bany ?more\b(?! than)", "no longer"),
    "beside": (r"\bbeside\b", "in addition to, next to"),
    "held against": (r"\bheld against\b", "checked against"),
    "ways": (r"\bways? (on the earth|along)\b|\b(shortest|shorter) ways?\b", "paths, curves"),
    "whom": (r"\bwhom\b", "attribution"),
    "mend": (r"\bmend(s|ed|ing)?\b", "repair, fix"),
    "less vertices": (r"\bless (vertices|points|parts|rows|features|pixels|calls|circles|lines|copies)\b", "fewer"),
    "shelf": (r"\bshel(f|ves)\b", "pool slot"),
    "words of an error": (r"\bthe \w+'s words\b|\bwords of (the|an?) (error|driver)\b|\bin words\b(?! of)", "message"),
    "standing": (r"\bstanding\b", "inherited state"),
    "outlet": (r"\boutlets?\b", "event sink"),
    "care": (r"\b(with|the|of) care\b", "tolerance"),
    "room": (r"\brooms?\b", "capacity"),
}

COMPILED = {
    word: re.compile(pattern, 0 if word == "Of a group," else re.IGNORECASE) for word, (pattern, _) in WORDS.items()
}

# A line's number and what a person reads there.
Prose = Iterator[tuple[int, str]]


# A text may hold the marks of a comment.
C_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)|"(?P<text>(?:\\.|[^"\\\n])*)"|'(?:\\.|[^'\\\n])+'""", re.DOTALL
)


def texts_of_c(text: str) -> Prose:
    """Comments, and string literals with a space: one word is a key."""
    for match in C_TOKEN.finditer(text):
        if not match["comment"] and " " not in (match["text"] or ""):
            continue
        first = text.count("\n", 0, match.start()) + 1
        for offset, line in enumerate((match["comment"] or "").splitlines()):
            yield first + offset, re.sub(r"^\s*(/\*\*?|\*/?|//+)|\*/$", "", line)
        if match["text"]:
            yield first, match["text"].replace("\\n", " ")


def markdown(text: str) -> Prose:
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and not line.startswith("    "):
            yield number, line


# What a text of a Python file may be instead of prose: names of parameters, SQL, a declaration of C, XML.
NO_PROSE = re.compile(r"[a-z_]+(, [a-z_]+)+|(SELECT|DROP TABLE|CREATE INDEX) .*|\w+\([^()]*\)|<\w.*>", re.DOTALL)


def string_literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The line and the text of each literal with a space: one word is a key. A value in an f-string is an x."""
    parts = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= set(map(id, node.values))
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            text = node.value
        else:
            continue
        if " " in text:
            yield node.lineno, text


def is_python(text: str) -> bool:
    """Whether a text of several lines is a program: a test runs some in a process of their own."""
    try:
        return "\n" in text.strip() and bool(ast.parse(textwrap.dedent(text)))
    except SyntaxError:
        return False


def texts_of_python(text: str) -> Prose:
    """Docstrings, other texts and comments."""
    for first, literal in string_literals(ast.parse(text)):
        if is_python(literal):
            lines = texts_of_python(textwrap.dedent(literal))
        elif NO_PROSE.fullmatch(literal):
            continue
        else:
            lines = enumerate(literal.splitlines(), 1)
        for number, line in lines:
            yield first + number - 1, line
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def texts_of_swift(text: str) -> Prose:
    """Comments, and string literals with a space: one word is a key."""
    for number, line in enumerate(text.splitlines(), 1):
        code = line.strip()
        if code.startswith("//"):
            # What a parameter is called is no word.
            yield number, re.sub(r"^(\s*- )(Parameter )?\w+:", r"\1", code.lstrip("/"))
            continue
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', code):
            if " " in literal:
                yield number, re.sub(r"\\\([^)]*\)", "x", literal)


def texts_of_lua(text: str) -> Prose:
    """Comments, and string literals with a space."""
    for number, line in enumerate(text.splitlines(), 1):
        comment = re.search(r"(^|\s)---? (.*)", line)
        if comment:
            yield number, comment[2]
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
            if " " in literal:
                yield number, literal


READERS = {
    **dict.fromkeys([".c", ".h", ".cpp", ".hpp", ".cs", ".go", ".java", ".rs"], texts_of_c),
    ".lua": texts_of_lua,
    ".md": markdown,
    ".py": texts_of_python,
    ".swift": texts_of_swift,
}


def without_names(line: str) -> str:
    """The line without code, names, which the naming lint looks at, and names of files."""
    return re.sub(r"`[^`]*`|\b\w*_\w*\b|\b(ald|ALD)_\w*|(?<![\w.])(/[\w.-]+)+|\b\w+\.(c|h|py|swift)\b", "x", line)


def sentences(path: Path) -> Prose:
    return READERS[path.suffix](path.read_text(encoding="utf-8"))


def findings(prose: Prose) -> Iterator[tuple[str, int, str]]:
    """(word, line, text) for each that stands there; words that a line break parts are found as well."""
    previous = ""
    for number, line in prose:
        plain = without_names(line).strip()
        both = f"{previous} {plain}"
        for word, pattern in COMPILED.items():
            for match in pattern.finditer(both) if plain else ():
                if match.end() > len(previous) + 1:
                    yield word, number, line.strip()
        previous = plain


def files(patterns: list[str]) -> list[Path]:
    command = ["git", "-C", str(REPOSITORY), "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    # What is generated repeats the headers.
    left_out = {name for name in names if ".generated." in name or name.endswith(("/_abi.py", "/alidade.lua"))} | set(QUOTING)
    paths = [REPOSITORY / name for name in sorted({*names} - left_out)]
    return [path for path in paths if path.is_file() and not is_generated(path)]


def is_generated(path: Path) -> bool:
    with path.open(encoding="utf-8") as file:
        return re.match(r"// (Code g|G)enerated by bindings/generator/generate", file.readline()) is not None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print each sentence")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    found: dict[str, list[str]] = {word: [] for word in WORDS}
    for path in options.files or files(PATTERNS):
        for word, number, line in findings(sentences(path)):
            name = path.resolve().relative_to(REPOSITORY) if path.resolve().is_relative_to(REPOSITORY) else path
            found[word].append(f"{name}:{number}: {line}")
    for word, lines in found.items():
        if lines:
            print(f"{len(lines):4} {word} -> {WORDS[word][1]}")
        for line in lines if options.list else []:
            print(f"       {line}")
    failed = sum(map(bool, found.values()))
    print(f"{len(found) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
