import Octets
import TestSupport
import Testing

/// Servers that keep all mailboxes below INBOX, and folders that have other names than their mailboxes.
@Suite struct NamespaceTests {
  /// Dovecot as many providers have it.
  private static var belowInbox: DovecotOptions {
    var options = DovecotOptions()
    options.separator = "."
    options.lines = ["namespace inbox {", "  prefix = INBOX.", "}"]
    return options
  }

  private func stage(sync: String = "") throws -> Stage {
    let stage = try Stage(Self.belowInbox)
    try stage.configure(sync: sync)
    try stage.imap.append(mail("in"))
    for name in ["Sent", "Lists.swift", "Trash"] {
      try stage.imap.create("INBOX.\(name)")
      try stage.imap.append(mail("in \(name)"), to: "INBOX.\(name)", flags: "\\Seen")
    }
    return stage
  }

  private func hidden(_ name: String) -> String {
    let name = name.hasPrefix("INBOX.") ? String(name.dropFirst(6)) : name
    return name.split(separator: ".").joined(separator: "/")
  }

  private func kept(_ name: String) -> String {
    name.split(separator: ".").joined(separator: "/")
  }

  @Test func aNewAccountHidesThePrefix() throws {
    let stage = try stage()
    try stage.settle()
    try stage.expectMirrored(directory: hidden)
    // What is made, moved and removed here reaches the mailboxes below INBOX.
    try LocalFolder(stage.maildir, "New/sub").add("new", mail("new"), flags: "S")
    let lists = LocalFolder(stage.maildir, "Lists/swift")
    try lists.move(try lists.index("in Lists.swift"), to: "Sent")
    try LocalFolder(stage.maildir, "INBOX").remove("in")
    try stage.settle()
    try stage.expectMirrored(directory: hidden)
    #expect(try stage.imap.messages(in: "INBOX.New.sub").count == 1)
    #expect(try stage.imap.messages(in: "INBOX.Sent").count == 2)
    #expect(try stage.imap.messages(in: "INBOX.Trash").count == 2)
    // A folder that is renamed here is, too, and in the other form of the name it is the same mailbox.
    try Command.shell("mv \"$1/New/sub\" \"$1/Other\"", [stage.maildir])
    try LocalFolder(stage.maildir, "INBOX/Form").add("form", mail("form"), flags: "S")
    try stage.settle()
    #expect(try stage.imap.messages(in: "INBOX.Other").count == 1)
    #expect(try stage.imap.messages(in: "INBOX.Form").count == 1)
    let outcome = try stage.syncWell("-v")
    #expect(outcome.output.contains("nothing new"), "\(outcome)")
  }

  @Test func argumentsAndPatternsAreUnderstoodInBothForms() throws {
    let stage = try stage(sync: "include = [\"INBOX\", \"INBOX/Lists/*\", \"Sent\"]")
    try stage.settle()
    #expect(stage.tree.count == 3)
    for name in ["test/Sent", "test/INBOX/Sent", "test/INBOX/Lists/swift"] {
      try stage.syncWell(name)
    }
    #expect(try stage.sync("test/INBOX/Trash").code == 64)
    try stage.configure(sync: "namespace = \"keep\"")
    try stage.settle()
    for name in ["test/Sent", "test/INBOX/Sent", "test/Lists/swift"] { try stage.syncWell(name) }
  }

  /// With a summary that tells of no names, as older builds wrote it, without a summary, and without any state.
  @Test(arguments: ["", "summary", "."])
  func anAccountOfBeforeKeepsItsNames(lost: String) throws {
    let stage = try stage(sync: "namespace = \"keep\"")
    try stage.settle()
    try stage.expectMirrored(directory: kept)
    try stage.configure()
    let rest = lost == "." ? "*" : lost
    if !lost.isEmpty { try Command.shell("cd \"$1\" && rm -rf $2", [stage.state, rest]) }
    try stage.imap.create("INBOX.Later")
    try stage.imap.append(mail("later"), to: "INBOX.Later")
    let outcome = try stage.syncWell("-v")
    #expect(!outcome.errors.contains("renamed"), "\(outcome)")
    try stage.settle()
    try stage.expectMirrored(directory: kept)
  }

