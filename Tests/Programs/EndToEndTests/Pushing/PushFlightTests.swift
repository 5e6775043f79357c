import Synchronization
import TestSupport
import Testing

/// What is pushed to many mailboxes costs flights of commands and flushes by the flight, not by the mailbox.
@Suite struct PushFlightTests {
  private static let summary = [".magnum/summary", "test/.magnum"]
  /// Mailboxes whose flags are changed in one flight.
  private static let mailboxes = 16

  private static func names(_ count: Int) -> [String] { (1...count).map { "box\($0)" } }

  /// Besides the message that something is done to, as many others that one removed in each is no accident.
  private static func prepare(_ stage: Stage, _ count: Int, others: Int = 0) throws {
    for name in ["Archive", "Trash"] { try stage.imap.create(name) }
    for name in names(count) {
      try stage.imap.create(name)
      try stage.imap.append(mail("in \(name)"), to: name, flags: #"\Answered"#)
      if others > 0 {
        try stage.imap.append((1...others).map { mail("other \($0) in \(name)") }, to: name)
      }
    }
    try stage.settle()
    try stage.syncWell()
  }

  private static func flag(_ stage: Stage, _ names: some Sequence<String>) throws {
    for name in names { try LocalFolder(stage.maildir, name).setFlags("RS", of: "in \(name)") }
  }

  private static func move(_ stage: Stage, _ names: some Sequence<String>) throws {
    for name in names {
      try LocalFolder(stage.maildir, name).move("in \(name)", to: "Archive", flags: "R")
    }
  }

  private static func remove(_ stage: Stage, _ names: some Sequence<String>) throws {
    for name in names { try LocalFolder(stage.maildir, name).remove("in \(name)") }
  }

  private static func draft(_ stage: Stage, _ names: some Sequence<String>) throws {
    for name in names {
      try LocalFolder(stage.maildir, name).add(
        "1.\(name).host",
        mail("new in \(name)"),
        flags: "DS"
      )
    }
  }

  /// The flights that a run needs besides those of one in which nothing happened.
  private func flights(
    _ count: Int,
    others: Int = 0,
    _ act: (Stage, [String]) throws -> Void
  ) throws -> Int {
    let stage = try Stage()
    let proxy = try FlightProxy(to: stage.server.ports.clear)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)")
    try Self.prepare(stage, count, others: others)
    _ = proxy.takeFlights()
    try stage.syncWell()
    let idle = proxy.takeFlights()
    try act(stage, Self.names(count))
    try stage.syncWell()
    let flights = proxy.takeFlights()
    try stage.expectMirrored()
    _ = proxy.takeFlights()
    // What was told behind the changes is known to the next run.
    try stage.syncWell()
    #expect(proxy.takeFlights() == idle)
    return flights - idle
  }

  /// One tells what changed meanwhile, each other one changes as many mailboxes as go together.
  @Test(arguments: [2, 16, 32, 100])
  func flagsOfManyMailboxes(_ count: Int) throws {
    let flights = try flights(count, Self.flag)
    #expect(flights <= 1 + (count + Self.mailboxes - 1) / Self.mailboxes)
  }

  @Test(arguments: [2, 16, 32])
  func draftsInManyMailboxes(_ count: Int) throws {
    let flights = try flights(count, Self.draft)
    #expect(flights <= 1 + (count + Self.mailboxes - 1) / Self.mailboxes)
  }

  /// Of few, what changed is asked for together with the list.
  @Test(arguments: [(2, 1), (16, 2), (17, 3), (30, 3)])
  func movesOutOfManyMailboxes(_ count: Int, _ flights: Int) throws {
    let found = try self.flights(count, Self.move)
    #expect(found == flights)
  }

  /// What goes to Trash is here at once: it comes with the answer to the last flight.
  @Test(arguments: [(2, 1), (16, 2), (17, 3), (30, 3)])
  func removalsFromManyMailboxes(_ count: Int, _ flights: Int) throws {
    let found = try self.flights(count, others: 4, Self.remove)
    #expect(found == flights)
  }

  /// What is under way, what came of it, and the checkpoints; the summary.
  @Test func flagsOfManyMailboxesAreFlushedTogether() throws {
    let stage = try Stage()
    try Self.prepare(stage, 100)
    for count in [40, 100] {
      for name in Self.names(count) {
        let letters = count == 40 ? "RS" : "FRS"
        try LocalFolder(stage.maildir, name).setFlags(letters, of: "in \(name)")
      }
      let flushed = try stage.flushed(by: stage.program.command([]))
      let logs = [String](repeating: ".magnum/mailboxes", count: 3)
      #expect(flushed == (logs + Self.summary).sorted(), "\(count)")
      try stage.expectMirrored()
      try stage.settle()
    }
  }

  /// Where the messages went, twice for each flight; that they left, and the checkpoints, once; the summary.
  @Test func movesOutOfManyMailboxesAreFlushedTogether() throws {
    let stage = try Stage()
    try Self.prepare(stage, 100)
    try Self.move(stage, Self.names(40))
    let flushed = try stage.flushed(by: stage.program.command([]))
    let logs = flushed.filter { $0 == ".magnum/mailboxes" }.count
    let flights = (40 + Self.mailboxes - 1) / Self.mailboxes
    #expect(flushed.count <= 2 * flights + 3 + Self.summary.count, "\(flushed)")
    #expect(logs >= 2, "\(flushed)")
    try stage.expectMirrored()
  }

