internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan

/// Looks closer at files and messages where the planner could take one for another: before it is planned,
/// and only where there is a choice.
///
/// Used by one thread.
final class DetailGathering {
  /// What was read of one mailbox.
  struct Details {
    /// The headers of messages that the map does not know, by UID, where they were read.
    var headers: [UInt32: HeaderFacts] = [:]
    /// The content of those of them that headers alone do not tell from others, by UID.
    var contents: [UInt32: ReadContent] = [:]
    /// Files whose messages are gone from the server, and which hold something else than was recorded.
    var edited: OctetSet = []
  }

  /// Headers of messages whose size differs more than this from all new files are not fetched.
  private static let headerAllowance: UInt64 = 32 << 10

  /// What was read so far, by mailbox.
  private(set) var details: [UInt64: Details] = [:]

  private let context: MailboxContext
  private let store: any MailStore

  private let group: [OpenMailbox]
  private let outside: Surroundings
  private let departed: Departed
  private lazy var sizes = Self.sizes(group)
  /// The Message-IDs of files whose messages are to be found again by their content.
  private let detached: Set<UInt64>

  init(
    _ context: MailboxContext,
    _ store: any MailStore,
    _ group: [OpenMailbox],
    _ outside: Surroundings
  ) {
    self.context = context
    self.outside = outside
    self.store = store
    self.group = group
    departed = Departed(group)
    detached = Set(group.flatMap(\.formerRecords).compactMap { $0.identity?.messageID })
  }

  /// Reads what is needed of one mailbox of the group, but for the content of messages.
  func gather(_ mailbox: OpenMailbox) throws(SyncFailure) {
    try readAdditions(mailbox)
    if context.reach.pushes { readCopies(mailbox) }
    if context.policy(of: mailbox.mailbox).pulls { readDoomed(mailbox) }
    try readHeaders(mailbox)
  }

  /// The content of new files, where messages are without a file or the server has new ones.
  private func readAdditions(_ mailbox: OpenMailbox) throws(SyncFailure) {
    let additions = mailbox.additions
    guard !additions.isEmpty else { return }
    // In Sent a client may have left a copy of what is there already.
    let isChoice =
      group.contains { !$0.fileless.isEmpty || !$0.formerRecords.isEmpty }
      || !mailbox.unknown.isEmpty
      || mailbox.mailbox.role == .sent || outside.hasFileless
    guard isChoice else { return }
    // One that is gone by now may be on its way to a mailbox that was read before.
    for name in additions where try mayCount(name, in: mailbox) {
      if try mailbox.content(of: name) == nil { for mailbox in group { mailbox.doubt() } }
    }
  }

  /// The content of the other new files, which may be copies of messages on record; one that cannot be read is reported when it
  /// is to be sent.
  private func readCopies(_ mailbox: OpenMailbox) {
    guard outside.hasRecords else { return }
    for name in mailbox.additions { _ = try? mailbox.content(of: name) }
  }

  /// Whether a new file may be one of those that messages are without, or a message that is new on the server.
  ///
  /// Where nothing is sent there may be thousands that stay new, so that its size has to fit one of those messages: on disk its
  /// line ends may be shorter.
  private func mayCount(_ name: [UInt8], in mailbox: OpenMailbox) throws(SyncFailure) -> Bool {
    guard !context.reach.pushes else { return true }
    guard !sizes.isEmpty else { return false }
    guard let path = mailbox.path(of: name) else { return true }
    let status = try attempt { () throws(SystemError) in try FileSystem.status(path) }
    guard let size = status.map({ UInt64($0.size) }) else { return true }
    let place = sizes.firstPosition { $0 >= size }
    return place < sizes.count && sizes[place] <= 2 * size
  }

  /// The sizes of the messages that new files may be, where nothing is sent, ascending.
  private static func sizes(_ group: [OpenMailbox]) -> [UInt64] {
    let gone = group.flatMap(\.missing).compactMap(\.size)
    return (gone + group.flatMap { $0.unknown.compactMap(\.size) }).sorted()
  }

