"""Swift source with its comments and the contents of its string literals blanked out, line for line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SwiftCode:
    """What is left of a source file when only code counts."""

    text: str
    """The code. Comments and string contents are spaces; line ends stay, so offsets and line numbers hold."""
    comment_lines: frozenset[int]
    """The lines, from 1, that hold a part of a comment."""

    def lines(self) -> list[str]:
        return self.text.split("\n")

    def line_of(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1


def strip(source: str) -> SwiftCode:
    """Blanks comments (nested ones too) and string literals; the code inside interpolations stays."""
    stripper = _Stripper(source)
    stripper.code(0, inside_interpolation=False)
    lines = frozenset(source.count("\n", 0, offset) + 1 for offset in stripper.comment_offsets)
    return SwiftCode("".join(stripper.out), lines)


class _Stripper:
    def __init__(self, source: str) -> None:
        self.source = source
        self.out = list(source)
        self.comment_offsets: list[int] = []

    def blank(self, start: int, end: int) -> None:
        for index in range(start, end):
            if self.out[index] != "\n":
                self.out[index] = " "

    def code(self, at: int, inside_interpolation: bool) -> int:
        """Walks code from `at`; ends after the parenthesis that closes an interpolation, or at the file's end."""
        source, depth = self.source, 0
        while at < len(source):
            here = source[at]
            if source.startswith("//", at):
                at = self.line_comment(at)
            elif source.startswith("/*", at):
                at = self.block_comment(at)
            elif here == '"' or (here == "#" and source[at:].lstrip("#").startswith('"')):
                at = self.string(at)
            else:
                if here == "(":
                    depth += 1
                elif here == ")":
                    if depth == 0 and inside_interpolation:
                        return at + 1
                    depth -= 1
                at += 1
        return at

    def line_comment(self, at: int) -> int:
        end = self.source.find("\n", at)
        end = len(self.source) if end < 0 else end
        self.comment_offsets.append(at)
        self.blank(at, end)
        return end

    def block_comment(self, at: int) -> int:
        start, depth = at, 0
        while at < len(self.source):
            if self.source.startswith("/*", at):
                depth, at = depth + 1, at + 2
            elif self.source.startswith("*/", at):
                depth, at = depth - 1, at + 2
                if depth == 0:
                    break
            else:
                at += 1
        self.comment_offsets.append(start)
        self.comment_offsets += [index for index in range(start, at) if self.source[index - 1 : index] == "\n"]
        self.blank(start, at)
        return at

    def string(self, at: int) -> int:
        """Blanks a literal between its quotation marks, which stay; the marks may be tripled and have # around."""
        source, pounds = self.source, 0
        while source[at + pounds] == "#":
            pounds += 1
        mark = '"""' if source.startswith('"""', at + pounds) else '"'
        close, escape = mark + "#" * pounds, "\\" + "#" * pounds
        at += pounds + len(mark)
        while at < len(source):
            if source.startswith(close, at):
                return at + len(close)
            if source.startswith(escape, at):
                after = at + len(escape)
                self.blank(at, after)
                if source[after : after + 1] == "(":
                    at = self.code(after + 1, inside_interpolation=True)
                else:
                    self.blank(after, min(after + 1, len(source)))
                    at = after + 1
            elif mark == '"' and source[at] == "\n":
                return at  # A literal of one line that is not closed: not Swift; go on with the next line.
            else:
                self.blank(at, at + 1)
                at += 1
        return at
