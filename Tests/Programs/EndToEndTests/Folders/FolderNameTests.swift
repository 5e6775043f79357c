import TestSupport
import Testing

/// Folders with names that are unusual for a mailbox: mirrored, or said in every run.
@Suite struct FolderNameTests {
  private static let odd: [(folder: String, mailbox: String)] = [
    ("50% off", "50% off"), ("50%25 done", "50% done"), ("100%zz/%41", "100%zz/%41"),
    ("Grüße & more", "Grüße & more"), ("~home", "~home"), ("a*b", "a*b"),
  ]

  @Test(arguments: ["verbatim", "maildir++"])
  func aNameThatIsNotWrittenAsOursStandsForItself(layout: String) throws {
    let stage = try Stage(.freeNames)
    try stage.configure(account: "layout = \"\(layout)\"")
    try stage.syncWell()
    for (folder, mailbox) in Self.odd {
      try LocalFolder(stage.maildir, Self.directory(folder, layout))
        .add("one", mail("in \(mailbox)"), flags: "S")
    }
    try stage.syncWell()
    let outcome = try stage.syncWell("-v")
    #expect(!outcome.errors.contains("made"), "\(outcome)")
    let there = try stage.imap.everything()
    #expect(there.count == Self.odd.count + 1, "\(there.keys)")
    #expect(there.values.filter { $0.count == 1 }.count == Self.odd.count)
    #expect(there["50% off"]?.count == 1 && there["50% done"]?.count == 1, "\(there.keys)")
    #expect(stage.tree.count == Self.odd.count)
    // What comes to them comes here too.
    try stage.imap.append(mail("more"), to: "50% off")
    try stage.syncWell()
    let directory = OctetName(Array(Self.directory("50% off", layout).utf8))
    #expect(stage.tree[directory].count == 2)
  }

  private static func directory(_ folder: String, _ layout: String) -> String {
    guard layout == "maildir++" else { return folder }
    return "." + folder.split(separator: "/").joined(separator: ".")
  }

  @Test(arguments: [
    ("verbatim", ".dot", "begins with a dot"), ("verbatim", "a/.dot", "begins with a dot"),
    ("verbatim", "Inbox", "for INBOX"), ("verbatim", "inbox/kid", "for INBOX"),
    ("verbatim", "cur/x", "no folder of this layout"), ("verbatim", "a.b", "could not hold"),
    ("verbatim", "", "no folder of this layout"),
    ("maildir++", "plain", "no folder of this layout"),
    ("maildir++", ".a/.b", "no folder of this layout"), ("maildir++", ".INBOX", "another folder"),
    ("verbatim", String(repeating: "ü", count: 120), "refused CREATE"),
    ("verbatim", "tab\tx", "could not hold"), ("verbatim", "line\nend", "could not hold"),
  ])
  func whatCannotBeMirroredIsSaid(layout: String, folder: String, words: String) throws {
    var options = DovecotOptions()
    options.separator = "."
    let stage = try Stage(options)
    try stage.configure(account: "layout = \"\(layout)\"")
    try stage.imap.create("Other")
    try stage.syncWell()
    try LocalFolder(stage.maildir, folder).add("one", mail("one"), flags: "S")
    for _ in 0..<3 {
      let outcome = try stage.sync("test")
      #expect(outcome.code == 1 && outcome.errors.contains(words), "\(outcome)")
    }
    #expect(try stage.imap.everything().values.allSatisfy(\.isEmpty))
    #expect(try stage.sync("test/Other").code == 0, "the run was not asked about it")
  }

  @Test func aNameThatIsNotUTF8IsSaid() throws {
    let stage = try Stage()
    try stage.syncWell()
    try Command.shell("d=$1/$(printf 'a\\377'); mkdir -p \"$d/cur\" \"$d/new\"", [stage.maildir])
    for _ in 0..<2 {
      let outcome = try stage.sync("test")
      #expect(outcome.code == 1 && outcome.errors.contains("could not hold"), "\(outcome)")
    }
  }

  /// A link to a folder gives it no other name, whichever of the two comes first.
  @Test func aLinkBesideAFolderIsNoFolder() throws {
    let stage = try Stage()
    try stage.imap.create("Real")
    try stage.imap.append(mail("one"), to: "Real")
    try stage.syncWell()
    try Command.shell(
      "cd \"$1\" && ln -s Real Zeta && ln -s Real Alpha && ln -s INBOX In",
      [stage.maildir]
    )
    for _ in 0..<2 {
      let outcome = try stage.syncWell("-v")
      #expect(!outcome.errors.contains("renamed"), "\(outcome)")
    }
    #expect(try Set(stage.imap.everything().keys) == ["INBOX", "Real"])
  }

  @Test func twoSpellingsOfOneNameAreSaid() throws {
    let stage = try Stage()
    try stage.syncWell()
    for folder in ["50% off", "50%25 off"] {
      try LocalFolder(stage.maildir, folder).add("one", mail(folder), flags: "S")
    }
    for _ in 0..<2 {
      let outcome = try stage.sync("test")
      #expect(outcome.code == 1 && outcome.errors.contains("has another folder"), "\(outcome)")
    }
    #expect(try stage.imap.everything()["50% off"]?.count == 1)
  }

  @Test func whatIsExcludedIsNotSaid() throws {
    let stage = try Stage()
    try stage.configure(sync: "exclude = [\".*\", \"Inbox\"]")
    try stage.imap.create("Archive")
    try stage.syncWell()
    for folder in [".backup/old", "Inbox"] {
      try LocalFolder(stage.maildir, folder).add("one", mail("one"), flags: "S")
    }
    let outcome = try stage.syncWell()
    #expect(outcome.errors == "", "\(outcome)")
  }
}
