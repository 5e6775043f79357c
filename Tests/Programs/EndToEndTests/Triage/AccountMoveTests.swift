import TestSupport
import Testing

/// Messages that go from one account to another one: a copy there, and the original into Trash here.
@Suite struct AccountMoveTests {
  private let stage: Stage
  private let user: String
  private let imap: RawIMAP

  init() throws {
    stage = try Stage.forTriage()
    user = Dovecot.freshUser()
    imap = try RawIMAP(stage.server, user: user)
    for name in ["Archive", "Trash"] { try imap.create(name) }
    try configure(url: stage.server.tlsURL)
    try stage.settle()
  }

  private func configure(url: String, _ rule: String = "") throws {
    let trust = url.hasPrefix("imap+plain") ? "" : "tls-ca-file = \"\(stage.server.trustFile)\""
    let other = """
      [account.other]
      maildir = "~/Mail/other"
      imap = "\(url)"
      user = "\(user)"
      password = "pass"
      index = true
      \(trust)
      [account.other.sync]
      \(rule)
      """
    try stage.configure(sync: other, isIndexed: true)
  }

  /// Where the other account has messages, with their flags and keywords.
  private func shownThere() throws -> [String] {
    try imap.everything().flatMap { name, messages in
      messages.map { "\(name) \($0.flags.filter { $0 != "\\Recent" }.sorted())" }
    }.sorted()
  }

  /// The first sync of the other account may see the original as what its file has become.
  private func undo() throws {
    try stage.magnumWell("undo")
    for _ in 1...2 { _ = try stage.sync("--allow-mass-delete=other/*") }
    try stage.expectSettled()
  }

  private func count(_ name: String) throws -> Int {
    try stage.shownThere().count { $0.hasPrefix("\(name) ") }
  }

  @Test func aMoveEndsInTheOtherAccount() throws {
    try stage.magnumWell("tag", "+work", "+flagged", "subject:number1")
    try stage.settle()
    try stage.magnumWell("move", "other/Archive", "subject:number1 or subject:number2")
    #expect(try stage.found("folder:other/Archive") == 2)
    #expect(try stage.found("folder:other/Archive and tag:work and tag:flagged") == 1)
    try stage.expectSettled()
    #expect(try shownThere() == ["Archive [\"\\\\Flagged\", \"work\"]", "Archive []"])
    #expect(try count("INBOX") == 5 && count("Trash") == 2)
    try undo()
    #expect(try shownThere().filter { $0.hasPrefix("Archive") } == [])
    #expect(try count("INBOX") == 7 && count("Trash") == 0)
  }

  @Test func aCopyLeavesTheOriginal() throws {
    let copied = try stage.magnumWell("copy", "other/Archive", "subject:number1")
    #expect(copied.output.contains("1 message copied to other/Archive"), "\(copied)")
    try stage.expectSettled()
    #expect(try shownThere() == ["Archive []"])
    #expect(try count("INBOX") == 7)
  }

  /// The original is back before the copy goes.
  @Test func whatTheOtherServerRefusesComesBack() throws {
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      line.contains("APPEND") ? .refused("NO [CANNOT] not here") : .passed
    }
    try configure(url: proxy.clearURL)
    try stage.magnumWell("move", "other/Archive", "subject:number1")
    for _ in 1...2 { #expect(try stage.sync().code == 1) }
    #expect(try count("Trash") == 1)
    let last = try stage.sync()
    #expect(last.errors.contains("reverted locally"), "\(last)")
    try stage.expectSettled()
    #expect(try shownThere() == [])
    #expect(try count("INBOX") == 7 && count("Trash") == 0)
  }

  /// Wherever it is killed: the message is in one account, or in both until a server has the copy.
  @Test func everyKillIsSurvived() throws {
    let counted = stage.program.home["points"]
    func move(_ variables: [String: String]) throws -> Outcome {
      try stage.magnum("move", "other/Archive", "subject:number1", variables: variables)
    }
    func found() throws -> [String: Int] {
      let there = try imap.everything().flatMap { name, found in found.map { _ in "other/\(name)" }
      }
      let here = try stage.shownThere().map { String($0.prefix { $0 != " " }) }
      return Dictionary((there + here).map { ($0, 1) }, uniquingKeysWith: +)
    }
    let before = ["INBOX": 7]
    let after = ["INBOX": 6, "Trash": 1, "other/Archive": 1]
    _ = try move(["MAGNUM_FAULT_COUNT": counted])
    let points = Int((Files.text(counted) ?? "").prefix { $0.isNumber }) ?? 0
    #expect(points > 5)
    for point in Turn.chosen(of: points, every: Turn.stride(8)) {
      try stage.expectSettled()
      try undo()
      try imap.select("Trash")
      try imap.command("UID STORE 1:* +FLAGS (\\Deleted)")
      try imap.command("EXPUNGE")
      try stage.settle()
      #expect(try found() == before)
      _ = try move(["MAGNUM_FAULT": "\(point)"])
      try stage.expectSettled("point \(point)")
      let now = try found()
      #expect(now == before || now == after, "point \(point) of \(points): \(now)")
      if now == before { try stage.magnumWell("move", "other/Archive", "subject:number1") }
    }
  }

  @Test func whatCannotGoStays() throws {
    let unknown = try stage.magnum("move", "other/Nowhere", "subject:number1")
    #expect(unknown.code == 65 && unknown.errors.contains("other/Nowhere"), "\(unknown)")
    try configure(url: stage.server.tlsURL, "direction = \"pull\"")
    let pulled = try stage.magnum("move", "other/Archive", "subject:number1")
    #expect(pulled.code == 65 && pulled.errors.contains("only pulled"), "\(pulled)")
    #expect(stage.shownHere.count { $0.hasPrefix("INBOX") } == 7)
  }
}
