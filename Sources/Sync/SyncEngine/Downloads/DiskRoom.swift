package import MailStore
package import Mailboxes
internal import Platform

/// Whether there is room on the disk for what is fetched into the files of a mailbox, and what had to be left out.
package struct DiskRoom: Sendable {
  /// Octets that stay free whatever is fetched, so that new mail, records and other programs have room.
  private static let reserve: UInt64 = 64_000_000

  private let directory: Path
  private var messages: UInt64 = 0
  private var octets: UInt64 = 0
  private var free: UInt64 = 0

  /// The room of a mailbox, of which nothing was asked.
  package init(of mailbox: OpenMailbox) {
    directory = mailbox.directory
  }

  /// Whether a message of so many octets fits now, besides what is on its way; one that does not is counted.
  ///
  /// Where the file system does not tell, it fits: a write that fails loses nothing.
  package mutating func takes(_ size: UInt64, besides expected: UInt64) -> Bool {
    guard let free = try? FileSystem.freeOctets(at: directory) else { return true }
    let (needed, isHuge) = (expected + Self.reserve).addingReportingOverflow(size)
    guard isHuge || needed > free else { return true }
    messages += 1
    octets += min(size, 1 << 40)
    self.free = free
    return false
  }

  /// What had to be left out; nil where nothing was.
  package var problem: MailboxProblem? {
    messages == 0 ? nil : .noRoom(messages: messages, octets: octets, free: free)
  }
}
