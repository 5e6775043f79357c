import Configuration
import MailModel
import MailStore
import MemoryStore
import Platform
import RestorePlan
import TestSupport
import Testing
import Transport

@testable import Restoration

/// A Maildir uploaded to servers that lack nothing and that lack everything.
@Suite struct RestorationTests {
  static let servers = [MemoryAbilities(), .bare]

  private func stage(_ abilities: MemoryAbilities = MemoryAbilities()) throws -> RestoreStage {
    let stage = try RestoreStage(abilities)
    try stage.add("1.a:2,S", RestoreStage.message("1", "one"), date: 1_400_000_001)
    try stage.add("2.a:2,FR", RestoreStage.message("2", "two"), date: 1_400_000_002)
    try stage.add("3.a:2,", RestoreStage.message(nil, "no id"), date: 1_400_000_003)
    try stage.add("4.a:2,", RestoreStage.message("4", "equal"), date: 1_400_000_004)
    try stage.add("5.a:2,", RestoreStage.message("4", "equal"), date: 1_400_000_004)
    try stage.add("6.a:2,", RestoreStage.message("6", "same id"), date: 1_400_000_005)
    try stage.add("7.a:2,", RestoreStage.message("6", "same id", body: "b"), date: 1_400_000_005)
    try stage.add("8.a:2,DS", RestoreStage.message("8", "draft", to: "c"), to: ".Drafts")
    try stage.add("9.a:2,DS", RestoreStage.message("8", "draft", to: "d"), to: ".Drafts")
    try stage.add("10.a:2,S", RestoreStage.message("10", "deep"), to: "Lists/swift")
    return stage
  }

  static let inbox = [
    "[\\Answered \\Flagged] 1400000002 two: text", "[\\Seen] 1400000001 one: text",
    "[] 1400000003 no id: text", "[] 1400000004 equal: text", "[] 1400000004 equal: text",
    "[] 1400000005 same id: b", "[] 1400000005 same id: text",
  ]

