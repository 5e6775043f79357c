import TestSupport
import Testing

/// A server that does not show all of its mail in one run: the next one finds it, without being told to look for it.
@Suite struct HiddenMailTests {
  /// What the server can do.
  static let servers = [
    "CONDSTORE ENABLE QRESYNC LIST-STATUS ESEARCH", "CONDSTORE LIST-STATUS ESEARCH", "CONDSTORE",
    "LIST-STATUS ESEARCH", "",
  ]

  /// What it says of INBOX when it is opened, with 13 messages in it of which 10 are known, and HIGHESTMODSEQ at 9.
  static let lies = ["* 0 EXISTS", "* 10 EXISTS", "* 13 EXISTS", "* 12 EXISTS"]

  @Test(arguments: Turn.part(of: servers), lies)
  func isFoundByTheNextRun(_ capabilities: String, _ lie: String) throws {
    let rig = try Rig(
      ["INBOX": 10],
      modSequence: capabilities.contains("CONDSTORE") ? 5 : nil,
      capabilities: "IMAP4rev1 SASL-IR AUTH=PLAIN LITERAL+ \(capabilities)"
    )
    try rig.stage.syncWell()
    rig.server.mailboxes[0].mails += (11...13).map { .init($0, "Subject: new \($0)\r\n\r\nx\r\n") }
    if rig.modSequence != nil { rig.modSequence = 9 }
    rig.bend { request in
      switch request.name {
      case "SELECT", "EXAMINE":
        return [
          .lines(
            lie,
            "* OK [UIDVALIDITY 1]",
            "* OK [UIDNEXT 14]",
            capabilities.contains("CONDSTORE") ? "* OK [HIGHESTMODSEQ 9]" : "* OK [NOMODSEQ]",
            "{tag} OK"
          )
        ]
      case "UID FETCH": return [.lines("{tag} OK")]
      case "UID SEARCH":
        guard request.text.contains("RETURN") else { return [.lines("* SEARCH", "{tag} OK")] }
        return [.lines("* ESEARCH (TAG \"{tag}\") UID", "{tag} OK")]
      default: return nil
      }
    }
    _ = try rig.stage.sync()
    #expect(rig.stage.tree["INBOX"].count == 10, "nothing is removed")
    rig.bend { _ in nil }
    _ = try rig.stage.sync("-v")
    let outcome = try rig.stage.sync("-v")
    #expect(rig.stage.tree["INBOX"].count == 13, "\(outcome)")
    #expect(outcome.code == 0, "\(outcome)")
  }

  /// What an earlier version recorded, or a lie that nothing contradicted: the map has less than STATUS counts.
  @Test func isFoundWhereNothingElseChanged() throws {
    let rig = try Rig(
      ["INBOX": 10],
      modSequence: 5,
      capabilities: "IMAP4rev1 SASL-IR AUTH=PLAIN LITERAL+ CONDSTORE ENABLE QRESYNC LIST-STATUS"
    )
    rig.bend { request in
      guard request.name == "UID FETCH", request.text.contains("1:*") else { return nil }
      return [
        .lines("* VANISHED 4:6"),
        .send(
          [1, 2, 3, 7, 8, 9, 10].map {
            "* 1 FETCH (UID \($0) FLAGS () INTERNALDATE \"17-Jul-1996 02:44:25 +0000\" RFC822.SIZE 20)\r\n"
          }.joined()
        ), .lines("{tag} OK"),
      ]
    }
    _ = try rig.stage.sync()
    #expect(rig.stage.tree["INBOX"].count == 7)
    rig.bend { _ in nil }
    try rig.stage.syncWell()
    #expect(rig.stage.tree["INBOX"].count == 10)
    try rig.stage.syncWell()
  }
}