  /// The content of files whose messages are gone from the server: only what was on both sides is removed.
  ///
  /// A file that cannot be read is removed as its name says.
  private func readDoomed(_ mailbox: OpenMailbox) {
    for record in mailbox.gone {
      guard let known = record.identity, mailbox.local.files.contains(base: record.name),
        let found = try? mailbox.content(of: record.name)
      else { continue }
      if !found.holdsText(of: known) {
        details[mailbox.mailbox.id, default: Details()].edited.insert(record.name)
      }
    }
  }

  private func readHeaders(_ mailbox: OpenMailbox) throws(SyncFailure) {
    let additions = mailbox.additions.compactMap { mailbox.contents[$0] }
    guard !departed.dates.isEmpty || !additions.isEmpty else { return }
    let drafts = Self.unrecordedDrafts(mailbox)
    var wanted: [UInt32] = []
    for message in mailbox.unknown
    where drafts.contains(message.uid) || mayBeKnown(message, additions) {
      wanted.append(message.uid)
    }
    guard !wanted.isEmpty else { return }
    let headers = try store.headers(of: wanted, in: mailbox.reference)
    details[mailbox.mailbox.id, default: Details()].headers = headers
  }

  /// The drafts whose files are not on record: these may have been written anew since they were fetched.
  private static func unrecordedDrafts(_ mailbox: OpenMailbox) -> Set<UInt32> {
    let flags: SystemFlags = mailbox.mailbox.role == .drafts ? [] : .draft
    return Set(mailbox.local.ownUIDs(mailbox.difference, flagged: flags))
  }

  /// Whether the message may be gone from elsewhere, or one of these files.
  private func mayBeKnown(_ message: RemoteMessage, _ additions: [MessageContents]) -> Bool {
    if message.date.map(departed.dates.contains) ?? false { return true }
    guard let size = message.size else { return false }
    return additions.contains {
      $0.wireSize.distance(to: size).magnitude <= Self.headerAllowance
    }
  }

  /// The new messages, once the headers of the whole group were read, of which only the content can tell whether they are
  /// files that are here or messages that are gone from elsewhere: UIDs by mailbox.
  func doubtful() -> [UInt64: [UInt32]] {
    let read = group.filter { !headers(of: $0).isEmpty }
    var arrivals: [Likeness: Int] = [:]
    for mailbox in read {
      for message in mailbox.unknown where mayHaveMoved(message) {
        if let likeness = likeness(message, mailbox) { arrivals[likeness, default: 0] += 1 }
      }
    }
    let departures = departures
    let isAmbiguous: (RemoteMessage, OpenMailbox) -> Bool = { message, mailbox in
      guard let likeness = self.likeness(message, mailbox) else { return false }
      return arrivals[likeness, default: 0] > 1 || departures[likeness, default: 0] > 1
        // It looks like none that is gone.
        || departures[likeness] == nil && self.mayBeChanged(message, mailbox)
    }
    var doubtful: [UInt64: [UInt32]] = [:]
    for mailbox in read {
      let additions = mailbox.additions.compactMap { mailbox.contents[$0] }
      let drafts = Self.unrecordedDrafts(mailbox)
      let found = Array(mailbox.unknown).filter { message in
        drafts.contains(message.uid)
          || isDoubtful(message, headers(of: mailbox)[message.uid], additions)
          || isAmbiguous(message, mailbox)
      }
      if !found.isEmpty { doubtful[mailbox.mailbox.id] = found.map(\.uid) }
    }
    return doubtful
  }

  /// Reads the content of these messages.
  func readContents(_ uids: [UInt32]?, of mailbox: OpenMailbox) throws(SyncFailure) {
    guard let uids else { return }
    let contents = try store.contents(of: uids, in: mailbox.reference)
    let fetched = Set(uids)
    context.noteFetched(
      Array(mailbox.unknown).filter { fetched.contains($0.uid) }.map(\.size)
    )
    details[mailbox.mailbox.id, default: Details()].contents = contents
  }

