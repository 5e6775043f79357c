internal import MIME
internal import MailModel
internal import MailStore
internal import Mailboxes
internal import MessageContent
internal import SyncPlan
internal import SyncState

/// Copies that went to another mailbox, which has the target's name by now: they are taken back, and the next run makes them
/// where they belong.
struct MisplacedCopies {
  /// What a copy holds.
  private enum Content {
    case whole(ContentIdentity)
    /// That of a message whose file is partial: its body was never seen whole, so that Message-ID and size have to tell.
    case partial(BaseRecord)
  }

  /// UIDVALIDITY of the mailbox that they went to, as the server named it; nil where it did not.
  private let validity: UInt32?
  /// What they hold, by their UIDs there.
  private let contents: [UInt32: Content]

  /// The copies that a server made of messages of a mailbox.
  init(of mailbox: OpenMailbox, _ transfer: TransferOutcome) {
    validity = transfer.validity
    var contents: [UInt32: Content] = [:]
    for (original, copy) in transfer.pairs {
      guard let record = mailbox.state.messages[original] else { continue }
      contents[copy] =
        record.completeness.isPartial ? .partial(record) : record.identity.map { .whole($0) }
    }
    self.contents = contents
  }

  /// The messages that a server made of files, by the UIDs that it named.
  init(of uploads: [UInt32: Upload], validity: UInt32) {
    self.validity = validity
    contents = uploads.mapValues { .whole($0.content.identity) }
  }

  /// Takes back only what holds the text of what was copied, and only in the mailbox that the server named.
  ///
  /// Servers add fields to the header of what they take.
  func takeBack(from name: MailboxName, over store: any MailStore) throws(SyncFailure) {
    guard let validity else { return }
    let found = try store.open(name, forChanges: true)
    // The server may have named what is no mailbox's UIDVALIDITY: then it is not known where the copies are.
    guard found.validity == validity else { return }
    let place = MailboxReference(name, found.identity)
    let copies = try wholeCopies(in: place, store) + partialCopies(in: place, store)
    guard !copies.isEmpty else { return }
    let marked = try store.mark(copies.sorted(), unchangedSince: nil, in: place)
    // A server that names copies expunges by UID: no marks of others are in the way.
    _ = try store.expunge(marked.done.sorted(), in: place) { _ in }
  }

  private func wholeCopies(
    in place: MailboxReference,
    _ store: any MailStore
  ) throws(SyncFailure) -> [UInt32] {
    var expected: [UInt32: ContentIdentity] = [:]
    for case (let uid, .whole(let identity)) in contents { expected[uid] = identity }
    guard !expected.isEmpty else { return [] }
    let there = try store.contents(of: expected.keys.sorted(), in: place)
    return expected.filter { there[$0.key]?.holdsText(of: $0.value) ?? false }.map(\.key)
  }

  private func partialCopies(
    in place: MailboxReference,
    _ store: any MailStore
  ) throws(SyncFailure) -> [UInt32] {
    var expected: [UInt32: BaseRecord] = [:]
    for case (let uid, .partial(let record)) in contents { expected[uid] = record }
    guard !expected.isEmpty else { return [] }
    let name = Array("header".utf8)
    let section = SectionOrder.Section(name, limit: PartialPlan.headerLimit)
    let orders = expected.keys.sorted().map { SectionOrder(uid: $0, sections: [section]) }
    var seen: [UInt32: FetchedSections] = [:]
    for answer in try store.sections(orders, in: place) { seen[answer.message.uid] = answer }
    return expected.filter { uid, record in
      guard let answer = seen[uid], let header = answer.sections[name] else { return false }
      return answer.message.size == record.size
        && HeaderFacts(wire: header).messageID == record.identity?.messageID
    }.map(\.key)
  }
}