  private func expectAll(_ stage: RestoreStage, _ place: String = "") {
    #expect(stage.lines("INBOX") == Self.inbox, "\(place)")
    #expect(
      stage.lines("Drafts")
        == Array(repeating: "[\\Draft \\Seen] 1500000000 draft: text", count: 2),
      "\(place)"
    )
    #expect(stage.lines("Lists/swift") == ["[\\Seen] 1500000000 deep: text"], "\(place)")
  }

  @Test(arguments: servers)
  func everythingOnce(_ abilities: MemoryAbilities) throws {
    let stage = try stage(abilities)
    let planned = try stage.run(isDryRun: true)
    #expect(planned.counts.uploaded == 10 && planned.made == 1)
    #expect(stage.lines("INBOX") == [] && !Files.exists(stage.folder["state"]))
    let first = try stage.run()
    #expect(first.isComplete && first.counts.uploaded == 10 && first.counts.proven == 10)
    expectAll(stage)
    let second = try stage.run()
    #expect(second.isComplete && second.counts.uploaded == 0 && second.counts.present == 10)
    stage.loseRecords()
    let third = try stage.run()
    #expect(third.isComplete && third.counts.uploaded == 0 && third.counts.present == 10)
    #expect(third.counts.proven == 10)
    expectAll(stage)
  }

  /// Each request is cut off once before it is made and once before it is answered, with and without records.
  @Test(arguments: servers, [true, false])
  func anythingThatIsCutOffIsTakenUp(_ abilities: MemoryAbilities, _ isRepeated: Bool) throws {
    let empty = try stage(abilities).content
    let stage = try stage(abilities)
    _ = try stage.run()
    let requests = stage.requests
    try #require(requests > 15)
    for number in 1...requests {
      for isDone in [true, false] {
        stage.content = empty
        stage.loseRecords()
        var cut = MemoryServer.Interference()
        if isDone { cut.cutAfter = number } else { cut.cutBefore = number }
        let place = "\(isDone ? "after" : "before") request \(number)"
        if isRepeated {
          var report = try stage.run(cut, retryDelays: [0, 0])
          // Only what is done in mailboxes is tried again: the list and the making of mailboxes come first.
          if number <= 3, report.failure != nil { report = try stage.run() }
          #expect(report.isComplete && report.counts.uploaded == 10, "\(place): \(report)")
        } else {
          let broken = try stage.run(cut)
          guard case .transport(.closed)? = broken.failure else {
            #expect(broken.isComplete, "\(place): \(broken)")
            continue
          }
          // What was answered for is found without records too.
          if number % 3 == 0, isDone { stage.loseRecords() }
          let report = try stage.run()
          #expect(report.isComplete, "\(place): \(report)")
        }
        expectAll(stage, place)
      }
    }
  }

  /// What a server does to what it takes: each header gets a line more.
  private static var rewriting: MemoryServer.Interference {
    var rewriting = MemoryServer.Interference()
    rewriting.before = { _, content in
      for (name, mailbox) in content.mailboxes {
        var mailbox = mailbox
        for (uid, message) in mailbox.messages where !message.octets.starts(with: "X-A".utf8) {
          mailbox.messages[uid]?.octets = Array("X-Added: yes\r\n".utf8) + message.octets
        }
        content.mailboxes[name] = mailbox
      }
    }
    return rewriting
  }

  @Test(arguments: servers)
  func aServerThatChangesMessagesGetsNoneTwice(_ abilities: MemoryAbilities) throws {
    let stage = try stage(abilities)
    let first = try stage.run(Self.rewriting)
    #expect(first.counts.uploaded == 10 && first.counts.altered == 10, "\(first)")
    #expect(first.counts.unequal == 10 && !first.isComplete && first.counts.missing == 0)
    let second = try stage.run(Self.rewriting)
    #expect(second.isComplete && second.counts.uploaded == 0 && second.counts.altered == 10)
    expectAll(stage)
  }

  /// Records that name nobody count where the server has the message that they speak of, and nowhere else.
  @Test(arguments: servers)
  func recordsOfOlderVersionsCountWhereTheServerAgrees(_ abilities: MemoryAbilities) throws {
    let stage = try stage(abilities)
    let empty = stage.content
    _ = try stage.run(Self.rewriting)
    try stage.makeRecordsOld()
    for _ in 0..<2 {
      let report = try stage.run(Self.rewriting)
      #expect(report.isComplete && report.counts.uploaded == 0, "\(report)")
      expectAll(stage)
    }
    try stage.makeRecordsOld()
    stage.content = empty
    for number in 1...9 {
      let octets = Array("Subject: \(number)\r\n\r\n".utf8)
      stage.content.mailboxes["INBOX"]?.add(octets, flags: [], date: 1)
    }
    let other = try stage.run()
    #expect(other.isComplete && other.counts.uploaded == 10, "\(other)")
  }

  /// What was begun and not answered for is looked for also where the records name nobody.
  @Test(arguments: servers)
  func whatOlderVersionsBeganIsLookedFor(_ abilities: MemoryAbilities) throws {
    let stage = try RestoreStage(abilities)
    try stage.add("1.a:2,S", RestoreStage.message(nil, "no id"))
    let empty = stage.content
    _ = try stage.run(Self.rewriting)
    for number in 1...stage.requests {
      stage.content = empty
      stage.loseRecords()
      var cut = Self.rewriting
      cut.cutAfter = number
      _ = try stage.run(cut)
      try stage.makeRecordsOld()
      _ = try stage.run(Self.rewriting)
      #expect(stage.lines("INBOX").count == 1, "\(number)")
    }
  }

  @Test(arguments: servers)
  func aServerThatChangesMessagesAndIsCutOff(_ abilities: MemoryAbilities) throws {
    let stage = try RestoreStage(abilities)
    for number in 0..<3 {
      try stage.add("\(number).a:2,S", RestoreStage.message("\(number)", "\(number)"))
    }
    // Their content alone would not tell that they are there.
    try stage.add("4.a:2,S", RestoreStage.message(nil, "no id"))
    try stage.add("5.a:2,DS", RestoreStage.message("5", "draft"))
    let empty = stage.content
    _ = try stage.run(Self.rewriting)
    for number in 1...stage.requests {
      stage.content = empty
      stage.loseRecords()
      var cut = Self.rewriting
      cut.cutAfter = number
      _ = try stage.run(cut)
      let report = try stage.run(Self.rewriting)
      #expect(report.counts.missing == 0, "\(number): \(report)")
      #expect(stage.lines("INBOX").count == 5, "\(number)")
    }
  }

  @Test func whatIsThereIsLeftAsItIs() throws {
    let stage = try stage()
    let octets = RestoreStage.message("1", "one").replacing("\n", with: "\r\n")
    stage.content.mailboxes["INBOX"]?.add(Array(octets.utf8), flags: ["\\Flagged", "x"], date: 5)
    stage.content.mailboxes["INBOX"]?.add(Array("Subject: other\r\n\r\n".utf8), flags: [], date: 6)
    let report = try stage.run()
    #expect(report.isComplete && report.counts.uploaded == 9 && report.counts.present == 1)
    #expect(report.counts.remarked == 1)
    let lines = Self.inbox.filter { !$0.contains("one") }
    #expect(
      stage.lines("INBOX") == (lines + ["[\\Flagged x] 5 one: text", "[] 6 other: "]).sorted()
    )
  }

  /// A message that goes with the next EXPUNGE is not restored, and stays as it is.
  @Test func whatIsMarkedAsDeletedIsNamed() throws {
    let stage = try stage()
    let octets = RestoreStage.message("1", "one").replacing("\n", with: "\r\n")
    let flags: Set = ["\\Seen", "\\Deleted"]
    stage.content.mailboxes["INBOX"]?.add(Array(octets.utf8), flags: flags, date: 1_400_000_001)
    let report = try stage.run()
    #expect(!report.isComplete && report.counts.unequal == 1 && report.counts.missing == 0)
    #expect(report.counts.uploaded == 9 && report.counts.present == 1, "\(report)")
    #expect(stage.lines("INBOX").contains("[\\Deleted \\Seen] 1400000001 one: text"))
  }

  /// What others put into the mailbox meanwhile, such as a restore on another machine, is not uploaded once more.
  @Test(arguments: servers)
  func whatOthersUploadMeanwhileIsThere(_ abilities: MemoryAbilities) throws {
    let stage = try RestoreStage(abilities)
    let names = (0..<150).map { "m\($0)." }
    for name in names { try stage.add("\(name)a:2,S", RestoreStage.message(name, name)) }
    var meddling = MemoryServer.Interference()
    meddling.before = { _, content in
      guard let inbox = content.mailboxes["INBOX"], inbox.messages.count == 100 else { return }
      let there = inbox.messages.values.map { String(decoding: $0.octets, as: UTF8.self) }
      for name in names where !there.contains(where: { $0.contains("<\(name)>") }) {
        let octets = RestoreStage.message(name, name).replacing("\n", with: "\r\n")
        content.mailboxes["INBOX"]?.add(Array(octets.utf8), flags: ["\\Seen"], date: 1_500_000_000)
      }
    }
    let report = try stage.run(meddling)
    #expect(report.isComplete && report.counts.uploaded == 100, "\(report)")
    #expect(report.counts.present == 50 && stage.lines("INBOX").count == 150)
  }

  /// What another client expunges in the midst of it is missing, and is uploaded by the next run.
  @Test func whatGoesMeanwhileIsMissing() throws {
    let stage = try stage()
    var meddling = MemoryServer.Interference()
    meddling.before = { _, content in
      let uid = content.mailboxes["INBOX"]?.messages.first {
        String(decoding: $0.value.octets, as: UTF8.self).contains("Subject: two")
      }?.key
      if let uid { content.mailboxes["INBOX"]?.expunge(uid) }
    }
    let report = try stage.run(meddling)
    #expect(report.counts.missing == 1 && !report.isComplete)
    let missing = stage.events.compactMap { event -> String? in
      guard case .difference(_, let path, nil, .missing, _) = event else { return nil }
      return String(decoding: path.lastComponent, as: UTF8.self)
    }
    #expect(missing == ["2.a:2,FR"])
    #expect(try stage.run().isComplete)
    expectAll(stage)
  }

  @Test func anotherValidityIsAnotherMailbox() throws {
    let stage = try stage()
    _ = try stage.run()
    stage.content.mailboxes["INBOX"]?.renumber(99)
    let report = try stage.run()
    #expect(report.isComplete && report.counts.uploaded == 0)
    expectAll(stage)
  }

  /// Records are about the messages of one user: others have other messages with the same UIDVALIDITY and UIDs.
  @Test func anotherUserHasOtherMessages() throws {
    let stage = try stage()
    let empty = stage.content
    _ = try stage.run()
    let own = stage.content
    stage.content = empty
    for number in 1...9 {
      let octets = Array("Subject: \(number)\r\n\r\n".utf8)
      stage.content.mailboxes["INBOX"]?.add(octets, flags: [], date: 1)
    }
    try stage.change(user: "other")
    let report = try stage.run()
    #expect(report.isComplete && report.counts.uploaded == 10, "\(report)")
    #expect(stage.lines("INBOX").count == 9 + Self.inbox.count)
    stage.content = own
    try stage.change(user: "user")
    let again = try stage.run()
    #expect(again.isComplete && again.counts.uploaded == 0, "\(again)")
  }

  /// Messages that no connection outlasts, or over which the server breaks the protocol, are named; all others are uploaded,
  /// also those of other mailboxes.
  @Test(arguments: servers, [false, true])
  func messagesThatBreakTheConnectionAreNamed(
    _ abilities: MemoryAbilities,
    breaksProtocol: Bool
  ) throws {
    let stage = try stage(abilities)
    var breaking = MemoryServer.Interference()
    if breaksProtocol {
      let violation = ProtocolViolation(rule: "malformed", isOtherProtocol: false, line: [])
      breaking.breakage = .protocolViolation(violation)
    }
    breaking.breaksOver = { octets in
      let text = String(decoding: octets, as: UTF8.self)
      return text.contains("Subject: two") || text.contains("Subject: no id")
        || text.contains("Subject: deep")
    }
    let report = try stage.run(breaking, retryDelays: [0, 0, 0])
    #expect(report.failure == nil && report.failed == 0 && !report.isComplete, "\(report)")
    #expect(report.counts.uploaded == 7 && report.counts.refused == 3, "\(report)")
    let named = stage.events.compactMap { event -> String? in
      guard case .file(_, let path, .breaksConnection) = event else { return nil }
      return String(decoding: path.lastComponent, as: UTF8.self)
    }
    #expect(named.sorted() == ["10.a:2,S", "2.a:2,FR", "3.a:2,"])
    #expect(stage.lines("INBOX").count == 5 && stage.lines("Drafts").count == 2)
    let second = try stage.run()
    #expect(second.isComplete && second.counts.uploaded == 3, "\(second)")
    expectAll(stage)
  }

  /// A later restore tries them once, alone and behind all others.
  @Test(arguments: servers)
  func messagesThatBreakTheConnectionAreRemembered(_ abilities: MemoryAbilities) throws {
    let stage = try stage(abilities)
    let breaks = Monitor(0)
    var breaking = MemoryServer.Interference()
    breaking.breaksOver = { octets in
      let text = String(decoding: octets, as: UTF8.self)
      return text.contains("Subject: two") || text.contains("Subject: no id")
    }
    breaking.broken = { breaks.update { $0 += 1 } }
    _ = try stage.run(breaking, retryDelays: [0, 0, 0])
    #expect(breaks.withLock { $0 } > 2)
    try stage.add("11.a:2,S", RestoreStage.message("11", "new"))
    for uploaded in [1, 0] {
      breaks.update { $0 = 0 }
      let report = try stage.run(breaking, retryDelays: [0])
      #expect(breaks.withLock { $0 } == 2)
      #expect(report.failure == nil && report.counts.refused == 2, "\(report)")
      #expect(report.counts.uploaded == uploaded, "\(report)")
    }
    let last = try stage.run()
    #expect(last.isComplete && last.counts.uploaded == 2, "\(last)")
  }

  /// A server that hangs up over every message is not tried with each of them.
  @Test func aServerThatTakesNothingEndsTheRun() throws {
    let stage = try RestoreStage()
    for number in 0..<30 {
      try stage.add("\(number).a:2,S", RestoreStage.message("\(number)", "m\(number)"))
    }
    let breaks = Monitor(0)
    var breaking = MemoryServer.Interference()
    breaking.breaksOver = { _ in true }
    breaking.broken = { breaks.update { $0 += 1 } }
    let report = try stage.run(breaking, retryDelays: [0, 0, 0])
    #expect(report.failure != nil, "\(report)")
    #expect(breaks.withLock { $0 } == 10)
  }

  /// There is no UID behind the last one.
  @Test func theLastUIDIsTaken() throws {
    let stage = try RestoreStage()
    try stage.add("1.a:2,S", RestoreStage.message("1", "one"))
    let octets = RestoreStage.message("1", "one").replacing("\n", with: "\r\n")
    stage.content.mailboxes["INBOX"]?.uidNext = .max - 1
    stage.content.mailboxes["INBOX"]?.add(Array(octets.utf8), flags: [], date: 5)
    let message = stage.content.mailboxes["INBOX"]?.messages.removeValue(forKey: .max - 1)
    stage.content.mailboxes["INBOX"]?.messages[.max] = message
    let report = try stage.run()
    #expect(report.isComplete && report.counts.present == 1, "\(report)")
  }

  /// Folders of both layouts that mean one mailbox are one.
  @Test func foldersThatMeanOneMailbox() throws {
    let stage = try RestoreStage()
    try stage.add("1.a:2,S", RestoreStage.message("1", "one"), to: "Lists/swift")
    try stage.add("2.a:2,S", RestoreStage.message("2", "two"), to: ".Lists.swift")
    try stage.add("3.a:2,S", RestoreStage.message("3", "three"), to: "inbox")
    try stage.add("4.a:2,S", RestoreStage.message("4", "four"))
    try stage.add("5.a:2,S", RestoreStage.message("5", "five"), to: "Inbox/a")
    try stage.add("6.a:2,S", RestoreStage.message("5", "five"), to: "INBOX/a")
    let report = try stage.run()
    #expect(report.isComplete && report.mailboxes == 3)
    #expect(stage.lines("Lists/swift").count == 2 && stage.lines("INBOX").count == 2)
    #expect(stage.lines("INBOX/a").count == 2)
    #expect(try stage.run(isDryRun: true).made == 0)
    let below = try stage.run(into: ["Old", "a"])
    #expect(below.isComplete && below.made == 5)
    #expect(stage.lines("Old/a/Lists/swift").count == 2 && stage.lines("Old/a").count == 1)
    #expect(stage.lines("Old/a/inbox").count == 1)
  }

  @Test func onlyOneRestoreAtATime() throws {
    let stage = try stage()
    let directory = Path(stage.folder["state/magnum/accounts/\(stage.account.name)"])
    try FileSystem.makeDirectories(directory)
    guard case .acquired(let lock) = try FileLock.acquire(directory.appending("restored")) else {
      Issue.record("no lock")
      return
    }
    let locked = try stage.run()
    guard case .locked? = locked.failure else {
      Issue.record("\(locked)")
      return
    }
    lock.release()
    #expect(try stage.run().isComplete)
  }

  @Test func anInterruptionEndsItInOrder() throws {
    let stage = try stage()
    let interruption = Interruption()
    var meddling = MemoryServer.Interference()
    meddling.before = { number, _ in if number == 5 { interruption.request() } }
    let report = try stage.run(meddling, interruption: interruption)
    guard case .interrupted? = report.failure else {
      Issue.record("\(report)")
      return
    }
    #expect(try stage.run().isComplete)
    expectAll(stage)
  }
}
