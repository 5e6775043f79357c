import TestSupport
import Testing

/// Rules where mailboxes are labels of messages, as Gmail's are.
@Suite struct RuleLabelTests {
  /// A message that came with two labels, in both of which the rule sees it.
  private static let both = "in = [\"INBOX\", \"Lists\"]\n"

  /// A mailbox holds a message once: a second file in the folder would be another message.
  @Test(arguments: ["archive", "delete", "move Junk"])
  func oneFileOfAMessageIsMoved(_ deed: String) throws {
    let scene = try RuleScene(
      "[rule.all]\nwhen = \"*\"\ndo = [\"\(deed)\"]\n" + Self.both,
      isLabelled: true
    )
    for place in ["Lists", "INBOX"] { try scene.perform("came \(place) new") }
    for _ in 0..<2 { try scene.perform("sync") }
    let target = ["archive": "Archive", "delete": "Trash", "move Junk": "Junk"][deed] ?? ""
    let places = try scene.shown.filter { $0.contains(" new ") }.map { $0.prefix { $0 != " " } }
    #expect(places.count == 2 && places.count { $0 == target } == 1, "\(places)")
    #expect(scene.open == [])
  }

  /// What goes to Trash loses all of its labels there, and so all of its files here.
  @Test func aDeletedMessageLosesAllOfItsLabels() throws {
    var provider = Provider.gmail
    provider.internalDate = RuleScene.date(daysAgo: -1)
    let scene = try LabelScene(provider)
    for line in ["deliver old INBOX", "label old Lists"] {
      #expect(try scene.perform(line) == nil)
    }
    let rule = "[rule.gone]\nwhen = \"subject:m1\"\ndo = [\"delete\"]\n" + Self.both
    try scene.configureIndexed(labels: "folders", rule)
    for line in ["sync", "deliver m1 INBOX", "label m1 Lists", "sync", "sync"] {
      #expect(try scene.perform(line) == nil, "\(line)")
    }
    #expect(scene.server.subjects("[Gmail]/Trash") == ["m1"])
    #expect(scene.server.subjects("INBOX") == ["old"] && scene.server.subjects("Lists") == ["old"])
    let files = try scene.files().filter { $0.contains(": m1 ") }.map { $0.prefix { $0 != ":" } }
    #expect(files == ["Trash"])
  }
}
