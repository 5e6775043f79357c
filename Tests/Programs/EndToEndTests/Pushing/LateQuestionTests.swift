import Glibc
import Synchronization
import TestSupport
import Testing

/// What goes wrong, and what others do, right before the server tells behind a change what a mailbox is like: neither changes what
/// came of it, and nothing is skipped.
@Suite struct LateQuestionTests {
  /// What is done here with the first message.
  enum Change: String, CaseIterable, Sendable {
    case flag, move, removal, upload
  }

  /// What becomes of the SELECT of the mailbox behind it.
  enum Trouble: String, CaseIterable, Sendable {
    case refused = "NO [SERVERBUG] cannot"
    case bad = "BAD what?"
    case busy = "NO [LIMIT] too many"
    case lost = "* BYE enough"
  }

  /// What another client does there at that moment.
  enum Deed: String, CaseIterable, Sendable {
    case flags, expunge, arrival

    func act(_ imap: RawIMAP) throws {
      try imap.select("Work")
      switch self {
      case .flags: try imap.store("3", #"+FLAGS (\Flagged)"#)
      case .expunge: try imap.move("3", to: "Trash")
      case .arrival: try imap.append(mail("arrived"), to: "Work")
      }
    }
  }

  private func stage() throws -> Stage {
    let stage = try Stage()
    for name in ["Work", "Archive", "Trash"] { try stage.imap.create(name) }
    for subject in ["one", "two", "three", "four"] {
      try stage.imap.append(mail(subject), to: "Work", flags: #"\Answered"#)
    }
    try stage.settle()
    return stage
  }

  private func `do`(_ change: Change, _ stage: Stage) throws {
    let files = LocalFolder(stage.maildir, "Work")
    switch change {
    case .flag: try files.setFlags("RS", of: "one")
    case .move: _ = try files.move("one", to: "Archive", flags: "R")
    case .removal: try files.remove("one")
    case .upload: try files.add("1.new.host", mail("new"), flags: "S")
    }
  }

  private func places(_ change: Change) -> (subject: String, places: [String]) {
    switch change {
    case .flag: ("one", ["Work [RS]"])
    case .move: ("one", ["Archive [R]"])
    case .removal: ("one", ["Trash [R]"])
    case .upload: ("new", ["Work [S]"])
    }
  }

  /// A run in which the second SELECT of the mailbox, that behind the change, has this fate.
  private func sync(_ stage: Stage, _ fate: BendingProxy.Fate) throws -> Outcome {
    let count = Mutex(0)
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      guard line.hasPrefix("SELECT \"Work\"") else { return .passed }
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == 2 ? fate : .passed
    }
    try stage.configure(url: proxy.clearURL, sync: "connections = 1")
    let outcome = try stage.sync("--trace")
    #expect(count.withLock { $0 } >= 2, "\(outcome)")
    try stage.configure(url: stage.server.clearURL)
    return outcome
  }

  @Test(arguments: Change.allCases, Trouble.allCases)
  func whatGoesWrongChangesNothing(_ change: Change, _ trouble: Trouble) throws {
    let stage = try stage()
    try self.do(change, stage)
    let fate: BendingProxy.Fate =
      trouble == .lost ? .hungUp(trouble.rawValue) : .refused(trouble.rawValue)
    _ = try sync(stage, fate)
    try stage.expectSettled()
    let (subject, places) = places(change)
    #expect(try stage.places(of: subject) == places)
  }

  @Test(arguments: Change.allCases, Deed.allCases)
  func whatOthersDoIsNotPassedOver(_ change: Change, _ deed: Deed) throws {
    let stage = try stage()
    try self.do(change, stage)
    try sync(stage, others: deed.act)
    try stage.expectSettled()
    switch deed {
    case .flags: #expect(try stage.places(of: "three") == ["Work [FR]"])
    case .expunge: #expect(try stage.places(of: "three") == ["Trash [R]"])
    case .arrival: #expect(try stage.places(of: "arrived") == ["Work []"])
    }
    let (subject, places) = places(change)
    #expect(try stage.places(of: subject) == places)
  }

  /// What another mailbox of the same name is like says nothing of the one that was changed.
  @Test func anotherMailboxMayHaveTheName() throws {
    let stage = try stage()
    try self.do(.flag, stage)
    try sync(stage) { imap in
      try imap.rename("Work", to: "Before")
      try imap.create("Work")
      try appendOnceMade(mail("other one"), to: "Work", imap)
    }
    try stage.expectSettled()
    #expect(try stage.places(of: "one") == ["Before [RS]"])
    #expect(try stage.places(of: "other one") == ["Work [R]"])
  }

  /// No command goes to another mailbox of the same name, also where its answer is of no use otherwise.
  @Test func anotherMailboxWithoutModificationSequences() throws {
    let stage = try stage()
    let files = LocalFolder(stage.maildir, "Work")
    for subject in ["one", "two"] { try files.setFlags("RS", of: subject) }
    let seen = Mutex((isRefused: false, isOther: false, wasOther: false))
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      seen.withLock { seen in
        if line.hasPrefix("SELECT \"Work\""), seen.isRefused, !seen.wasOther {
          (seen.isOther, seen.wasOther) = (true, true)
        }
        guard line.hasPrefix("UID STORE"), !seen.isRefused else { return .passed }
        seen.isRefused = true
        return .refused("NO one of them cannot")
      }
    } reply: { line in
      seen.withLock { seen in
        guard seen.isOther else { return line }
        if line.contains("[UIDVALIDITY ") { return "* OK [UIDVALIDITY 999] another one" }
        if line.contains("[HIGHESTMODSEQ ") { return "* OK [NOMODSEQ] none" }
        if line.contains("Select completed") { seen.isOther = false }
        return line
      }
    }
    try stage.configure(url: proxy.clearURL, sync: "connections = 1")
    _ = try stage.sync()
    let commands = proxy.commands
    let stores = commands.indices.filter { commands[$0].hasPrefix("UID STORE") }
    let between = try commands[#require(stores.first)...#require(stores.dropFirst().first)]
    #expect(between.count { $0.hasPrefix("SELECT \"Work\"") } == 2, "\(between)")
    try stage.configure(url: stage.server.clearURL)
    try stage.expectSettled()
    for subject in ["one", "two"] { #expect(try stage.places(of: subject) == ["Work [RS]"]) }
  }

  /// Dovecot may take a mailbox for the one that had its name before, for as long as another session writes to that one: it
  /// answers `NO Mailbox was deleted under us`.
  private func appendOnceMade(_ message: [UInt8], to mailbox: String, _ imap: RawIMAP) throws {
    for _ in 1..<20 {
      do {
        try imap.append(message, to: mailbox, flags: #"\Answered"#)
        return
      } catch let error as HarnessError where error.description.contains("deleted under us") {
        usleep(100_000)
      }
    }
    try imap.append(message, to: mailbox, flags: #"\Answered"#)
  }

  /// A run in which others act right before the server tells.
  private func sync(_ stage: Stage, others act: @escaping @Sendable (RawIMAP) throws -> Void) throws
  {
    let (port, user) = (stage.server.ports.clear, stage.user)
    let failure = Mutex<String?>(nil)
    let outcome = try sync(
      stage,
      .after {
        do { try act(try RawIMAP(port: port, user: user)) } catch {
          failure.withLock { $0 = "\(error)" }
        }
      }
    )
    #expect(failure.withLock { $0 } == nil, "\(outcome)")
  }
}
