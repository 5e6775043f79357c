internal import Maildir
package import Mailboxes
package import MailStore
internal import Platform

/// Whether files can be exchanged where a mailbox lies: only then may it have files that are to be exchanged one day.
package enum ExchangeSupport {
  /// Tries it with two empty files in tmp.
  ///
  /// - Throws: what keeps files from being written there at all.
  package static func isThere(in mailbox: OpenMailbox) throws(SyncFailure) -> Bool {
    let directory = Subdirectory.tmp.path(in: mailbox.directory)
    return try attempt { () throws(SystemError) in
      let files = ["one", "other"].map { directory.appending("exchange.\($0)") }
      defer { for file in files { try? FileSystem.remove(file) } }
      for file in files { try Descriptor.open(file, .truncate).close() }
      do throws(SystemError) {
        try FileSystem.exchange(files[0], with: files[1])
        return true
      } catch {
        guard error.isUnsupported else { throw error }
        return false
      }
    }
  }
}
