import Testing

@testable import AlidadeBase

/// Expected texts are RFC 8259's rules by hand; Tests/python/test_runtime_report.py reads reports with Python's own parser.
@Suite struct JSONTests {
  @Test(arguments: [
    (JSON.null, "null"), (.bool(true), "true"), (.bool(false), "false"), (.integer(.min), "-9223372036854775808"),
    (.unsigned(.max), "18446744073709551615"), (.real(0.5), "0.5"), (.real(-0.0), "0"), (.real(1e300), "1e+300"),
    (.real(5e-324), "5e-324"), (.real(.nan), "null"), (.real(.infinity), "null"), (.list([]), "[]"),
    (.object([]), "{}"), (JSON(nil as String?), "null"), (JSON(-3), "-3"),
  ])
  func values(_ value: JSON, _ text: String) {
    #expect(value.jsonText == text)
  }

  @Test(arguments: [
    ("", "\"\""), ("a\"b\\c/d", #""a\"b\\c/d""#),
    ("\n\r\t", #""\n\r\t""#), ("\u{0}\u{1}\u{1F}", #""\u0000\u0001\u001f""#),
    ("\u{7F}é\u{2028}😀\u{FFFF}\u{10FFFF}", "\"\u{7F}é\u{2028}😀\u{FFFF}\u{10FFFF}\""),
    // A carriage return and a line feed are one character to Swift, and a mark joins what stands before it.
    ("\r\n", #""\r\n""#), ("\u{301}a", "\"\u{301}a\""), ("\"\u{301}", "\"\\\"\u{301}\""),
  ])
  func texts(_ text: String, _ quoted: String) {
    #expect(Array(JSON.text(text).jsonText.unicodeScalars) == Array(quoted.unicodeScalars))
  }

  @Test func nested() {
    let value = JSON.object([("a", .list([.integer(1), .object([("b", .null)])])), ("c\n", .list([.list([])]))])
    #expect(
      value.jsonText == """
        {
          "a": [
            1,
            {
              "b": null
            }
          ],
          "c\\n": [
            []
          ]
        }
        """)
  }

  @Test func lines() {
    let value = JSON.object([
      ("two_words", .list([.text("x"), .integer(2)])), ("none", .object([])),
      ("list", .list([.object([("a", .bool(true)), ("b", .null)]), .text("\u{301}mark")])),
    ])
    let expected = "two words: x, 2\nnone: none\nlist:\n  - a: yes\n    b: none\n  - \u{301}mark\n"
    #expect(Array(value.lines.unicodeScalars) == Array(expected.unicodeScalars))
  }

  /// No text may pass for another line of the report, or speak to the terminal.
  @Test(arguments: [
    ("plain \"quoted\" back\\slash é😀", "plain \"quoted\" back\\slash é😀"), ("a\nowned: no", #""a\u000aowned: no""#),
    ("\u{1B}[31m\"\\", #""\u001b[31m\"\\""#), ("\u{85}\u{2028}", #""\u0085\u2028""#),
  ])
  func linesOfTexts(_ text: String, _ line: String) {
    #expect(JSON.object([("x", .text(text))]).lines == "x: \(line)\n")
  }
}
