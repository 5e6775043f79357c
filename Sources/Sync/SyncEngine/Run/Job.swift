internal import MailModel
internal import Mailboxes
internal import SyncPlan

/// Mailboxes that are worked on together over one connection; as a rule just one.
struct Job: Sendable {
  /// In the order of work.
  let mailboxes: [MirroredMailbox]
  /// Whether they have to be seen together; if not, it is for the sake of speed that they are one job.
  let isInseparable: Bool

  /// The job of one mailbox.
  init(_ mailbox: MirroredMailbox) {
    mailboxes = [mailbox]
    isInseparable = true
  }

  /// The job of a group, of the mailboxes by their ids.
  init(_ group: Schedule.Group, _ byID: [UInt64: MirroredMailbox]) {
    mailboxes = group.mailboxes.compactMap { byID[$0] }
    switch group {
    case .inseparable: isInseparable = true
    case .batch: isInseparable = mailboxes.count < 2
    }
  }

  /// The jobs that are left to do where it came to no end: of a batch each mailbox by itself.
  var pieces: [Job] { isInseparable ? [self] : mailboxes.map { Job($0) } }

  /// What tells it from other jobs of the run.
  var id: UInt64 { mailboxes.first?.id ?? 0 }

  /// What people call it; nil where it is several mailboxes.
  var display: String? { mailboxes.count == 1 ? mailboxes[0].path.display : nil }

  /// About how many messages are to be fetched.
  var expectedMessages: Int { mailboxes.reduce(0) { $0 + $1.expectedMessages } }
}
