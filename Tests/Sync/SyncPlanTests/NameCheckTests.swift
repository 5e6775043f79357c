import MailModel
import SyncPlan
import TestSupport
import Testing

/// Names of mailboxes that a person gave, beside those that there are.
@Suite struct NameCheckTests {
  @Test(arguments: try Fixtures.load("Fixtures/names.txt"))
  func names(_ fixture: Fixture) throws {
    let check = NameCheck(try fixture.lines("server").map(mailbox))
    let excluded = fixture.lines("excluded").map { Array($0.utf8) }
    var found = try fixture.lines("command line").compactMap { line in
      try check.unknown(
        [MailboxPattern(line)],
        others: { () throws(HarnessError) in fixture.lines("others").map { Array($0.utf8) } },
        isMirrored: { !excluded.contains($0) }
      )
    }
    found += check.unknown(
      include: fixture.lines("include").map { MailboxPattern($0) },
      exclude: fixture.lines("exclude").map { MailboxPattern($0) },
      roles: try roles(fixture)
    )
    #expect(found.map(text) == fixture.lines("unknown"))
  }

  /// A name, and the role that the server says.
  private func mailbox(_ line: String) throws -> ServerMailbox {
    let words = line.split(separator: " ").map { "\($0)" }
    return ServerMailbox(
      name: MailboxName(wire: Array(words[0].utf8)),
      delimiter: UInt8(ascii: "/"),
      isSelectable: words.last != "\\NoSelect",
      attributedRole: words.count > 1 ? MailboxRole(rawValue: words[1]) : nil
    )
  }

  private func roles(_ fixture: Fixture) throws -> [MailboxRole: [UInt8]] {
    try fixture.lines("roles").reduce(into: [:]) { roles, line in
      let words = line.split(separator: " ").map { "\($0)" }
      roles[try #require(MailboxRole(rawValue: words[0]))] = Array(words[1].utf8)
    }
  }

  private func text(_ unknown: UnknownName) -> String {
    let name = String(decoding: unknown.name, as: UTF8.self)
    let source =
      switch unknown.source {
      case .commandLine: "command line"
      case .include: "include"
      case .exclude: "exclude"
      case .role(let role): role.rawValue
      }
    let remedy =
      switch unknown.remedy {
      case .none: "nothing near"
      case .near(let near): "near \(String(decoding: near, as: UTF8.self))"
      case .marked(let marked): "marked \(String(decoding: marked, as: UTF8.self))"
      case .notMirrored: "not mirrored"
      }
    return "\(source) \(name): \(remedy)"
  }
}
