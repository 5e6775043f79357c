internal import MailStore
internal import IMAP
internal import MailModel
internal import Octets
internal import SyncPlan

/// What a server's replies told of one mailbox so far, event by event.
struct RemoteListing {
  /// The mailbox as its opening described it; without a view.
  private(set) var mailbox = RemoteMailbox()
  /// The messages that were listed, by UID.
  private(set) var messages = RemoteMessages()
  /// UIDs of messages that went.
  private(set) var vanished: [ClosedRange<UInt32>] = []
  /// The keywords in use there.
  private(set) var keywords: [[UInt8]] = []
  /// How many messages there are: what the opening said, less what went since.
  private(set) var expected = 0
  /// The same with what came since.
  private var latest = 0
  /// The most messages that there can have been since the opening.
  private var most = 0
  /// How many more messages than it has a server may name: what comes and goes meanwhile is told in any order.
  private static let slack = 1000

  /// Whether more messages were named than there can be: these UIDs are made up.
  ///
  /// To be asked of what is in order.
  var isOverfull: Bool { messages.count > max(most, latest) + Self.slack }

  /// Whether it says what changed since the last run, not all that is there.
  var isPartial = false

  /// Nothing was told so far.
  init() {}

  /// A mailbox as its opening described it.
  init(of mailbox: RemoteMailbox) {
    self.mailbox = mailbox
    expected = Int(mailbox.exists)
    latest = expected
    most = expected
  }

  /// The mailbox as what has come describes it.
  var described: RemoteMailbox {
    var described = mailbox
    described.view = view
    return described
  }

  /// A list that is too short proves of no message that it is gone.
  private var view: RemoteView {
    if mailbox.isWindowed, mailbox.missing > 0 { return .changes(settled, vanished: []) }
    if isPartial || mailbox.isWindowed {
      return .changes(settled, vanished: UIDSet(vanished).ranges)
    }
    return mailbox.missing > 0 ? .changes(settled, vanished: []) : .complete(settled)
  }

  /// The messages without a date that are not among `known`, which is ascending: their UIDs, ascending.
  func undated(but known: [UInt32]) -> [UInt32] {
    settled.lazy.filter { $0.date == nil && !Self.contains(known, $0.uid) }.map(\.uid)
  }

  /// Whether there is a message below a UID of which a question does not know.
  func hasUnknown(below uid: UInt32, but question: MailboxQuestion) -> Bool {
    settled.uids.contains { found in
      found < uid && !Self.contains(question.known, found) && !question.leaving.contains(found)
    }
  }

  private var settled: RemoteMessages {
    var messages = messages
    messages.mergeLate()
    return messages
  }

  /// Puts the messages of an answer that has come to its end in order.
  mutating func sortMessages() { messages.mergeLate() }

  /// Forgets the messages: they were those of another question.
  mutating func forget() {
    messages = RemoteMessages()
    vanished = []
  }
}

// The opening.
extension RemoteListing {
  /// Expects the replies to SELECT or EXAMINE.
  mutating func beginOpening() {
    mailbox = RemoteMailbox()
  }

  /// Takes one of them; with QRESYNC what changed comes among them (RFC 7162 §3.2.5).
  mutating func takeOpening(_ event: Event) {
    switch event {
    case .exists(let count): mailbox.exists = count
    case .flags(let flags): takeKeywords(flags)
    case .status(let status) where status.code == .closed:
      // All that came before was about the mailbox of before (RFC 7162 §3.2.11).
      mailbox = RemoteMailbox()
      forget()
    case .status(let status): applyCode(status.code)
    case .fetch(let fetch): applyFetch(fetch)
    case .vanished(let uids, _): vanished += uids.ranges
    default: break
    }
  }

  /// Takes one of them where nothing was asked of changes: a line about messages is of no question of ours.
  mutating func takePlainOpening(_ event: Event) {
    switch event {
    case .fetch, .vanished: break
    default: takeOpening(event)
    }
  }

  /// Takes the code of the reply that ends them.
  mutating func endOpening(_ code: ResponseCode?) {
    applyCode(code)
    expected = Int(mailbox.exists)
    latest = expected
    most = expected
  }

  private mutating func applyCode(_ code: ResponseCode?) {
    switch code {
    case .uidValidity(let value):
      mailbox.validity = value.nonzero
      if value == 0 { mailbox.oddValidity = [ASCII.zero] }
    case .other(let name, let arguments) where name.equalsCaseless("UIDVALIDITY"):
      mailbox.oddValidity = arguments
    case .uidNext(let value): mailbox.uidNext = value.nonzero
    case .highestModSequence(let value): mailbox.modSequence = value.nonzero
    case .noModSequence: mailbox.modSequence = nil
    case .mailboxID(let id): mailbox.serverID = id
    case .permanentFlags(let flags): mailbox.keptFlags = KeptFlags(permanent: flags)
    case .readOnly: mailbox.isReadOnly = true
    default: break
    }
  }

