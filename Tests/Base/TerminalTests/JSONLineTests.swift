import Terminal
import Testing

/// Events for programs: one object a line.
@Suite struct JSONLineTests {
  private func text(_ build: (inout JSONLine) -> Void) -> String {
    var line = JSONLine()
    build(&line)
    return String(decoding: line.octets, as: UTF8.self)
  }

  @Test func members() {
    let line = text {
      $0.add("version", 1)
      $0.add("event", "new-messages")
      $0.add("account", ifPresent: "work")
      $0.add("hint", ifPresent: nil)
      $0.add("bytes", UInt64.max)
      $0.add("lost", Int64.min)
      $0.add("seconds", 0.5)
      $0.add("left", Double.nan)
      $0.add("done", true)
      $0.add("dry", false)
      $0.add("words", ["a", "b\"c"])
      $0.add("none", [String]())
    }
    #expect(
      line == #"{"version":1,"event":"new-messages","account":"work","#
        + #""bytes":18446744073709551615,"lost":-9223372036854775808,"seconds":0.5,"left":null,"#
        + #""done":true,"dry":false,"words":["a","b\"c"],"none":[]}"# + "\n"
    )
  }

  @Test func nothing() {
    #expect(text { _ in } == "{}\n")
  }

  @Test func objects() {
    var inner = JSONLine()
    inner.add("a", 1)
    #expect(
      text {
        $0.add("one", inner)
        $0.add("many", [inner, JSONLine(), inner])
        $0.add("no", [JSONLine]())
      } == #"{"one":{"a":1},"many":[{"a":1},{},{"a":1}],"no":[]}"# + "\n"
    )
  }

  @Test(arguments: [
    ("", ""), ("a\"\\/", #"a\"\\/"#), ("\n\t\r\u{0}\u{1F}", #"\n\t\u000d\u0000\u001f"#),
    ("\u{7F}\u{80}\u{9F}\u{A0}", "\\u007f\\u0080\\u009f\u{A0}"),
    ("\u{2028}\u{2029}\u{202E}\u{2066}\u{FEFF}", #"\u2028\u2029\u202e\u2066\ufeff"#),
    ("Entwürfe 日本 📬", "Entwürfe 日本 📬"), ("e\u{301}\u{E9}", "e\u{301}\u{E9}"),
  ])
  func texts(_ text: String, _ escaped: String) {
    let line = self.text { $0.add("t", text) }
    #expect(Array(line.utf8) == Array("{\"t\":\"\(escaped)\"}\n".utf8))
  }

  @Test func octetsThatAreText() {
    #expect(
      text { $0.add("mailbox", octets: Array("Entwürfe".utf8)) } == "{\"mailbox\":\"Entwürfe\"}\n"
    )
  }

  @Test func octetsThatAreNoText() {
    #expect(
      text { $0.add("mailbox", octets: [0x63, 0x61, 0x66, 0xE9]) }
        == "{\"mailbox\":\"caf\u{FFFD}\",\"mailbox-octets\":\"636166e9\"}\n"
    )
  }
}