  private static let answers = [
    "NO [SERVERBUG] cannot", "BAD what?", "NO [LIMIT] too many", "* BYE enough", "",
  ]

  @Test(arguments: ["SELECT", "UID SEARCH", "UID STORE", "UID FETCH"], answers)
  func troubleInTheMidst(_ command: String, _ answer: String) throws {
    try expectSurvived(command, answer, Self.flag) { "\($0) [RS]" }
  }

  @Test(arguments: ["SELECT", "UID SEARCH", "UID MOVE"], answers)
  func troubleInTheMidstOfMoves(_ command: String, _ answer: String) throws {
    try expectSurvived(command, answer, Self.move) { _ in "Archive [R]" }
  }

  @Test(arguments: ["SELECT", "UID SEARCH", "UID MOVE"], answers)
  func troubleInTheMidstOfRemovals(_ command: String, _ answer: String) throws {
    try expectSurvived(command, answer, Self.remove) { _ in "Trash [R]" }
  }

  /// What becomes of the commands about the second of three mailboxes.
  private func expectSurvived(
    _ command: String,
    _ answer: String,
    _ act: (Stage, [String]) throws -> Void,
    place: (String) -> String
  ) throws {
    let stage = try Stage()
    try Self.prepare(stage, 3, others: 4)
    try act(stage, Self.names(3))
    let state = Mutex((isOpen: false, isFlying: false, isDone: false))
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      state.withLock { state in
        if line.hasPrefix("SELECT") { state.isOpen = line.hasPrefix("SELECT \"box2\"") }
        // The flight begins with a SELECT that asks about nothing.
        if line == "SELECT \"box1\"" || line == "SELECT \"box2\"" { state.isFlying = true }
        guard state.isFlying, state.isOpen, !state.isDone, line.hasPrefix(command) else {
          return .passed
        }
        state.isDone = true
        if answer.isEmpty { return .unanswered }
        return answer.hasPrefix("* BYE") ? .hungUp(answer) : .refused(answer)
      }
    }
    try stage.configure(url: proxy.clearURL, sync: "connections = 1")
    let outcome = try stage.sync("--trace")
    #expect(state.withLock { $0.isDone }, "\(outcome)")
    try stage.configure(url: stage.server.clearURL)
    try stage.expectSettled()
    for name in Self.names(3) {
      #expect(try stage.places(of: "in \(name)") == [place(name)], "\(outcome)")
    }
  }

  /// Flags go to no other mailbox that got the name right before it was opened.
  @Test func anotherMailboxMayHaveTheName() throws {
    try expectOtherMailboxSpared(Self.flag, place: "before [RS]")
  }

  /// No message is moved out of such a mailbox.
  @Test func anotherMailboxMayHaveTheNameOfMoves() throws {
    try expectOtherMailboxSpared(Self.move, place: "Archive [R]")
  }

  @Test func anotherMailboxMayHaveTheNameOfRemovals() throws {
    try expectOtherMailboxSpared(Self.remove, place: "Trash [R]")
  }

  private func expectOtherMailboxSpared(
    _ act: (Stage, [String]) throws -> Void,
    place: String
  ) throws {
    let stage = try Stage()
    try Self.prepare(stage, 3, others: 4)
    try act(stage, Self.names(3))
    let (port, user) = (stage.server.ports.clear, stage.user)
    let failure = Mutex<String?>(nil)
    let isDone = Mutex(false)
    let proxy = try BendingProxy(to: port) { line in
      guard line == "SELECT \"box2\"", !isDone.withLock({ $0 }) else { return .passed }
      isDone.withLock { $0 = true }
      return .after {
        do {
          let imap = try RawIMAP(port: port, user: user)
          try imap.rename("box2", to: "before")
          try imap.create("box2")
          try imap.append(mail("another one, and a longer one"), to: "box2")
        } catch {
          failure.withLock { $0 = "\(error)" }
        }
      }
    }
    try stage.configure(url: proxy.clearURL, sync: "connections = 1")
    let outcome = try stage.sync("--trace")
    #expect(isDone.withLock { $0 } && failure.withLock { $0 } == nil, "\(outcome)")
    #expect(try stage.places(of: "another one, and a longer one") == ["box2 []"], "\(outcome)")
    try stage.configure(url: stage.server.clearURL)
    try stage.expectSettled()
    #expect(try stage.places(of: "in box2") == [place])
  }

  /// A server that breaks over so many commands is asked mailbox by mailbox, also in the next run.
  @Test func aServerThatDoesNotTakeThem() throws {
    let stage = try Stage()
    try Self.prepare(stage, 3)
    try Self.flag(stage, Self.names(3))
    let flights = Mutex(0)
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      guard line.hasPrefix("UID SEARCH RETURN (SAVE)") else { return .passed }
      flights.withLock { $0 += 1 }
      return .hungUp("* BYE too many commands")
    }
    try stage.configure(url: proxy.clearURL, sync: "connections = 1")
    try stage.syncWell()
    #expect(flights.withLock { $0 } == 1)
    for name in Self.names(3) {
      try LocalFolder(stage.maildir, name).setFlags("R", of: "in \(name)")
    }
    try stage.syncWell()
    #expect(flights.withLock { $0 } == 1)
    try stage.configure(url: stage.server.clearURL)
    try stage.expectSettled()
  }
}
