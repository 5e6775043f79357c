import TestSupport
import Testing

/// Messages without their attachments that go to another account: they are made whole first.
@Suite struct PartialMoveTests {
  private let stage: Stage
  private let user: String
  private let imap: RawIMAP

  init() throws {
    var options = DovecotOptions()
    options.specialUse = ["Trash": "\\Trash", "Drafts": "\\Drafts"]
    stage = try Stage(options)
    for number in 1...2 {
      try stage.imap.append(SizeLimitTests.large("large\(number)"), flags: "\\Seen")
    }
    try stage.imap.append(mail("small1"), flags: "\\Seen")
    user = Dovecot.freshUser()
    imap = try RawIMAP(stage.server, user: user)
    try imap.create("Archive")
    try configure()
    try stage.syncWell()
  }

  private func configure(url: String? = nil, _ rule: String = "") throws {
    let other = """
      size-limit = "100kB"
      \(rule)
      [account.other]
      maildir = "~/Mail/other"
      imap = "\(stage.server.tlsURL)"
      tls-ca-file = "\(stage.server.trustFile)"
      user = "\(user)"
      password = "pass"
      index = true
      """
    try stage.configure(url: url, sync: other, isIndexed: true)
  }

  private func isPartial(_ subject: String) throws -> Bool {
    let octets = try LocalFolder(stage.maildir, "INBOX").content(subject)
    return String(decoding: octets, as: UTF8.self).contains("access-type=\"x-magnum\"")
  }

  /// The subjects of what both servers have, each with its mailbox; what was large is there as it was sent.
  private func found() throws -> [String] {
    func lines(_ account: String, _ imap: RawIMAP) throws -> [String] {
      try imap.everything().flatMap { mailbox, messages in
        messages.map { message in
          let subject = message.subject
          if subject.hasPrefix("large") { #expect(message.body == SizeLimitTests.large(subject)) }
          return "\(account)\(mailbox) \(subject)"
        }
      }
    }
    let here = try lines("", RawIMAP(stage.server, user: stage.user))
    return (here + (try lines("other/", RawIMAP(stage.server, user: user)))).sorted()
  }

  private static let before = ["INBOX large1", "INBOX large2", "INBOX small1"]
  private static let after = [
    "INBOX large2", "INBOX small1", "Trash large1", "other/Archive large1",
  ]

  @Test func aMoveEndsInTheOtherAccount() throws {
    let planned = try stage.magnumWell("move", "-n", "other/Archive", "subject:large1")
    #expect(planned.errors.contains("1 message to be fetched whole before"), "\(planned)")
    #expect(try isPartial("large1"))
    try stage.magnumWell("move", "other/Archive", "subject:large1 or subject:small1")
    #expect(try stage.found("is:partial") == 1)
    for _ in 1...2 { try stage.syncWell() }
    #expect(
      try found()
        == ["INBOX large2", "Trash large1", "Trash small1"]
        + ["other/Archive large1", "other/Archive small1"]
    )
    let copy = LocalFolder(stage.program.home["Mail/other"], "Archive")
    #expect(try copy.content("large1") == MaildirTree.stored(SizeLimitTests.large("large1")))
    try stage.magnumWell("undo")
    for _ in 1...2 { _ = try stage.sync("--allow-mass-delete=other/*") }
    #expect(try found().filter { !$0.hasPrefix("other/Trash ") } == Self.before)
    #expect(try !isPartial("large1") && isPartial("large2"))
  }

