internal import MIME
internal import MailModel
internal import Mailboxes
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan

/// Finds out about the messages that a plan moves.
struct MoveDetailsReader {
  private let group: [OpenMailbox]
  /// Whether files are opened for their subjects: only where the plan is all that is wanted.
  private let readsSubjects: Bool

  /// Subjects lie in the first octets of a file.
  private static let headerLimit = 64 << 10

  init(_ group: [OpenMailbox], readsSubjects: Bool) {
    self.group = group
    self.readsSubjects = readsSubjects
  }

  /// The details by the UIDs that the messages have in the plan's mailbox.
  func details(_ plan: MailboxPlan) -> [UInt32: MoveDetails] {
    var details: [UInt32: MoveDetails] = [:]
    for move in plan.moves.map(\.step) {
      details[move.uid] = self.details(move.name, in: move.target)
    }
    for case .relocate(let relocation) in plan.renames.map(\.step) {
      details[relocation.record.uid] = self.details(relocation.name, in: relocation.source)
    }
    return details
  }

  private func details(_ name: [UInt8], in id: UInt64) -> MoveDetails? {
    guard let mailbox = group.first(where: { $0.mailbox.id == id }) else { return nil }
    let path = readsSubjects ? mailbox.path(of: name) : nil
    return MoveDetails(mailbox: mailbox.mailbox.path.display, subject: path.flatMap(subject))
  }

  /// A file that cannot be read has no subject here; the run itself says what is wrong with it.
  private func subject(_ path: Path) -> [UInt8]? {
    guard let file = try? Descriptor.open(path, .read),
      let octets = try? file.read(atMost: Self.headerLimit)
    else { return nil }
    let lines = octets.filter { $0 != ASCII.carriageReturn }
    let end = lines.indices.dropLast().first {
      lines[$0] == ASCII.lineFeed && lines[$0 + 1] == ASCII.lineFeed
    }
    return HeaderSearch.value("Subject:", in: lines[..<(end ?? lines.endIndex)])
  }
}
