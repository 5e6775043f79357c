import TestSupport
import Testing

/// The example for desktop notices, with a program in place of notify-send that keeps its arguments.
@Suite struct NotifyExampleTests {
  /// The arguments of each notice.
  private func notices(_ lines: [String]) throws -> [[String]] {
    let folder = try TempDirectory("notify")
    try folder.write(
      "#!/bin/sh\nfor word do printf '%s\\0' \"$word\"; done >>\"$NOTICES\"; printf '\\n' >>\"$NOTICES\"\n",
      to: "bin/notify-send",
      mode: 0o755
    )
    var command = Command(Fixtures.project("examples/notify"), [])
    command.environment["PATH"] = "\(folder["bin"]):/usr/local/bin:/usr/bin:/bin"
    command.environment["NOTICES"] = folder["notices"]
    command.input = Array(lines.map { $0 + "\n" }.joined().utf8)
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
    return (Files.text(folder["notices"]) ?? "").split(separator: "\n").map { line in
      line.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map { "\($0)" }
    }
  }

  private static let long = String(repeating: "a", count: 200)

  @Test(
    arguments: [
      (#""from":"Zoë <z@x.test>","subject":"Lunch?""#, "Zoë", "Lunch?"),
      (#""from":"z@x.test""#, "z@x.test", "(no subject)"),
      (#""subject":"alone""#, "unknown sender", "alone"),
      (#""from":"-x","subject":"--help""#, "-x", "--help"),
      (#""from":"a","subject":"<b>&amp; $(id) `id`""#, "a", "&lt;b&gt;&amp;amp; $(id) `id`"),
      (#""from":"a","subject":"\\074b\\n""#, "a", #"\\074b\\n"#),
      (#""from":"a\u001b[1m\u0007","subject":"x\ny\u202ez\u2066\u200f\ud800""#, "a [1m", "x yz"),
      (#""from":"\#(long)","subject":"b""#, String(long.prefix(79)) + "…", "b"),
      (#""from":"b","subject":"\#(long)""#, "b", String(long.prefix(79)) + "…"),
    ]
  )
  func aNoticeNamesSenderAndSubject(_ members: String, _ title: String, _ body: String) throws {
    let line = "{\"version\":1,\"account\":\"work\",\"mailbox\":\"INBOX\",\(members)}"
    #expect(try notices([line]) == [["--app-name=magnum", "--", title, body]])
  }

  @Test func ofMutedThreadsNothingIsSaid() throws {
    let lines = [#"{"from":"a","subject":"b","muted":true}"#, #"{"from":"c","subject":"d"}"#]
    #expect(try notices(lines) == [["--app-name=magnum", "--", "c", "d"]])
  }

  @Test(arguments: [(0, 0, 0, ""), (5, 0, 5, "b"), (6, 0, 6, "1 more"), (50, 7, 6, "52 more")])
  func manyAreCounted(_ named: Int, _ more: Int, _ count: Int, _ last: String) throws {
    var lines = Array(repeating: #"{"account":"work","from":"a","subject":"b"}"#, count: named)
    if more > 0 { lines.append("{\"account\":\"work\",\"more\":\(more)}") }
    let notices = try notices(lines)
    #expect(notices.count == count)
    #expect((notices.last?.last ?? "") == last)
  }
}
