"""Tests of the stripper: what is code stays at its position, what is comment or text goes."""

import pytest
from swift_code import strip


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ('let a = "try! x" // as! y', 'let a = "      "         '),
        ("/* a /* nested! */ b! */ c!", "                         c!"),
        (r'"a \(b! + "c!") d!"', '"   (b! + "  ")   "'),
        (r'#"a \(b!) "c!" \#(d!)"#', '#"               (d!)"#'),
        (r'"quote \" still text!" x', '"                    " x'),
        ('"""\nfirst!\n"quoted!"\n""" y!', '"""\n      \n         \n""" y!'),
        ("a / b // c", "a / b     "),
        ('"\\((1 + 2)!) tail!"', '" ((1 + 2)!)      "'),
        ("let open = \"not closed!\nb!", 'let open = "           \nb!'),
    ],
)
def test_only_code_stays(source: str, code: str) -> None:
    assert strip(source).text == code


def test_lines_and_offsets_hold() -> None:
    source = 'a\n/* b\nc */ d\n"""\ne\n"""\nf // g\n'
    stripped = strip(source)
    assert len(stripped.text) == len(source)
    assert stripped.text.count("\n") == source.count("\n")
    assert stripped.comment_lines == {2, 3, 7}
    assert stripped.line_of(source.index("f //")) == 7
