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
  private let mailbox: OpenMailbox
  private let transfer: TransferOutcome

  /// The copies that a server made of messages of a mailbox.
  init(of mailbox: OpenMailbox, _ transfer: TransferOutcome) {
    self.mailbox = mailbox
    self.transfer = transfer
  }

  /// Takes back only what holds what was copied, and only in the mailbox that the server named.
  func takeBack(from name: MailboxName, over store: any MailStore) throws(SyncFailure) {
    guard transfer.validity > 0 else { return }
    let found = try store.open(name, forChanges: true)
    // The server may have named what is no mailbox's UIDVALIDITY: then it is not known where the copies are.
    guard found.validity == transfer.validity else { return }
    let place = MailboxReference(name, found.identity)
    let partial = transfer.pairs.filter { record($0.key)?.completeness.isPartial == true }
    let whole = transfer.pairs.filter { partial[$0.key] == nil }
    let copies = try wholeCopies(whole, in: place, store) + partialCopies(partial, in: place, store)
    let marked = try store.mark(copies.sorted(), unchangedSince: 0, in: place)
    // A server that names copies expunges by UID: no marks of others are in the way.
    _ = try store.expunge(marked.done.sorted(), in: place) { _ in }
  }

  private func record(_ uid: UInt32) -> BaseRecord? { mailbox.state.messages[uid] }

  private func wholeCopies(
    _ pairs: [UInt32: UInt32],
    in place: MailboxReference,
    _ store: any MailStore
  ) throws(SyncFailure) -> [UInt32] {
    let contents = try store.contents(of: pairs.values.sorted(), in: place)
    return pairs.filter { original, copy in
      contents[copy] != nil && contents[copy] == record(original)?.identity
    }.map(\.value)
  }

  /// The bodies of messages whose files are partial were never seen whole, so that Message-ID and size have to tell.
  private func partialCopies(
    _ pairs: [UInt32: UInt32],
    in place: MailboxReference,
    _ store: any MailStore
  ) throws(SyncFailure) -> [UInt32] {
    let name = Array("header".utf8)
    let section = SectionOrder.Section(name, limit: PartialPlan.headerLimit)
    let orders = pairs.values.sorted().map { SectionOrder(uid: $0, sections: [section]) }
    var seen: [UInt32: FetchedSections] = [:]
    for answer in try store.sections(orders, in: place) { seen[answer.message.uid] = answer }
    return pairs.filter { original, copy in
      guard let record = record(original), let answer = seen[copy],
        let header = answer.sections[name]
      else { return false }
      return answer.message.size == record.size
        && HeaderFacts(wire: header).messageID == record.identity?.messageID
    }.map(\.value)
  }
}
