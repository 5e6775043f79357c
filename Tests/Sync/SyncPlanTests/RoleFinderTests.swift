import MailModel
import SyncPlan
import TestSupport
import Testing

@Suite struct RoleFinderTests {
  @Test(arguments: try Fixtures.load("Fixtures/roles.txt"))
  func roles(_ fixture: Fixture) throws {
    let mailboxes = fixture.lines().map(mailbox)
    let finder = RoleFinder(mailboxes.map(\.mailbox), configured: try configured(fixture))
    let found = mailboxes.compactMap { name, mailbox in
      finder.role(of: mailbox).map { "\(name) \($0)" }
    }
    #expect(found == fixture.lines("roles"))
  }

  /// The last word is the role that the server says, where it is one in lowercase and not the whole name.
  private func mailbox(_ line: String) -> (name: String, mailbox: ServerMailbox) {
    var words = line.split(separator: " ").map { "\($0)" }
    let role = words.count > 1 ? words.last.flatMap { MailboxRole(rawValue: $0) } : nil
    if role != nil { words.removeLast() }
    let name = words.joined(separator: " ")
    let wire = MailboxName(wire: Array(name.utf8))
    let slash = UInt8(ascii: "/")
    return (name, ServerMailbox(name: wire, delimiter: slash, attributedRole: role))
  }

  private func configured(_ fixture: Fixture) throws -> [MailboxRole: [UInt8]] {
    let lines = fixture.has("configured") ? fixture.lines("configured") : []
    return try lines.reduce(into: [:]) { roles, line in
      let parts = line.split(separator: ": ", maxSplits: 1).map { "\($0)" }
      roles[try #require(MailboxRole(rawValue: parts[0]))] = Array(parts[1].utf8)
    }
  }
}
