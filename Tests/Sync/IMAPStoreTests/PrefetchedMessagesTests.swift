import IMAP
import MailModel
import MailStore
import SyncPlan
import Testing

@testable import IMAPStore

/// Which messages are taken from an answer that came before they were asked for.
@Suite struct PrefetchedMessagesTests {
  /// A FETCH as `UID:SIZE:OCTETS`, "-" where the server does not tell a size, "n" for no body, `/N` for chunks of N octets;
  /// "gone UID" for VANISHED.
  private static func take(_ text: String, _ prefetched: inout PrefetchedMessages) {
    let words = text.split(separator: " ")
    if words[0] == "gone" {
      return prefetched.applyEvent(
        .vanished(UIDSet(sortedUIDs: [number(words[1])]), earlier: false)
      )
    }
    let parts = words[0].split(separator: ":")
    var fetch = Fetch(sequence: 1)
    fetch.uid = parts[0] == "-" ? nil : number(parts[0])
    fetch.size = parts[1] == "-" ? nil : UInt64(number(parts[1]))
    fetch.flags = [Flag(wire: Array("\\Seen".utf8))]
    if parts[2] != "n" {
      let octets = [UInt8](repeating: 65, count: Int(number(parts[2])))
      prefetched.applyEvent(.bodyBegin(size: UInt64(octets.count)))
      for start in stride(from: 0, to: octets.count, by: 1000) {
        prefetched.applyEvent(.bodyChunk(octets[start..<min(start + 1000, octets.count)]))
      }
      prefetched.applyEvent(.bodyEnd)
      fetch.hasBody = true
    }
    prefetched.applyEvent(.fetch(fetch))
  }

  /// What so many messages of the mailbox were asked for, from UID 1 on.
  private static func asking(_ count: UInt32 = 3) -> PrefetchedMessages {
    var prefetched = PrefetchedMessages()
    _ = prefetched.command(for: question(count), limit: PrefetchedMessages.octetLimit)
    return prefetched
  }

  private static func question(_ count: UInt32) -> MailboxQuestion {
    var question = MailboxQuestion(
      MailboxName(wire: Array("INBOX".utf8)),
      since: .init(validity: 1, uidNext: 1, modSequence: 7)
    )
    question.newMessages = count
    return question
  }

  /// The UIDs that a command asks for.
  private static func uids(_ command: Command?) -> String? {
    guard case .uidFetch(.uids(let set), _, _) = command else { return nil }
    return set.description
  }

  private static func number(_ text: Substring) -> UInt32 { UInt32(text) ?? 0 }

  /// What came, and which of the messages 1 to 3 are delivered then, with their octets.
  @Test(arguments: [
    (["1:10:10", "2:2500:2500"], ["1:10", "2:2500"]),
    // No text at all is a message too.
    (["1:0:0"], ["1:0"]),
    (["1:65536:65536", "2:65537:65537"], ["1:65536"]),
    // Only a part of it came, or what is told is wrong: it is asked for.
    (["1:65537:65536", "2:9:10", "3:-:10"], []),
    // Told of, without its text; nobody knows whose text it is.
    (["1:10:n", "-:10:10"], []),
    // The text of one is not that of the next.
    (["-:10:10", "2:10:n", "3:4:4"], ["3:4"]),
    (["1:10:10", "2:10:10", "gone 1"], ["2:10"]),
    // The last word counts.
    (["1:10:10", "1:12:12"], ["1:12"]),
    // Not wanted.
    (["9:10:10"], []),
  ])
  func messages(_ answer: [String], _ delivered: [String]) throws {
    var prefetched = Self.asking()
    for line in answer { Self.take(line, &prefetched) }
    prefetched.finishAnswer(Self.mailbox(1).identity)
    let sink = Sink()
    let left = try prefetched.serve(Self.order(in: Self.mailbox(1), into: sink))
    #expect(sink.delivered == delivered)
    #expect(sink.flags.allSatisfy { $0.system == .seen })
    let served = Set(delivered.map { Self.number($0.prefix(1)) })
    #expect(Set(left.messages.map(\.uid)) == Set([1, 2, 3]).subtracting(served))
    // Nothing is delivered twice.
    _ = try prefetched.serve(Self.order(in: Self.mailbox(1), into: sink))
    #expect(sink.delivered == delivered)
  }

  /// Nothing counts before the answer is complete, or in another mailbox of the name.
  @Test(arguments: [nil, 2])
  func otherMailbox(_ validity: UInt32?) throws {
    var prefetched = Self.asking()
    Self.take("1:10:10", &prefetched)
    if let validity { prefetched.finishAnswer(Self.mailbox(validity).identity) }
    let sink = Sink()
    let left = try prefetched.serve(Self.order(in: Self.mailbox(1), into: sink))
    #expect(sink.delivered.isEmpty)
    #expect(left.messages.count == 3)
  }

