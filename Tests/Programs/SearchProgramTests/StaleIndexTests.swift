import TestSupport
import Testing

/// What is done to messages while another program writes to the index.
struct StaleIndexTests {
  @Test func whoeverChangesMessagesIsTold() throws {
    let stage = try SearchStage()
    for number in 1...3 { try stage.deliver(number, flags: "S") }
    try stage.search.configure(
      "[account.work]\naddress = \"b@x.org\"\nmaildir = \"\(stage.mail)\"\n"
    )
    #expect(try stage.index().code == 0)
    var environment = stage.search.command([]).environment
    environment["PATH"] = "\(ProgramUnderTest.products):\(environment["PATH"] ?? "")"
    environment["LOCK"] = "\(stage.mail)/.magnum/index/lock"
    func run(_ line: String) throws -> Outcome {
      try Command("/bin/sh", ["-ec", line], environment: environment).run()
    }
    let words = "work: searches may not show this yet: another program"
    let busy = try run("flock \"$LOCK\" magnum flag id:m1@x id:m2@x")
    #expect(busy.code == 0 && busy.output.hasPrefix("2 messages flagged"), "\(busy)")
    #expect(busy.errorLines.count { $0.contains(words) } == 1, "\(busy)")
    #expect(try run("flock \"$LOCK\" magnum undo -q").errors == "")
    #expect(try run("magnum flag id:m3@x").errors == "")
    #expect(try run("magnum index -q; magnum-search --count tag:flagged").output == "1\n")
  }
}
