"""Tests of the word lint: each word is found in each kind of file, and plain English is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
import words

# For each word, a sentence that has it and one that says the same without it.
SENTENCES = {
    "told, tells": ("The host is told of it.", "The library notifies the host of it."),
    "answers": ("It answers a status.", "It returns a status."),
    "lent, lends": ("The map, lent.", "The map, borrowed."),
    "is none": ("A layer is none of these.", "If the value is None, the layer is not valid."),
    "makes": ("Makes a map.", "Creates a map, which makes a difference."),
    "place": ("The place of a tap.", "A point in place of a tap, to 3 decimal places; it takes place."),
    "what x is in": ("What the coordinates are in.", "The spatial reference of the coordinates."),
    "Of a group,": ("It ends. Of a group, all layers load.", "For a group, all layers load."),
    "one that, those of": ("The ids are those of layers.", "The ids are layer ids."),
    "also if": ("It is written, also if the call fails.", "It is written even if the call fails."),
    "else": ("The one that was set, else that of the map.", "Use it or else something else fails."),
    "counted in": ("The NUL counted in.", "The NUL included."),
    "as of now": ("The view as of now.", "The current view."),
    "any more": ("It is not used any more.", "It is no longer used. Not any more than this."),
    "beside": ("A file beside it.", "A file next to it, besides others."),
    "held against": ("It is held against the policy.", "It is checked against the policy."),
    "ways": ("The ways on the earth.", "The paths on the ellipsoid. There are two ways to read it."),
    "whom": ("Whom the data is from.", "The attribution."),
    "mend": ("It mends the file.", "It repairs the file and recommends it."),
    "less vertices": ("It has less vertices.", "It has fewer vertices, less than before."),
    "shelf": ("A shelf of objects.", "A pool slot."),
    "words of an error": ("See the driver's words.", "See the driver's message."),
    "standing": ("The standing of a layer.", "The inherited state of a layer."),
    "outlet": ("The outlet of events.", "The event sink."),
    "care": ("Compared with care.", "Compared with a tolerance. The library takes care of it."),
    "room": ("There is room for it.", "The capacity is sufficient."),
}


def test_each_word_has_sentences() -> None:
    assert list(SENTENCES) == list(words.WORDS)


@pytest.mark.parametrize("word", SENTENCES)
@pytest.mark.parametrize(
    ("suffix", "around"),
    [
        (".h", "/**\n * {}\n */\nint place(void);\n"),
        (".md", "# Title\n\n{}\n\n```\nplace else\n```\n"),
        (".py", 'place = 1  # {}\n'),
        (".py", 'def place():\n    """{}"""\n'),
        (".c", "int place; /* {} */\n"),
        (".h", '#define PLACE "{}"\n'),
        (".cpp", "  // {}\n  int place;\n"),
        (".cs", 'Print("place", "{}"); // place_else\n'),
        (".py", 'place = """\nimport place\nplace = 1 if place else 2  # {}\n"""\n'),
        (".swift", 'let place = "{}"\n'),
        (".swift", "/// {}\nfunc place() {{}}\n"),
        (".swift", "  // {}\n  let place = 1\n"),
    ],
)
def test_word(word: str, suffix: str, around: str, tmp_path: Path) -> None:
    path = tmp_path / f"file{suffix}"
    bad, good = SENTENCES[word]
    path.write_text(around.format(bad))
    assert word in [found for found, _, _ in words.findings(words.sentences(path))]
    path.write_text(around.format(good))
    assert [found for found, _, _ in words.findings(words.sentences(path))] == []


def test_a_line_break_hides_no_words(tmp_path: Path) -> None:
    path = tmp_path / "file.h"
    path.write_text("/* The size, the NUL counted\n * in. `place` and ald_nearest_place are names. */\n")
    found = list(words.findings(words.sentences(path)))
    assert found == [("counted in", 2, "in. `place` and ald_nearest_place are names.")]


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".c", 'open("/http://%d/x.tif", place.port);\n'),
        (".c", "char quote = '\"'; int place; /* quotes.c and /place/x.tif are names */ char other = '\"';\n"),
        (".py", '@pytest.mark.parametrize("code, place", [])\ndef place():\n    pass\n'),
        (".py", 'places = f"SELECT * FROM places WHERE {places} > 1"\n'),
        (".py", 'shown = "show(map map, double place)"\n'),
        (".py", "layer = f'<Layer name=\"a\">{name}</Layer><Source>places</Source>'\n"),
        (".py", 'swift = "guard let out else { throw }", "if a {} else if b == 1 {}", r"guard a else \\{"\n'),
        (".py", 'program = """\n    places = []\n    if places:\n        pass\n    else:\n        places = 1\n"""\n'),
        (".swift", "/// Right to a unit in the last place.\n"),
    ],
)
def test_code_is_not_prose(suffix: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_text(text)
    assert list(words.findings(words.sentences(path))) == []


def test_prose_in_code_is_found(tmp_path: Path) -> None:
    """The line of a comment in a program that is a text, and texts of several parts."""
    path = tmp_path / "file.py"
    path.write_text('a = 1\nb = """\n    c = 1\n    d = 2  # its place\n"""\nprint(f"{a}: told {b}")\n')
    found = [(word, line) for word, line, _ in words.findings(words.sentences(path))]
    assert sorted(found) == [("place", 4), ("told, tells", 6)]


def test_files_are_there() -> None:
    """The lists of files that are left out name no file that has gone."""
    for name in words.QUOTING:
        assert (words.REPOSITORY / name).is_file()
        assert words.REPOSITORY / name not in words.files(words.PATTERNS)
    suffixes = {path.suffix for path in words.files(words.PATTERNS)}
    assert suffixes <= set(words.READERS) and {".c", ".h", ".py", ".swift", ".md"} <= suffixes
