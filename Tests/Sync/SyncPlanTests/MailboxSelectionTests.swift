import MailModel
import Octets
import SyncPlan
import TestSupport
import Testing

@Suite struct MailboxSelectionTests {
  @Test(arguments: try Fixtures.load("Fixtures/selections.txt"))
  func selections(_ fixture: Fixture) throws {
    let selection = MailboxSelection(
      try fixture.lines().map(mailbox),
      known: try known(fixture),
      rules: rules(fixture)
    )
    #expect(selection.choices.map(text) == fixture.lines("chosen"))
    #expect(selection.refusals.map(text).sorted() == fixture.lines("refused"))
  }

  private func mailbox(_ line: String) throws -> ServerMailbox {
    var words = line.split(separator: " ").map { "\($0)" }
    let name = try #require(MailboxName(decoded: Array(words.removeFirst().utf8)))
    return ServerMailbox(
      name: name,
      delimiter: ASCII.slash,
      isSelectable: !words.contains("\\NoSelect"),
      isView: words.contains("view"),
      attributedRole: words.first.flatMap { MailboxRole(rawValue: $0) }
    )
  }

  private func known(_ fixture: Fixture) throws -> [[UInt8]: MailboxSelection.Place] {
    try fixture.lines("known").reduce(into: [:]) { known, line in
      let words = line.split(separator: " ").map { "\($0)" }
      let id = try #require(UInt64(words[1]))
      known[Array(words[0].utf8)] = MailboxSelection.Place(id: id, directory: Array(words[2].utf8))
    }
  }

  private func rules(_ fixture: Fixture) -> MailboxSelection.Rules {
    let lines = fixture.lines("rules")
    let excluded = Set(
      lines.compactMap { $0.hasPrefix("without ") ? Array($0.utf8.dropFirst(8)) : nil }
    )
    var drawn: UInt64 = 99
    return MailboxSelection.Rules(
      roles: [:],
      naming: FolderNaming(layout: .verbatim, rootLength: 15),
      includesViews: lines.contains("views"),
      isWanted: { !excluded.contains($0) },
      existing: fixture.lines("existing").reduce(into: [:]) { existing, line in
        let words = line.split(separator: " ").map { "\($0)" }
        existing[Array(words[0].utf8)] = UInt64(words[1])
      },
      makeID: {
        drawn += 1
        return drawn
      }
    )
  }

  private func text(_ choice: MailboxSelection.Choice) -> String {
    let directory = String(decoding: choice.place.directory, as: UTF8.self)
    let role = choice.role.map { "\($0)" } ?? "-"
    return "\(choice.mailbox.path.display) \(role) \(choice.place.id) \(directory)"
  }

  private func text(_ path: MailboxPath, _ obstacle: MailboxSelection.Obstacle) -> String {
    switch obstacle {
    case .unusableName: "\(path.display): unusable"
    case .directoryTaken(let directory):
      "\(path.display): taken \(String(decoding: directory, as: UTF8.self))"
    }
  }
}
