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

  /// What messages have in common that look like one as long as their bodies are not read.
  private static let likeness: Sameness.Facts = [.messageID, .header, .size, .date]

  /// What was read so far, by mailbox.
  private(set) var details: [UInt64: Details] = [:]

  private let context: MailboxContext
  private let store: any MailStore

  private let group: [OpenMailbox]
  private let outside: OutsideGroup
  private let departed: Set<Sameness.Key>
  private lazy var sizes = Self.sizes(group)
  /// The base names of files that went together with their messages.
  private lazy var lost = OctetSet(group.flatMap(\.missing).map(\.name))
  /// The Message-IDs of files whose messages are to be found again by their content.
  private let detached: Set<Sameness.Key>

  init(
    _ context: MailboxContext,
    _ store: any MailStore,
    _ group: [OpenMailbox],
    _ outside: OutsideGroup
  ) {
    self.context = context
    self.outside = outside
    self.store = store
    self.group = group
    departed = Self.departed(group)
    detached = Set(group.flatMap(\.formerRecords).compactMap { Trace($0).key(.named) })
  }

  /// Reads what is needed of one mailbox of the group, except for the content of messages.
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
  /// line ends may be shorter. One under the name of such a message may have been written anew, and has any size.
  private func mayCount(_ name: [UInt8], in mailbox: OpenMailbox) throws(SyncFailure) -> Bool {
    guard !context.reach.pushes, !lost.contains(name) else { return true }
    guard !sizes.isEmpty else { return false }
    guard let path = mailbox.path(of: name) else { return true }
    let status = try attempt(FileSystem.status(path))
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
    guard SyncRule.edited.isOn else { return }
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
    guard !departed.isEmpty || !additions.isEmpty else { return }
    let drafts = Self.unrecordedDrafts(mailbox)
    var wanted: [UInt32] = []
    let sizes = additions.map(\.wireSize).sorted()
    for message in mailbox.unknown
    where drafts.contains(message.uid) || mayBeKnown(message, sizes) {
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

  /// Whether the message may be gone from elsewhere, or a new file of one of these sizes, which ascend.
  private func mayBeKnown(_ message: RemoteMessage, _ sizes: [UInt64]) -> Bool {
    if Trace(message).key(.date).map(departed.contains) ?? false { return true }
    guard let size = message.size else { return false }
    let place = sizes.firstPosition { $0 >= size - min(size, Self.headerAllowance) }
    return place < sizes.count && sizes[place] - min(sizes[place], size) <= Self.headerAllowance
  }

  /// The new messages that only their content can identify, once the headers of the whole group were read: UIDs by mailbox.
  ///
  /// They may be files that are here, or messages that are gone from elsewhere.
  func doubtful() -> [UInt64: [UInt32]] {
    let read = group.filter { !headers(of: $0).isEmpty }
    var arrivals: [Sameness.Key: Int] = [:]
    for mailbox in read {
      for message in mailbox.unknown where mayHaveMoved(message) {
        if let likeness = likeness(message, mailbox) { arrivals[likeness, default: 0] += 1 }
      }
    }
    let departures = departures
    let isAmbiguous: (RemoteMessage, OpenMailbox) -> Bool = { message, mailbox in
      guard SyncRule.contents.isOn, let likeness = self.likeness(message, mailbox) else {
        return false
      }
      return arrivals[likeness, default: 0] > 1 || departures[likeness, default: 0] > 1
        // It looks like none that is gone.
        || departures[likeness] == nil && self.mayBeChanged(message, mailbox)
    }
    var doubtful: [UInt64: [UInt32]] = [:]
    for mailbox in read {
      let additions = Self.keys(mailbox.additions.compactMap { mailbox.contents[$0] })
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

  private func likeness(_ message: RemoteMessage, _ mailbox: OpenMailbox) -> Sameness.Key? {
    headers(of: mailbox)[message.uid]?.trace(of: message).key(Self.likeness)
  }

  /// How many of the messages that are gone from the mailboxes of the group look like one.
  private var departures: [Sameness.Key: Int] {
    var departures: [Sameness.Key: Int] = [:]
    for record in group.flatMap(\.gone) {
      if let likeness = Trace(record).key(Self.likeness) { departures[likeness, default: 0] += 1 }
    }
    return departures
  }

  /// Whether the message may be one of these files, or one without a Message-ID that is gone from elsewhere.
  private func isDoubtful(
    _ message: RemoteMessage,
    _ header: HeaderFacts?,
    _ additions: Set<Sameness.Key>
  ) -> Bool {
    guard let header, let size = message.size else { return false }
    if let name = header.trace(of: message).key(.named) {
      return additions.contains(name) || detached.contains(name)
    }
    let bodySize = Trace(size: size - min(size, header.size)).key(.size)
    return mayHaveMoved(message) || bodySize.map(additions.contains) ?? false
  }

  /// The Message-IDs of new files, and the sizes of the bodies of those without one.
  private static func keys(_ additions: [MessageContents]) -> Set<Sameness.Key> {
    Set(additions.compactMap { $0.trace.key(.named) ?? Trace(size: $0.bodySize).key(.size) })
  }

  /// Whether a message of that size and date is gone from some mailbox.
  private func mayHaveMoved(_ message: RemoteMessage) -> Bool {
    Trace(message).key(.look).map(departed.contains) ?? false
  }

  /// Whether the message may be one that is gone, and that the server changed when it copied it.
  private func mayBeChanged(_ message: RemoteMessage, _ mailbox: OpenMailbox) -> Bool {
    headers(of: mailbox)[message.uid]?.trace(of: message).key([.named, .date])
      .map(departed.contains) ?? false
  }

  /// What messages may look like that are gone from some mailbox of the group.
  private static func departed(_ group: [OpenMailbox]) -> Set<Sameness.Key> {
    var keys: Set<Sameness.Key> = []
    for record in group.flatMap({ $0.gone + $0.formerRecords }) {
      let trace = Trace(record)
      let read = trace.messageID == nil ? nil : trace.key(.date)
      keys.formUnion([trace.key(.look), read, trace.key([.named, .date])].compactMap { $0 })
    }
    return keys
  }
}