  /// What came with an earlier answer is asked for no more, and delivered with the flags of the later one; not where UIDs mean
  /// something else since.
  @Test(
    arguments: [
      (["1:10:10", "3:10:10"], 1, ["2:5:5"], "2", ["1:10", "2:5", "3:10"]),
      (["1:10:10", "2:10:10", "3:10:10"], 1, [], nil, ["1:10", "2:10", "3:10"]),
      (["1:10:10", "3:10:10"], 1, ["gone 1", "2:5:5"], "2", ["2:5", "3:10"]),
      (["1:10:10", "3:10:10"], 2, ["2:5:5"], "2", ["2:5"]),
      (["1:70000:65536"], 1, ["2:5:5"], "1:3", ["2:5"]),
    ] as [([String], UInt32, [String], String?, [String])]
  )
  func heldMessages(
    _ earlier: [String],
    _ validity: UInt32,
    _ later: [String],
    _ asked: String?,
    _ delivered: [String]
  ) throws {
    var first = Self.asking()
    for line in earlier { Self.take(line, &first) }
    first.finishAnswer(Self.mailbox(1).identity)
    var prefetched = PrefetchedMessages(holding: first)
    let command = prefetched.command(for: Self.question(3), limit: PrefetchedMessages.octetLimit)
    #expect(Self.uids(command) == asked)
    for line in later { Self.take(line, &prefetched) }
    prefetched.finishAnswer(Self.mailbox(validity).identity)
    let sink = Sink()
    _ = try prefetched.serve(Self.order(in: Self.mailbox(validity), into: sink))
    #expect(sink.delivered == delivered)
    let flags = zip(sink.delivered, sink.flags).filter { $0.1.system == .seen }.map(\.0)
    #expect(flags == delivered.filter { $0 == "2:5" }, "old flags do not count")
  }

  /// What was held of a message that is listed with another size since is that of another one.
  @Test(arguments: [(10, ["1:10"]), (11, [])] as [(UInt64, [String])])
  func heldBeforeItHadAnotherSize(_ size: UInt64, _ delivered: [String]) throws {
    var first = Self.asking()
    Self.take("1:10:10", &first)
    first.finishAnswer(Self.mailbox(1).identity)
    var prefetched = PrefetchedMessages(holding: first)
    prefetched.finishAnswer(Self.mailbox(1).identity)
    let sink = Sink()
    let messages = [RemoteMessage(uid: 1, flags: MessageFlags(), size: size)]
    let left = try prefetched.serve(FetchOrder(messages, in: Self.mailbox(1), into: sink))
    #expect(sink.delivered == delivered)
    #expect(left.messages.count == 1 - delivered.count)
  }

  /// Nothing is held of an answer that was not complete.
  @Test func heldBeforeItWasComplete() throws {
    var first = Self.asking()
    Self.take("1:10:10", &first)
    var prefetched = PrefetchedMessages(holding: first)
    prefetched.finishAnswer(Self.mailbox(1).identity)
    let sink = Sink()
    let left = try prefetched.serve(Self.order(in: Self.mailbox(1), into: sink))
    #expect(sink.delivered.isEmpty)
    #expect(left.messages.count == 3)
  }

  /// A server that sends what nobody asked for fills no memory.
  @Test(arguments: [0, UInt32(PrefetchedMessages.countLimit)])
  func flood(_ asked: UInt32) throws {
    var prefetched = Self.asking(asked)
    let many = UInt32(PrefetchedMessages.countLimit) * 3
    for uid in 1...many { Self.take("\(uid):10:10", &prefetched) }
    prefetched.finishAnswer(Self.mailbox(1).identity)
    let sink = Sink()
    let messages = (1...many).map { RemoteMessage(uid: $0, flags: MessageFlags()) }
    _ = try prefetched.serve(FetchOrder(messages, in: Self.mailbox(1), into: sink))
    #expect(sink.delivered.count == Int(asked))
  }

  private static func mailbox(_ validity: UInt32) -> MailboxReference {
    MailboxReference(
      MailboxName(wire: Array("INBOX".utf8)),
      MailboxIdentity(validity: validity, serverID: [])
    )
  }

  private static func order(in mailbox: MailboxReference, into sink: Sink) -> FetchOrder {
    let messages = (1...3).map { RemoteMessage(uid: UInt32($0), flags: MessageFlags()) }
    return FetchOrder(messages, in: mailbox, into: sink)
  }

  /// Notes what it is given.
  private final class Sink: MessageSink {
    private(set) var delivered: [String] = []
    private(set) var flags: [MessageFlags] = []
    private var count = 0

    func begin() { count = 0 }
    func receiveOctets(_ octets: ArraySlice<UInt8>) { count += octets.count }
    func end() {}
    func discard() {}
    func finishOrder() {}
    func fail(_ uid: UInt32, _ problem: MessageProblem) {}

    func deliver(_ message: RemoteMessage) {
      delivered.append("\(message.uid):\(count)")
      flags.append(message.flags)
    }
  }
}
