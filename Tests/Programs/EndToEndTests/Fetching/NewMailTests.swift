import TestSupport
import Testing

/// New mail is what a person has not seen and did not write or remove himself.
@Suite struct NewMailTests {
  @Test func ownDeletionsAndCopiesAreNotNew() throws {
    var options = DovecotOptions()
    options.specialUse = [
      "Trash": "\\Trash", "Sent": "\\Sent", "Drafts": "\\Drafts", "Junk": "\\Junk",
    ]
    let stage = try Stage(options)
    let note = stage.program.home["note"]
    try stage.configure(sync: "post-sync = \"echo $MAGNUM_NEW $MAGNUM_FETCHED >> \(note)\"")
    for mailbox in ["Trash", "Sent", "Drafts", "Junk"] {
      try stage.imap.append(mail(mailbox), to: mailbox)
    }
    try stage.imap.append(mail("seen"), flags: "\\Seen")
    let first = try stage.syncWell("--json")
    #expect(Files.text(note) == "0 5\n")
    let sums = try counts(first)
    #expect(sums["new"] == 0 && sums["fetched"] == 5, "a draft counts once: \(first)")
    try stage.imap.append([mail("one"), mail("two")])
    try stage.imap.append(mail("three"), to: "Junk")
    let dry = try stage.syncWell("--dry-run")
    #expect(dry.output.contains("would be: +2 new  3 fetched ("), "\(dry)")
    let second = try stage.syncWell("-v")
    #expect(second.output.contains("  +2 new  3 fetched ("), "\(second)")
    try LocalFolder(stage.maildir, "INBOX").remove(0)
    try stage.syncWell()
    #expect(stage.tree["Trash"].count == 2, "what the run moved there is here")
    try stage.syncWell()
    #expect(Files.text(note) == "0 5\n2 3\n0 1\n")
  }

  @Test func eachEventSaysHowManyAreNew() throws {
    let stage = try Stage()
    try stage.imap.append([mail("one"), mail("two")])
    try stage.imap.append(mail("seen"), flags: "\\Seen")
    let outcome = try stage.syncWell("--json")
    let events = try outcome.lines.map { try ParsedJSON($0) }.filter {
      $0["event"]?.text == "fetched"
    }
    #expect(events.reduce(0) { $0 + ($1["messages"]?.integer ?? 0) } == 3, "\(outcome)")
    #expect(events.reduce(0) { $0 + ($1["new"]?.integer ?? 0) } == 2, "\(outcome)")
  }

  /// The sums of the account.
  private func counts(_ outcome: Outcome) throws -> [String: Int] {
    let last = try outcome.lines.map { try ParsedJSON($0) }.first {
      $0["event"]?.text == "completed"
    }
    var counts: [String: Int] = [:]
    for name in ["new", "fetched"] { counts[name] = last?[name]?.integer }
    return counts
  }
}