  @Test func aCopyGoesAnywhere() throws {
    let copied = try stage.magnumWell("copy", "--json", "other/Archive", "subject:large1")
    // Nothing but what was done is there for a program to read.
    #expect(copied.output.split(separator: "\n").count == 1, "\(copied)")
    #expect(copied.output.contains("\"state\":\"done\""), "\(copied)")
    try stage.imap.create("Archive")
    try stage.syncWell()
    try stage.magnumWell("copy", "Archive", "subject:large2")
    try stage.magnumWell("copy", "Drafts", "subject:large2 folder:INBOX")
    for _ in 1...2 { try stage.syncWell() }
    #expect(
      try found()
        == (Self.before + ["Archive large2", "Drafts large2", "other/Archive large1"]).sorted()
    )
  }

  @Test func aPlainMaildirGetsAllOfIt() throws {
    try configure("[account.old]\nmaildir = \"~/Mail/old\"")
    let old = LocalFolder(stage.program.home["Mail/old"], "2024")
    try old.make()
    let moved = try stage.magnum("move", "old/2024", "--account", "test", "subject:large1")
    #expect(moved.code == 0, "\(moved)")
    #expect(try old.content("large1") == MaildirTree.stored(SizeLimitTests.large("large1")))
    for _ in 1...2 { try stage.syncWell() }
    #expect(try found() == ["INBOX large2", "INBOX small1", "Trash large1"])
  }

  /// In its own account a message needs no octet to be moved; the sync that moves it makes it whole.
  @Test func aMoveToDraftsWaitsForNoServer() throws {
    try configure(url: "imap+plain://127.0.0.1:1")
    try stage.magnumWell("move", "Drafts", "subject:large1")
    try configure()
    for _ in 1...2 { try stage.syncWell() }
    #expect(try found() == ["Drafts large1", "INBOX large2", "INBOX small1"])
    let whole = MaildirTree.stored(SizeLimitTests.large("large1"))
    #expect(try LocalFolder(stage.maildir, "Drafts").content("large1") == whole)
  }

  enum Obstacle: String, CaseIterable { case offline, refused, day }

  @Test(arguments: Obstacle.allCases)
  func whatCannotBeFetchedStays(_ obstacle: Obstacle) throws {
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      line.contains("BODY.PEEK[]") ? .refused("NO [SERVERBUG] not now") : .passed
    }
    let words: String
    switch obstacle {
    case .offline:
      try configure(url: "imap+plain://127.0.0.1:1")
      words = "refused"
    case .refused:
      try configure(url: proxy.clearURL)
      words = "not now"
    case .day:
      try configure("daily-limit = \"1kB\"")
      // The message that reaches the limit is fetched.
      try stage.magnumWell("attachments", "fetch", "subject:large2")
      words = "daily-limit is reached"
    }
    let files = TreeSnapshot(stage.program.home["Mail"])
    for verb in ["move", "copy"] {
      let refused = try stage.magnum(verb, "other/Archive", "subject:large1 or subject:small1")
      #expect(refused.code == 75, "\(refused)")
      #expect(refused.errors.contains("could not be fetched; nothing was"), "\(refused)")
      #expect(refused.errors.contains(words), "\(refused)")
    }
    let changed = TreeSnapshot(stage.program.home["Mail"]).differences(from: files)
    #expect(changed.filter { !$0.contains("/.magnum") } == [])
    try configure()
    try stage.magnumWell("move", "other/Archive", "subject:large1")
    for _ in 1...2 { try stage.syncWell() }
    #expect(try found() == Self.after)
  }

  /// Where there is nothing to fetch from, the refusal stays.
  @Test func whatIsInNoMirroredAccountIsRefused() throws {
    let old = LocalFolder(stage.program.home["Mail/old"], "INBOX")
    let octets = try LocalFolder(stage.maildir, "INBOX").content("large1")
    try configure("[account.old]\nmaildir = \"~/Mail/old\"")
    for name in ["INBOX", "Trash"] { try LocalFolder(stage.program.home["Mail/old"], name).make() }
    try old.add("1700000000.1_2.host", octets, flags: "S")
    for verb in ["move", "copy"] {
      let file = stage.program.home["Mail/old/INBOX/cur/1700000000.1_2.host:2,S"]
      let refused = try stage.magnum(verb, "other/Archive", file)
      #expect(refused.code == 65, "\(refused)")
      #expect(refused.errors.contains("account with a server"), "\(refused)")
    }
    #expect(old.bases.count == 1)
  }

  /// Wherever it is killed: the message is in one account, or in both until a server has the copy.
  @Test func everyKillIsSurvived() throws {
    var killed = 0
    var moved = 0
    var number = 0
    let step = Turn.stride(9)
    var point = 1 + Turn.first(of: step)
    while true {
      number += 1
      let subject = "large9\(number)"
      try stage.imap.append(SizeLimitTests.large(subject))
      try stage.syncWell()
      #expect(try isPartial(subject))
      let run = try stage.magnum(
        "move",
        "other/Archive",
        "subject:\(subject)",
        variables: ["MAGNUM_FAULT": "\(point)"]
      )
      for _ in 1...2 { try stage.syncWell() }
      let places = try found().filter { $0.hasSuffix(" \(subject)") }
      let isMoved = places == ["Trash \(subject)", "other/Archive \(subject)"]
      #expect(isMoved || places == ["INBOX \(subject)"], "point \(point): \(places) \(run)")
      if isMoved { moved += 1 }
      guard run.code != 0 else { break }
      killed += 1
      point += step
    }
    #expect(killed > 90 / step && moved > 0, "\(killed) \(moved)")
  }
}
