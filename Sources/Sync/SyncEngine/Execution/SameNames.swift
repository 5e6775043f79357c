internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Octets
internal import Platform

/// Gives each file of a Maildir a base name of its own.
///
/// Two with one base name are the same file where a rename was cut short, or a client copied it: one stays, with
/// the flags of both. Where they differ the one that is not the message's (see `DuplicateNames`) gets a new name, and is an
/// addition from then on.
struct SameNames {
  private static let attempts = 100
  /// Octets of a base name that leave room for a number and flags.
  private static let roomyLength = 200

  private let mailbox: OpenMailbox

  init(_ mailbox: OpenMailbox) {
    self.mailbox = mailbox
  }

  /// Resolves the duplicates of the scan, and gives the files that could not be changed; durable when it returns.
  func resolveDuplicates() throws(SystemError) -> [SyncFailure] {
    guard !mailbox.local.duplicates.isEmpty else { return [] }
    var failures: [SyncFailure] = []
    for (kept, other) in mailbox.local.duplicates {
      do throws(SystemError) {
        try resolvePair(kept, other)
      } catch {
        // A client was faster.
        if error.isNotFound { continue }
        guard error.isOfThisFileAlone || error.isForbidden else { throw error }
        failures.append(.file(other.name.base, .unchangeable(error)))
      }
    }
    for subdirectory in [Subdirectory.new, .cur] {
      try FileSystem.synchroniseDirectory(subdirectory.path(in: mailbox.directory))
    }
    return failures
  }

  private func resolvePair(_ kept: ScannedFile, _ other: ScannedFile) throws(SystemError) {
    let (first, second) = (kept.path(in: mailbox.directory), other.path(in: mailbox.directory))
    guard try FileSystem.status(first) != nil else { return }
    guard try SameContent.check(first, second) else { return try rename(other) }
    let flags = kept.name.flags.union(other.name.flags)
    if flags != kept.name.flags {
      let cur = Subdirectory.cur.path(in: mailbox.directory)
      let name = kept.name.with(flags: flags)
      let target = cur.appending(name.octets)
      if target == second { return try FileSystem.remove(first) }
      try FileSystem.renameWithoutReplacing(first, to: target)
    }
    try FileSystem.remove(second)
  }

  private func rename(_ file: ScannedFile) throws(SystemError) {
    let source = file.path(in: mailbox.directory)
    for number in 1...Self.attempts {
      let base =
        file.name.base.prefix(Self.roomyLength) + [ASCII.underscore]
        + [UInt8](decimal: number)
      guard mailbox.local.files[[UInt8](base)] == nil else { continue }
      let name = FileName(base: [UInt8](base), flags: file.name.flags)
      let target = file.subdirectory.path(in: mailbox.directory).appending(name.octets)
      do throws(SystemError) {
        return try FileSystem.renameWithoutReplacing(source, to: target)
      } catch {
        guard error.isAlreadyThere else { throw error }
      }
    }
  }
}
