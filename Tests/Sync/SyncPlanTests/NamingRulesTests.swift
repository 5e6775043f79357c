import MailModel
import SyncPlan
import TestSupport
import Testing

/// What the mailboxes of a server are called here.
@Suite struct NamingRulesTests {
  @Test(arguments: try Fixtures.load("Fixtures/naming.txt"))
  func names(_ fixture: Fixture) throws {
    let settings = Dictionary(
      fixture.lines("settings").map { line in
        let words = line.split(separator: "=", maxSplits: 1).map { "\($0)" }
        return (words[0], words.count > 1 ? words[1] : "")
      },
      uniquingKeysWith: { $1 }
    )
    let delimiter = settings["delimiter"]?.utf8.first ?? UInt8(ascii: ".")
    let mailboxes = fixture.lines("server").map {
      ServerMailbox(name: MailboxName(wire: Array($0.utf8)), delimiter: delimiter)
    }
    var recorded = NamingRules.Recorded()
    for line in fixture.lines("recorded") {
      let words = line.split(separator: " ").map { Array($0.utf8) }
      recorded.directories[MailboxName(wire: words[0])] = words[1]
    }
    recorded.marked = fixture.lines("marked").map { Array($0.utf8) }
    recorded.unmarked = fixture.lines("folders").map { Array($0.utf8) }
    let prefix = Array((settings["prefix"] ?? "").utf8)
    if let style = settings["before"].flatMap(NamespaceStyle.init) {
      recorded.names = MailboxNames(prefix: [Array(prefix.dropLast())], style: style)
    }
    let rules = NamingRules(
      style: settings["namespace"].flatMap(NamespaceStyle.init),
      folders: Self.folders(fixture.lines("map")),
      naming: FolderNaming(layout: .verbatim, rootLength: 5),
      recorded: recorded
    )
    let others = settings["others"].map { [Array($0.utf8)] } ?? []
    let (now, _) = rules.names(of: mailboxes, prefix: prefix, others: others)
    let named = mailboxes.map { $0.named(by: now) }
    #expect(named.map { Self.text($0.path.joined) } == fixture.lines("names"))
    // Each has its name on the server again, in whichever form it is written.
    let naming = MailboxNaming(named, now)
    for mailbox in named {
      for name in mailbox.names where now.canonical(name) == mailbox.path.joined {
        let levels = MailboxPath(joined: name).components
        #expect(naming.name(for: levels) == mailbox.name, "\(mailbox.path.display)")
      }
      #expect(now.canonical(mailbox.path.joined) == mailbox.path.joined)
    }
    #expect(Set(named.map(\.path)).count == named.count, "no two have one name")
  }

  private static func folders(_ lines: [String]) -> [[UInt8]: [UInt8]] {
    let pairs = lines.map { $0.split(separator: "=").map { Array($0.utf8) } }
    return Dictionary(pairs.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
  }

  private static func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

  @Test(
    "patterns mean both forms, and those that begin with a wildcard the one in use",
    arguments: [
      ("INBOX/Sent", NamespaceStyle.hide, "Sent", true), ("Sent", .hide, "Sent", true),
      ("INBOX/*", .hide, "Lists/a", true), ("INBOX/*", .hide, "INBOX", false),
      ("%", .hide, "Lists/a", false), ("%", .hide, "Sent", true), ("*", .hide, "Lists/a", true),
      ("Sent", .keep, "INBOX/Sent", true), ("Lists/%", .keep, "INBOX/Lists/a", true),
      ("%", .keep, "INBOX/Sent", false), ("%/Sent", .keep, "INBOX/Sent", true),
      ("INBOX/Sent", .keep, "INBOX/Sent", true), ("Junk", .keep, "INBOX/Sent", false),
      ("Old", .hide, "past", true), ("INBOX/Old", .hide, "past", true),
      ("past", .hide, "past", true),
    ]
  )
  func patterns(_ pattern: String, _ style: NamespaceStyle, _ name: String, _ fits: Bool) {
    let names = MailboxNames(
      prefix: [Array("INBOX".utf8)],
      style: style,
      folders: [Array("Old".utf8): Array("past".utf8)]
    )
    let forms = names.forms(of: Array(name.utf8))
    #expect(MailboxPattern(pattern).matches(anyOf: forms) == fits)
  }
}
