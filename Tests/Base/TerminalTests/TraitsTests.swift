import Terminal
import Testing

/// What may be sent to a terminal.
@Suite struct TraitsTests {
  @Test(
    arguments: [
      (true, "xterm", nil, true, true), (true, "xterm", "", true, true),
      (true, "xterm", "1", false, true), (true, "dumb", nil, false, false),
      (true, "", nil, false, false), (true, nil, nil, false, false),
      (false, "xterm", nil, false, false),
    ] as [(Bool, String?, String?, Bool, Bool)]
  )
  func traits(
    _ isTerminal: Bool,
    _ term: String?,
    _ noColour: String?,
    _ colours: Bool,
    _ redrawing: Bool
  ) {
    let traits = TerminalTraits(
      isTerminal: isTerminal,
      term: term,
      noColour: noColour,
      columns: 100
    )
    #expect(traits.isTerminal == isTerminal)
    #expect(traits.allowsColours == colours)
    #expect(traits.allowsRedrawing == redrawing)
    #expect(traits.width == 100)
  }

  @Test(arguments: [nil, 0, -1] as [Int?])
  func withoutAWidth(_ columns: Int?) {
    let traits = TerminalTraits(isTerminal: true, term: "vt100", noColour: nil, columns: columns)
    #expect(traits.width == 80)
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("a\u{200B}b", 2), ("📬", 2),
    ("Żółw", 4), ("…", 1),
  ])
  func columns(_ text: String, _ columns: Int) {
    #expect(DisplayWidth.columns(of: text) == columns)
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abc", 1, "…"), ("abc", 0, ""), ("日本語", 4, "日…"),
    ("日本語", 5, "日本…"), ("", 0, ""),
  ])
  func cut(_ text: String, _ width: Int, _ expected: String) {
    #expect(DisplayWidth.cut(text, to: width) == expected)
  }
}