  /// Takes UIDNEXT from what STATUS told right before, where the opening told none.
  mutating func takeNext(of status: MailboxStatus) {
    guard mailbox.uidNext == nil, status.uidValidity.equals(mailbox.validity) else { return }
    mailbox.uidNext = status.uidNext?.nonzero
  }

  private mutating func takeKeywords(_ flags: [Flag]) {
    keywords = flags.compactMap { if case .keyword(let word) = $0 { word } else { nil } }
  }
}

// The messages.
extension RemoteListing {
  /// Applies an event among the answers to a FETCH or SEARCH.
  mutating func applyEvent(_ event: Event) {
    switch event {
    case .fetch(let fetch): applyFetch(fetch)
    case .exists(let count):
      most += max(0, Int(count) - latest)
      latest = Int(count)
    case .expunge: lose(1)
    case .vanished(let uids, let isEarlier):
      vanished += uids.ranges
      if !isEarlier { lose(uids.count) }
    default: break
    }
  }

  private mutating func lose(_ count: Int) {
    expected -= count
    latest -= count
  }

  /// Applies the flags of messages.
  mutating func applyFlags(_ flags: [UInt32: MessageFlags]) {
    for (uid, flags) in flags.sorted(by: { $0.key < $1.key }) {
      let known = messages[uid: uid]
      messages.set(RemoteMessage(uid: uid, flags: flags, size: known?.size, date: known?.date))
    }
  }

  /// A line without UID or flags tells nothing about a message that we could name.
  private mutating func applyFetch(_ fetch: Fetch) {
    guard let uid = fetch.uid, uid > 0, let flags = fetch.flags else { return }
    let known = messages[uid: uid]
    messages.set(
      RemoteMessage(
        uid: uid,
        flags: MessageFlags(flags),
        size: fetch.size ?? known?.size,
        date: fetch.internalDate ?? known?.date
      )
    )
  }

  /// Compares how many messages a list of all has with how many there are.
  mutating func takeCount(_ count: Int) {
    mailbox.missing = max(0, expected - count)
  }

  /// How many more messages there are than the known ones, less those that went, and those that were listed.
  ///
  /// Below 0 where the server told of removals less than there were; 0 where what came meanwhile explains it.
  /// `known` is ascending.
  func surplus(over known: [UInt32]) -> Int {
    let gone = UIDSet(vanished)
    let left = gone.ranges.reduce(known.count) { $0 - Self.count(of: known, in: $1) }
    let unknown = settled.uids.count { !Self.contains(known, $0) }
    let told = left + unknown
    if told < min(expected, latest) { return min(expected, latest) - told }
    return min(0, max(expected, latest) - told)
  }

  /// How many of the ascending UIDs are in the range.
  private static func count(of uids: [UInt32], in range: ClosedRange<UInt32>) -> Int {
    uids.firstPosition { $0 > range.upperBound } - uids.firstPosition { $0 >= range.lowerBound }
  }

  private static func contains(_ uids: [UInt32], _ uid: UInt32) -> Bool {
    let place = uids.firstPosition { $0 >= uid }
    return place < uids.count && uids[place] == uid
  }

  /// Messages that a list of all still has are not gone, whatever was said of them before.
  mutating func keep(_ all: [UInt32]) {
    vanished = UIDSet(vanished).subtracting(UIDSet(sortedUIDs: all.sorted())).ranges
  }

  /// The UIDs of a list of all that are neither among the known ones nor listed, ascending.
  func unlisted(of all: some Sequence<UInt32>, but known: [UInt32]) -> [UInt32] {
    all.filter { !messages.contains(uid: $0) && !Self.contains(known, $0) }.sorted()
  }

  /// Messages are asked for by their dates: of one that is not listed nothing is said but where it was known, and a list of all
  /// lacks it.
  mutating func noteWindow() { mailbox.isWindowed = true }

  /// That many messages that were asked for did not come.
  mutating func miss(_ count: Int) {
    mailbox.missing += max(0, count)
  }

  /// Each message that is there is known, was listed, or is among `all`: the other UIDs since the last run are of messages that
  /// came and went.
  ///
  /// QRESYNC tells of those by itself. A run that was killed may have fetched one.
  mutating func noteGone(since last: UInt32?, but all: Set<UInt32> = []) {
    guard let first = last, let next = mailbox.uidNext, first < next else { return }
    let there = UIDSet(sortedUIDs: (Array(settled.uids) + all).sorted())
    vanished += UIDSet([first...(next - 1)]).subtracting(there).ranges
  }

  /// Those of the known messages that a list of all lacks are gone.
  mutating func compare(_ known: [UInt32], with all: Set<UInt32>) {
    vanished = known.filter { !all.contains($0) }.map { $0...$0 }
  }
}
