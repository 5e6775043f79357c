import Glibc
import TestSupport
import Testing

/// How long rules take: 50 of them and 1,000 new messages, beside a sync that indexes the same messages without rules.
///
/// Only with MAGNUM_MEASURE in the environment; MAGNUM_SYNC names a program that was built for release.
@Suite struct RuleSpeedTests {
  private static let (rules, messages) = (50, 1000)

  @Test(.enabled(if: getenv("MAGNUM_MEASURE") != nil))
  func manyRulesAndMessages() throws {
    let kinds = ["subject:none", "from:none and not list:x", "to:none", "tag:flagged"]
    let text = (0..<Self.rules).map { number in
      "[rule.r\(number)]\nwhen = \"\(kinds[number % 4])\(number)\"\ndo = [\"tag +r\(number)\"]\n"
    }
    let moving = "[rule.last]\nwhen = \"subject:new\"\ndo = [\"flag\"]\n"
    var seconds: [Double] = []
    for rules in ["", text.dropFirst().joined(), text.dropFirst().joined() + moving] {
      let scene = try RuleScene(rules)
      try scene.stage.imap.append((0..<Self.messages).map { mail("new m\($0)") })
      let start = Stopwatch.now()
      let outcome = try scene.stage.sync()
      seconds.append(Stopwatch.now() - start)
      #expect(outcome.code == 0, "\(outcome)")
      if rules.hasSuffix(moving) {
        let flagged = try scene.stage.imap.everything()["INBOX"]?.count { message in
          message.flags.contains("\\Flagged")
        }
        #expect(flagged == Self.messages)
      }
    }
    print(
      "measured: a sync \(seconds[0]) s, with rules that find nothing \(seconds[1]) s, "
        + "with one that flags all \(seconds[2]) s"
    )
  }
}