  @Test func theKeyRenamesFoldersAndFetchesNothing() throws {
    let stage = try stage(sync: "namespace = \"keep\"")
    try stage.settle()
    for (key, directory) in [("hide", hidden), ("keep", kept)] {
      try stage.configure(sync: "namespace = \"\(key)\"")
      let outcome = try stage.syncWell("-v")
      #expect(outcome.errors.contains("renamed"), "\(outcome)")
      #expect(!(outcome.output + outcome.errors).contains("fetched"), "\(outcome)")
      try stage.settle()
      try stage.expectMirrored(directory: directory)
    }
    // Without the key names stay what they are.
    try stage.configure(sync: "namespace = \"hide\"")
    try stage.settle()
    try stage.configure()
    try stage.settle()
    try stage.expectMirrored(directory: hidden)
  }

  @Test func whatWouldCollideKeepsThePrefix() throws {
    let stage = try stage()
    try stage.imap.create("INBOX.inbox")
    try stage.imap.append(mail("inner"), to: "INBOX.inbox")
    try stage.settle()
    try stage.expectMirrored { $0 == "INBOX.inbox" ? "INBOX/inbox" : hidden($0) }
  }

  @Test func aMailboxHasAFolderOfAnotherName() throws {
    let stage = try Stage()
    for name in ["[Gmail]/Sent Mail", "[Gmail]/Trash", "Work"] {
      try stage.imap.create(name)
      try stage.imap.append(mail("in \(name)"), to: name, flags: "\\Seen")
    }
    var mapped = ["[Gmail]/Sent Mail": "sent", "Work": "jobs/work"]
    func configure() throws {
      let pairs = mapped.map { "\"\($0)\" = \"\($1)\"" }.joined(separator: ", ")
      try stage.configure(sync: mapped.isEmpty ? "" : "folders = { \(pairs) }")
    }
    try configure()
    try stage.settle()
    try stage.expectMirrored { mapped[$0] ?? $0 }
    try stage.syncWell("test/sent")
    try stage.syncWell("test/[Gmail]/Sent Mail")
    for changed in [["[Gmail]/Sent Mail": "out", "Work": "jobs/work"], ["Work": "sent"], [:]] {
      mapped = changed
      try configure()
      let outcome = try stage.syncWell("-v")
      #expect(outcome.errors.contains("renamed"), "\(outcome)")
      #expect(!(outcome.output + outcome.errors).contains("fetched"), "\(outcome)")
      try stage.settle()
      try stage.expectMirrored { mapped[$0] ?? $0 }
    }
  }

  /// mbsync takes the prefix away by default.
  @Test func aMaildirOfMbsyncIsTakenOver() throws {
    let stage = try stage()
    try Mbsync(stage: stage).run()
    let before = stage.tree.count
    let outcome = try stage.syncWell("-v")
    #expect(!(outcome.output + outcome.errors).contains("fetched"), "\(outcome)")
    try stage.settle()
    #expect(stage.tree.count == before)
    for name in ["INBOX", "Sent", "Lists/swift", "Trash"] {
      #expect(stage.tree[OctetName(Array(name.utf8))].count == 1, "\(name)")
    }
    #expect(try stage.imap.mailboxes().allSatisfy { $0 == "INBOX" || $0.hasPrefix("INBOX.") })
  }

  @Test(arguments: OtherServer.belowInbox)
  func aMaildirOfMbsyncIsTakenOver(_ kind: OtherServer) throws {
    let stage = try OtherStage(kind)
    for number in 0..<4 { try stage.append(mail("m\(number)"), flags: "\\Seen") }
    try stage.append(mail("kept"), to: "Archive", flags: "\\Seen")
    try Mbsync(stage: stage).run()
    let before = MaildirTree(stage.maildir).count
    let outcome = try stage.sync()
    #expect(!(outcome.output + outcome.errors).contains("fetched"), "\(outcome)")
    #expect(MaildirTree(stage.maildir).count == before)
    try stage.local("Archive").add("new", mail("new"), flags: "S")
    try stage.local("Here").add("one", mail("in here"), flags: "S")
    // The files of mbsync have a field more than their messages.
    for _ in 0..<2 { try stage.sync() }
    let last = try stage.sync()
    #expect(last.output.contains("nothing new"), "\(last)")
    #expect(MaildirTree(stage.maildir).count == before + 2)
    #expect(try stage.subjects("Archive") == ["kept", "new"])
    #expect(try stage.subjects("Here") == ["in here"])
  }
}