  /// Has the content of messages be what is on record, where older versions recorded something else.
  func recogniseFormer(_ isRecorded: (_ former: ContentIdentity, ContentIdentity) -> Bool) {
    details = details.mapValues { details in
      var details = details
      details.contents = details.contents.mapValues { content in
        guard let former = content.former, isRecorded(former, content.identity) else {
          return content
        }
        return ReadContent(identity: former, former: content.identity)
      }
      return details
    }
  }

  private func headers(of mailbox: OpenMailbox) -> [UInt32: HeaderFacts] {
    details[mailbox.mailbox.id]?.headers ?? [:]
  }

  private func likeness(_ message: RemoteMessage, _ mailbox: OpenMailbox) -> Likeness? {
    Likeness(message, headers(of: mailbox)[message.uid])
  }

  /// How many of the messages that are gone from the mailboxes of the group look like one.
  private var departures: [Likeness: Int] {
    var departures: [Likeness: Int] = [:]
    for record in group.flatMap(\.gone) {
      if let likeness = Likeness(record) { departures[likeness, default: 0] += 1 }
    }
    return departures
  }

  /// What messages have in common that look like one.
  private struct Likeness: Hashable {
    let look: MessageLook
    let messageID: UInt64
    let fields: UInt64

    init?(_ message: RemoteMessage, _ header: HeaderFacts?) {
      guard let header, let look = MessageLook(message) else { return nil }
      (messageID, fields) = (header.messageID, header.fields)
      self.look = look
    }

    init?(_ record: BaseRecord) {
      guard let identity = record.identity, let look = MessageLook(record) else { return nil }
      (messageID, fields) = (identity.messageID, record.serverHeader ?? identity.header)
      self.look = look
    }
  }

  /// Whether the message may be one of these files, or one without a Message-ID that is gone from elsewhere.
  private func isDoubtful(
    _ message: RemoteMessage,
    _ header: HeaderFacts?,
    _ additions: [MessageContents]
  ) -> Bool {
    guard let header, let size = message.size else { return false }
    guard header.messageID == 0 else {
      return additions.contains { $0.identity.messageID == header.messageID }
        || detached.contains(header.messageID)
    }
    let bodySize = size - min(size, header.size)
    return mayHaveMoved(message)
      || additions.contains { $0.identity.messageID == 0 && $0.bodySize == bodySize }
  }

  /// Whether a message of that size and date is gone from some mailbox.
  private func mayHaveMoved(_ message: RemoteMessage) -> Bool {
    MessageLook(message).map(departed.looks.contains) ?? false
  }

  /// Whether the message may be one that is gone, and that the server changed when it copied it.
  private func mayBeChanged(_ message: RemoteMessage, _ mailbox: OpenMailbox) -> Bool {
    guard let header = headers(of: mailbox)[message.uid], header.messageID != 0,
      let date = message.date
    else { return false }
    return departed.changed.contains(ChangedLook(messageID: header.messageID, date: date))
  }

  /// Message-ID and date of a message, which a server that changes copies leaves as they are.
  private struct ChangedLook: Hashable {
    let messageID: UInt64
    let date: Int64
  }

  /// What is known of the messages that are gone from some mailbox of the group.
  private struct Departed {
    var looks: Set<MessageLook> = []
    var dates: Set<Int64> = []
    var changed: Set<ChangedLook> = []

    init(_ group: [OpenMailbox]) {
      for record in group.flatMap({ $0.gone + $0.formerRecords }) {
        if let look = MessageLook(record) { looks.insert(look) }
        guard let date = record.date, let messageID = record.identity?.messageID else { continue }
        dates.insert(date)
        if messageID != 0 { changed.insert(ChangedLook(messageID: messageID, date: date)) }
      }
    }
  }
}
