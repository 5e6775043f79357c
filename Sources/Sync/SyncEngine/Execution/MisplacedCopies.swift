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
  /// UIDVALIDITY of the mailbox that they went to, as the server named it; nil where it did not.
  private let validity: UInt32?
  /// What is known of them, by their UIDs there; the body of a message whose file is partial is not known.
  private let copies: [UInt32: Trace]

  /// The copies that a server made of messages of a mailbox.
  init(of mailbox: OpenMailbox, _ transfer: TransferOutcome) {
    validity = transfer.validity
    var copies: [UInt32: Trace] = [:]
    for (original, copy) in transfer.pairs {
      copies[copy] = mailbox.state.messages[original].map { Trace($0) }
    }
    self.copies = copies.filter { $0.value.messageID != nil }
  }

  /// The messages that a server made of files, by the UIDs that it named.
  init(of uploads: [UInt32: Upload], validity: UInt32) {
    self.validity = validity
    copies = uploads.mapValues { Trace($0.content.identity) }
  }

  /// Takes back only what holds the text of what was copied, and only in the mailbox that the server named.
  ///
  /// Servers add fields to the header of what they take.
  func takeBack(from name: MailboxName, over store: any MailStore) throws(SyncFailure) {
    guard SyncRule.arrivals.isOn, let validity else { return }
    let opened = try store.open(name, forChanges: true)
    // The server may have named what is no mailbox's UIDVALIDITY: then it is not known where the copies are.
    guard opened.validity == validity else { return }
    let place = MailboxReference(name, opened.identity)
    let found = try wholeCopies(in: place, store) + partialCopies(in: place, store)
    guard !found.isEmpty else { return }
    let marked = try store.mark(found.sorted(), unchangedSince: nil, in: place)
    // A server that names copies expunges by UID: no marks of others are in the way.
    _ = try store.expunge(marked.done.sorted(), in: place) { _ in }
  }

  private func wholeCopies(
    in place: MailboxReference,
    _ store: any MailStore
  ) throws(SyncFailure) -> [UInt32] {
    let expected = copies.filter { $0.value.body != nil }.keys.sorted()
    guard !expected.isEmpty else { return [] }
    let there = try store.contents(of: expected, in: place)
    return expected.filter { uid in there[uid].map { isSame($0.trace, uid) } ?? false }
  }

  private func partialCopies(
    in place: MailboxReference,
    _ store: any MailStore
  ) throws(SyncFailure) -> [UInt32] {
    let expected = copies.filter { $0.value.body == nil }.keys.sorted()
    guard !expected.isEmpty else { return [] }
    let name = Array("header".utf8)
    let section = SectionOrder.Section(name, limit: PartialPlan.headerLimit)
    let orders = expected.map { SectionOrder(uid: $0, sections: [section]) }
    var seen: [UInt32: FetchedSections] = [:]
    for answer in try store.sections(orders, in: place) { seen[answer.message.uid] = answer }
    return expected.filter { uid in
      guard let answer = seen[uid], let header = answer.sections[name] else { return false }
      let messageID = HeaderFacts(wire: header).messageID
      return isSame(Trace(messageID: messageID, size: answer.message.size), uid)
    }
  }

  private func isSame(_ found: Trace, _ uid: UInt32) -> Bool {
    copies[uid].map { Sameness.compare($0, found, .inPlace).level >= .likely } ?? false
  }
}
