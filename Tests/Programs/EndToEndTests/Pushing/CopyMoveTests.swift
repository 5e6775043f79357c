import TestSupport
import Testing

/// Programs that move a message by a copy now and a removal later: with a run in between, too, the message is never sent.
@Suite struct CopyMoveTests {
  static let servers = [
    DovecotOptions(), DovecotOptions().hiding("MOVE"), DovecotOptions().hiding("MOVE", "UIDPLUS"),
  ]

  private func stage(_ options: DovecotOptions) throws -> Stage {
    let stage = try Stage(options)
    for name in ["Archive", "Trash"] { try stage.imap.create(name) }
    try stage.imap.append(mail("one"), flags: "\\Seen todo")
    try stage.imap.append(["two", "three", "four"].map { mail($0) })
    try stage.syncWell()
    return stage
  }

  /// Runs the program so many days later, with what it sends to the server, and expects that nothing is uploaded.
  private func sync(_ stage: Stage, days: Int = 0) throws {
    let variables = ["MAGNUM_COPY_WAIT": "60", "MAGNUM_DAYS_AHEAD": "\(days)"]
    let outcome = try stage.sync("--trace", variables: variables)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(!outcome.errors.contains(" APPEND "), "\(outcome)")
  }

  /// As mutt copies: under a name of its own.
  private func copy(_ stage: Stage, _ number: Int) throws {
    try Command.shell(
      "cp -p \"$(grep -rl '^Subject: one' \"$1/INBOX\")\" \"$1/Archive/cur/170000000$2.R1.host:2,S\"",
      [stage.maildir, "\(number)"]
    )
  }

  private func removeOriginal(_ stage: Stage) throws {
    try Command.shell("rm \"$(grep -rl '^Subject: one' \"$1/INBOX\")\"", [stage.maildir])
  }

  private func flags(_ stage: Stage, in mailbox: String) throws -> [[String]] {
    try stage.imap.messages(in: mailbox).filter {
      String(decoding: $0.body, as: UTF8.self).contains("Subject: one\r\n")
    }.map(\.flags)
  }

  @Test func aRemovalBehindARunMakesItAMove() throws {
    let stage = try stage(DovecotOptions())
    try copy(stage, 1)
    try sync(stage)
    #expect(try flags(stage, in: "Archive").isEmpty)
    try removeOriginal(stage)
    try sync(stage)
    #expect(try flags(stage, in: "Archive") == [["\\Seen", "todo"]])
    #expect(try flags(stage, in: "INBOX").isEmpty)
    #expect(try stage.imap.messages(in: "Trash").isEmpty)
    try stage.expectSettled()
  }

  @Test(arguments: Turn.part(of: servers))
  func aCopyThatStaysIsMadeOnTheServer(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    try copy(stage, 1)
    try copy(stage, 2)
    try sync(stage)
    try sync(stage, days: 1)
    #expect(try flags(stage, in: "Archive") == [["\\Seen", "todo"], ["\\Seen", "todo"]])
    #expect(try flags(stage, in: "INBOX") == [["\\Seen", "todo"]])
    try stage.expectSettled()
  }
}
