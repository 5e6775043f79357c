import TestSupport
import Testing

/// What a user and others did since the last sync: the work of one run, in which it is interrupted.
///
/// Together they need every line of the write ordering.
enum PushScene: String, CaseIterable {
  case appends
  case flags
  case moves
  case removalsToTrash
  case expungesInTrash
  case draftsEdited
  case movesOnTheServer
  case everythingAtOnce

  /// The mail and folders that all scenes begin with, on both sides.
  static func prepare(_ stage: Stage) throws {
    try stage.fill(inbox: 11, other: 3)
    try stage.imap.create("Trash")
    try stage.imap.append((0..<3).map { mail("thrown away \($0)") }, to: "Trash", flags: "\\Seen")
    try stage.imap.append(mail("draft", body: "first"), to: "Drafts", flags: "\\Draft \\Seen")
    try stage.imap.append(mail("other draft", body: "first"), to: "Drafts", flags: "\\Draft \\Seen")
    try stage.imap.append((0..<6).map { mail("movable \($0)") })
    try stage.settle()
  }

  /// Does it, in the folders and on the server.
  func act(_ stage: Stage, _ imap: RawIMAP) throws {
    switch self {
    case .appends: try append(stage)
    case .flags: try setFlags(stage, imap)
    case .moves: try move(stage, imap)
    case .removalsToTrash: try remove(stage)
    case .expungesInTrash: try expunge(stage, imap)
    case .draftsEdited: try edit(stage, imap)
    case .movesOnTheServer: try moveThere(stage, imap)
    case .everythingAtOnce:
      try moveThere(stage, imap)
      try move(stage, imap)
      try setFlags(stage, imap)
      try remove(stage)
      try expunge(stage, imap)
      try edit(stage, imap)
      try append(stage)
    }
  }

  private func folder(_ stage: Stage, _ name: String) -> LocalFolder {
    LocalFolder(stage.maildir, name)
  }

  /// Among them two of one Message-ID, one without, and a copy of a file that stays.
  private func append(_ stage: Stage) throws {
    let archive = folder(stage, "Archive")
    try archive.add("added-1", mail("twin", body: "one"), flags: "FS")
    try archive.add("added-2", mail("twin", body: "two"), flags: "S")
    try archive.add("added-3", Array("Subject: nameless\r\n\r\ntext\r\n".utf8), flags: "")
    try folder(stage, "INBOX").copy("(6)", to: "Archive")
    try folder(stage, "INBOX").add("added-4", mail("alone"), flags: "R")
  }

  /// Different ones on both sides of one message too.
  private func setFlags(_ stage: Stage, _ imap: RawIMAP) throws {
    let inbox = folder(stage, "INBOX")
    try inbox.setFlags("FS", of: "(2)")
    try inbox.setFlags("FS", of: "(3)")
    try inbox.setFlags("RS", of: "(4)")
    try folder(stage, "Archive").setFlags("", of: "(15)")
    try imap.select()
    try imap.store("2,3", "+FLAGS (\\Answered Keyword1)")
    try imap.store("4,5", "+FLAGS (\\Flagged)")
    try imap.append(mail("new on the server"))
  }

  /// By name and by content; one whose flags change on both sides, one to a folder of its own; out of several mailboxes.
  private func move(_ stage: Stage, _ imap: RawIMAP) throws {
    try folder(stage, "Lists/swift").move("(12)", to: "Archive", flags: "S")
    let inbox = folder(stage, "INBOX")
    try inbox.move("movable 0", to: "Archive", flags: "S")
    try inbox.move("movable 1", to: "Archive", flags: "FS")
    let octets = try inbox.content("movable 2")
    try inbox.remove("movable 2")
    try folder(stage, "Lists/swift").add("rewritten", octets, flags: "RS")
    try imap.select()
    try imap.store("\(try Self.uid("movable 1", imap))", "+FLAGS (\\Answered)")
  }

  private func remove(_ stage: Stage) throws {
    let inbox = folder(stage, "INBOX")
    try inbox.remove("movable 3")
    try inbox.remove("movable 4")
    try folder(stage, "Archive").remove("(16)")
  }

  /// One that both sides removed, one that the server removed and that was flagged here.
  private func expunge(_ stage: Stage, _ imap: RawIMAP) throws {
    let trash = folder(stage, "Trash")
    try trash.remove("thrown away 0")
    try trash.remove("thrown away 1")
    try imap.select("Trash")
    try imap.expunge("2")
    try imap.select("Archive")
    try imap.expunge("3")
    try folder(stage, "Archive").setFlags("FS", of: "(17)")
  }

  /// One in its place, one as a new file beside which the old one goes.
  private func edit(_ stage: Stage, _ imap: RawIMAP) throws {
    let drafts = folder(stage, "Drafts")
    try drafts.write("draft", mail("draft", body: "second, longer"))
    try drafts.remove("other draft")
    try drafts.add("postponed", mail("other draft", body: "second, longer"), flags: "DS")
    try imap.select("Drafts")
    try imap.store("1", "+FLAGS (\\Flagged Keyword2)")
  }

  /// One of them was marked here meanwhile.
  private func moveThere(_ stage: Stage, _ imap: RawIMAP) throws {
    try folder(stage, "INBOX").setFlags("FS", of: "movable 5")
    try imap.select()
    try imap.move("\(try Self.uid("movable 5", imap)),1", to: "Archive")
  }

  private static func uid(_ subject: String, _ imap: RawIMAP) throws -> UInt32 {
    let found = try imap.messages().first {
      String(decoding: $0.body, as: UTF8.self).contains("Subject: \(subject)\r\n")
    }
    try imap.select()
    guard let found else { throw HarnessError("no \(subject) on the server") }
    return found.uid
  }
}
