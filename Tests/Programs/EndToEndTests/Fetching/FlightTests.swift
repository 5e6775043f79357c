import Synchronization
import TestSupport
import Testing

/// How many flights of commands a run needs: what a slow line makes of its time.
@Suite struct FlightTests {
  /// One flight opens all mailboxes and brings what is new in them.
  @Test func newMailInManyMailboxesNeedsOneFlight() throws {
    let stage = try Stage()
    let proxy = try FlightProxy(to: stage.server.ports.clear)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)")
    let names = (1...100).map { "box\($0)" }
    for name in names { try stage.imap.create(name) }
    for name in names { try stage.imap.append(mail("first in \(name)"), to: name) }
    try stage.settle()
    // What the server takes is learned by now.
    _ = proxy.takeFlights()
    try stage.syncWell()
    let idle = proxy.takeFlights()
    for name in names { try stage.imap.append(mail("second in \(name)"), to: name) }
    let outcome = try stage.syncWell("-v")
    let flights = proxy.takeFlights()
    #expect(flights <= idle + 1, "\(flights) instead of \(idle): \(outcome)")
    #expect(outcome.output.contains("+100 new ("), "\(outcome)")
    try stage.expectMirrored()
  }

  /// One flight asks about all of them, a second one fetches what is in them.
  @Test func newMailboxesNeedTwoFlights() throws {
    let stage = try Stage()
    let proxy = try FlightProxy(to: stage.server.ports.clear)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)")
    try stage.imap.append(mail("first"), to: "INBOX")
    try stage.settle()
    _ = proxy.takeFlights()
    try stage.syncWell()
    let idle = proxy.takeFlights()
    for number in 1...100 {
      try stage.imap.create("box\(number)")
      try stage.imap.append(mail("first in box\(number)"), to: "box\(number)")
    }
    let outcome = try stage.syncWell("-v")
    let flights = proxy.takeFlights()
    #expect(flights <= idle + 2, "\(flights) instead of \(idle): \(outcome)")
    try stage.expectMirrored()
  }

  /// New mail of a mailbox: how long its messages are, how many there are, and the flights that it costs beside the look.
  struct News: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let octets: [Int]
    let flights: Int
  }

  /// What is new in INBOX is asked for with the list: it costs nothing where few short messages came.
  @Test(arguments: [
    News(testDescription: "ten short ones", octets: Array(repeating: 900, count: 10), flights: 0),
    News(testDescription: "as long as what is asked for", octets: [16_384], flights: 0),
    News(testDescription: "longer by an octet", octets: [16_385], flights: 1),
    News(testDescription: "a short and a long one", octets: [900, 200_000], flights: 1),
    News(
      testDescription: "as many as expected",
      octets: Array(repeating: 300, count: 16),
      flights: 0
    ),
    News(testDescription: "one more", octets: Array(repeating: 300, count: 17), flights: 1),
    News(testDescription: "many", octets: Array(repeating: 300, count: 101), flights: 1),
  ])
  func newMailOfINBOX(_ news: News) throws {
    try expectFlights(of: news, to: "INBOX")
  }

  /// Few short messages come with the answer to what is new; what is long, or one of many, is asked for.
  @Test(arguments: [
    News(testDescription: "ten short ones", octets: Array(repeating: 900, count: 10), flights: 1),
    News(testDescription: "as long as what is asked for", octets: [65_536], flights: 1),
    News(testDescription: "longer by an octet", octets: [65_537], flights: 2),
    News(testDescription: "a short and a long one", octets: [900, 200_000], flights: 2),
    News(
      testDescription: "as many as share what is asked for",
      octets: [26_214, 26_214] + Array(repeating: 300, count: 8),
      flights: 1
    ),
    News(
      testDescription: "one longer than its share",
      octets: [26_215] + Array(repeating: 300, count: 9),
      flights: 2
    ),
    News(testDescription: "many", octets: Array(repeating: 300, count: 101), flights: 2),
  ])
  func newMailOfAnotherMailbox(_ news: News) throws {
    try expectFlights(of: news, to: "Lists")
  }

  private func expectFlights(of news: News, to mailbox: String) throws {
    let stage = try Stage()
    let proxy = try FlightProxy(to: stage.server.ports.clear)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)")
    if mailbox != "INBOX" { try stage.imap.create(mailbox) }
    try stage.imap.append(mail("first"), to: mailbox)
    try stage.settle()
    _ = proxy.takeFlights()
    try stage.syncWell()
    let idle = proxy.takeFlights()
    for (number, octets) in news.octets.enumerated() {
      try stage.imap.append(Self.message(number, octets: octets), to: mailbox)
    }
    let outcome = try stage.syncWell("-v")
    let flights = proxy.takeFlights()
    #expect(flights == idle + news.flights, "\(flights) instead of \(idle): \(outcome)")
    try stage.expectMirrored()
  }

  /// What comes early is as of then: where the mailbox has to be read anew, flags that were changed meanwhile count.
  @Test func flagsOfNewMailAreThoseOfTheLastLook() throws {
    let stage = try Stage()
    try stage.imap.append(mail("first"), to: "INBOX")
    try stage.settle()
    try stage.imap.append(mail("new"), to: "INBOX")
    let openings = Mutex(0)
    let (port, user) = (stage.server.ports.clear, stage.user)
    let flag: @Sendable () -> Void = {
      guard let other = try? RawIMAP(port: port, user: user) else { return }
      try? other.select()
      try? other.store("2", "+FLAGS (\\Flagged)")
    }
    let proxy = try BendingProxy(
      to: port,
      command: { line in
        guard line.hasPrefix("SELECT") else { return .passed }
        let number = openings.withLock { openings in
          openings += 1
          return openings
        }
        return number == 2 ? .after(flag) : .passed
      },
      reply: { line in
        // There is more than it tells of.
        line == "* 2 EXISTS" && openings.withLock { $0 } == 1 ? "* 3 EXISTS" : line
      }
    )
    try stage.configure(url: proxy.clearURL)
    let outcome = try stage.syncWell("-v")
    #expect(openings.withLock { $0 } == 2, "\(outcome)")
    try stage.configure(url: stage.server.clearURL)
    try stage.syncWell()
    try stage.expectMirrored()
  }

  /// Of what the server moved nothing is asked for: the file moves.
  @Test func whatTheServerMovedIsNotFetched() throws {
    let stage = try Stage()
    try stage.imap.create("Archive")
    for number in 1...3 { try stage.imap.append(mail("number \(number)"), to: "INBOX") }
    for number in 1...3 { try stage.imap.append(mail("old \(number)"), to: "Archive") }
    try stage.settle()
    try stage.syncWell()
    try stage.imap.select()
    try stage.imap.move("1:2", to: "Archive")
    let outcome = try stage.syncWell("--trace")
    let trace = outcome.output + outcome.errors
    #expect(trace.contains("SELECT"), "\(outcome)")
    #expect(!trace.contains("BODY[]"), "\(outcome)")
    try stage.expectMirrored()
  }

  /// What was done here, and how many flights the run that tells the server needs beside those of one in which nothing
  /// happened.
  struct Doing: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let flights: Int
    let body: @Sendable (LocalFolder) throws -> Void
  }

  /// What a run changed itself the next one is not told again: it asks no more than one in which nothing happened.
  @Test(arguments: [
    Doing(testDescription: "flags", flights: 1) { files in
      for (number, letters) in ["S", "FRS", ""].enumerated() {
        try files.setFlags(letters, of: "number \(number + 1)")
      }
    },
    Doing(testDescription: "a move", flights: 1) { files in
      _ = try files.move("number 1", to: "Archive", flags: "R")
    },
    Doing(testDescription: "a removed file", flights: 1) { files in
      try files.remove("number 1")
    },
    Doing(testDescription: "a flag and a move", flights: 2) { files in
      try files.setFlags("S", of: "number 2")
      _ = try files.move("number 1", to: "Archive", flags: "R")
    },
    Doing(testDescription: "a new file", flights: 1) { files in
      try files.add("1.new.host", Array("Message-ID: <new@test>\n\nnew\n".utf8), flags: "S")
    },
  ])
  func ownChangesAreNotLookedAtAgain(_ doing: Doing) throws {
    let stage = try Stage()
    let proxy = try FlightProxy(to: stage.server.ports.clear)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)")
    try stage.imap.create("Archive")
    try stage.imap.create("Trash")
    for number in 1...3 {
      try stage.imap.append(mail("number \(number)"), to: "INBOX", flags: #"\Answered"#)
      try stage.imap.append(mail("old \(number)"), to: "Archive", flags: #"\Answered"#)
    }
    try stage.settle()
    _ = proxy.takeFlights()
    try stage.syncWell()
    let idle = proxy.takeFlights()
    try doing.body(LocalFolder(stage.maildir, "INBOX"))
    // A folder that changed in this moment is read only once its times can be told from those of what comes next.
    Stopwatch.sleep(0.05)
    try stage.syncWell()
    let pushed = proxy.takeFlights()
    try stage.syncWell()
    let after = proxy.takeFlights()
    #expect(pushed == idle + doing.flights && after == idle, "\(idle), \(pushed), \(after)")
    try stage.expectMirrored()
  }

  private static func message(_ number: Int, octets: Int) -> [UInt8] {
    let header = Array("Message-ID: <\(number)@test>\r\nSubject: \(number)\r\n\r\n".utf8)
    let line = Array(repeating: UInt8(ascii: "x"), count: 70) + [13, 10]
    var text = header
    while text.count + line.count < octets { text += line }
    text += Array(repeating: UInt8(ascii: "y"), count: max(0, octets - 2 - text.count)) + [13, 10]
    return text
  }

  /// One flight moves messages to all mailboxes that their files went to.
  @Test(arguments: [DovecotOptions(), DovecotOptions().hiding("MOVE")])
  func messagesThatGoToManyMailboxesMoveInOneFlight(_ options: DovecotOptions) throws {
    let stage = try Stage(options)
    let proxy = try FlightProxy(to: stage.server.ports.clear)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)")
    let names = (1...20).map { "box\($0)" }
    for name in names { try stage.imap.create(name) }
    for name in names { try stage.imap.append(mail("for \(name)"), to: "INBOX") }
    try stage.settle()
    try stage.syncWell()
    _ = proxy.takeFlights()
    try stage.syncWell()
    let idle = proxy.takeFlights()
    let files = LocalFolder(stage.maildir, "INBOX")
    for name in names { try files.move(0, to: name, flags: "") }
    try stage.syncWell()
    let flights = proxy.takeFlights()
    #expect(flights <= idle + 6, "\(flights) instead of \(idle)")
    for name in names { #expect(LocalFolder(stage.maildir, name).bases.count == 1, "\(name)") }
    try stage.expectMirrored()
  }
}
