import TestSupport
import Testing

/// A mailbox in which the user may not mark messages as deleted (t), or not expunge them (e): Dovecot says OK to what it does
/// not do.
@Suite struct RightsTests {
  /// What the server lacks, and which right the user.
  struct Case: Sendable, CustomTestStringConvertible {
    let hidden: [String]
    let right: Character

    var testDescription: String { "no \((hidden + [String(right)]).joined(separator: ", no "))" }

    /// All rights but that one.
    var rights: String { "lrswiteap".filter { $0 != right } }

    /// Whether Dovecot moves messages all the same: that takes the right to expunge only.
    var movesAnyway: Bool { hidden.isEmpty && right == "t" }
  }

  static let cases = [["MOVE"], ["MOVE", "UIDPLUS", "CONDSTORE", "QRESYNC"], []].flatMap { hidden in
    (["t", "e"] as [Character]).map { Case(hidden: hidden, right: $0) }
  }

  private func stage(_ rights: Case, _ sync: String = "") throws -> Stage {
    var options = DovecotOptions()
    for name in rights.hidden { options = options.hiding(name) }
    options.specialUse["Drafts"] = "\\Drafts"
    options.lines = [
      "mail_plugins = acl", "protocol imap {", "  mail_plugins = acl imap_acl", "}",
      "plugin {", "  acl = vfile", "}",
    ]
    let stage = try Stage(options)
    try stage.configure(sync: sync)
    for name in ["Work", "Trash"] { try stage.imap.create(name) }
    try stage.imap.append(["one", "two"].map { mail($0) }, flags: "\\Seen")
    try stage.imap.append(["gone", "left"].map { mail($0) }, to: "Trash", flags: "\\Seen")
    try stage.imap.append(mail("draft", body: "first"), to: "Drafts", flags: "\\Draft \\Seen")
    try stage.syncWell()
    return stage
  }

  private func give(_ rights: String, in mailbox: String, _ stage: Stage) throws {
    try stage.imap.command("SETACL \(mailbox) \(stage.user) \(rights)")
  }

  /// Each run says that it is not done, whatever number of them there are; with the rights all is done.
  private func expectPatience(
    _ stage: Stage,
    in mailbox: String,
    here: [String: [String]],
    isDone: Bool = false
  ) throws {
    for number in 1...3 {
      let outcome = try stage.sync("-v")
      #expect(outcome.code == (isDone ? 0 : 1), "run \(number): \(outcome)")
      for (folder, subjects) in here {
        #expect(self.subjects(stage, folder) == subjects, "\(folder), run \(number): \(outcome)")
      }
    }
    try give("lrswiteap", in: mailbox, stage)
    try stage.expectSettled()
  }

  private func subjects(_ stage: Stage, _ folder: String) -> [String] {
    stage.tree[OctetName(Array(folder.utf8))].map { file in
      let lines = String(decoding: file.body, as: UTF8.self).split(separator: "\n")
      return String(lines.first { $0.hasPrefix("Subject: ") }?.dropFirst(9) ?? "")
    }.sorted()
  }

  @Test(arguments: cases)
  func aMessageThatMayNotLeaveIsMovedLater(_ rights: Case) throws {
    let stage = try stage(rights)
    try give(rights.rights, in: "INBOX", stage)
    try LocalFolder(stage.maildir, "INBOX").move("one", to: "Work", flags: "S")
    try expectPatience(
      stage,
      in: "INBOX",
      here: ["INBOX": ["two"], "Work": ["one"]],
      isDone: rights.movesAnyway
    )
    #expect(try stage.places(of: "one") == ["Work [S]"])
  }

  @Test(arguments: cases)
  func aMessageThatMayNotLeaveIsRemovedLater(_ rights: Case) throws {
    let stage = try stage(rights)
    try give(rights.rights, in: "INBOX", stage)
    try LocalFolder(stage.maildir, "INBOX").remove("one")
    try expectPatience(stage, in: "INBOX", here: ["INBOX": ["two"]], isDone: rights.movesAnyway)
    #expect(try stage.places(of: "one") == ["Trash [S]"])
  }

  @Test(arguments: cases)
  func whatMayNotBeExpungedIsLater(_ rights: Case) throws {
    let stage = try stage(rights)
    try give(rights.rights, in: "Trash", stage)
    try LocalFolder(stage.maildir, "Trash").remove("gone")
    try expectPatience(stage, in: "Trash", here: ["Trash": ["left"]])
    #expect(try stage.places(of: "gone") == [])
  }

  /// No new version goes up before the one in its place can go.
  @Test(arguments: cases)
  func versionsOfADraftDoNotPileUp(_ rights: Case) throws {
    let stage = try stage(rights)
    try give(rights.rights, in: "Drafts", stage)
    let drafts = LocalFolder(stage.maildir, "Drafts")
    for text in ["second, longer", "third, longer still", "the last one, longer than all"] {
      try drafts.write("draft", mail("draft", body: text))
      for _ in 1...2 {
        let outcome = try stage.sync("-v")
        #expect(outcome.code == 1, "\(text): \(outcome)")
        #expect(drafts.bases.count == 1, "\(text): \(outcome)")
      }
      let count = try stage.imap.messages(in: "Drafts").count
      #expect(count <= (rights.right == "e" ? 2 : 1), "\(text)")
    }
    try give("lrswiteap", in: "Drafts", stage)
    try stage.expectSettled()
    let bodies = try stage.imap.messages(in: "Drafts").map {
      String(decoding: $0.body, as: UTF8.self)
    }
    #expect(bodies.count == 1 && bodies[0].contains("the last one"), "\(bodies)")
  }

  /// A file that shows that its message is to go stays as long as the message does.
  @Test(arguments: cases)
  func whatIsMarkedHereStaysUntilItIsExpunged(_ rights: Case) throws {
    let stage = try stage(rights, "expunge = \"all\"")
    try give(rights.rights, in: "INBOX", stage)
    try LocalFolder(stage.maildir, "INBOX").setFlags("ST", of: "one")
    for number in 1...3 {
      let outcome = try stage.sync("-v")
      #expect(outcome.code == (rights.right == "e" && number > 1 ? 1 : 0), "\(number): \(outcome)")
      #expect(subjects(stage, "INBOX") == ["one", "two"], "\(number): \(outcome)")
    }
    try give("lrswiteap", in: "INBOX", stage)
    try stage.expectSettled()
    #expect(try stage.places(of: "one") == [])
  }
}
