package import Platform

/// Something in a Maildir that is not restored.
package struct SkippedEntry: Hashable, Sendable {
  /// Why not.
  package enum Reason: Hashable, Sendable {
    /// It is a symbolic link.
    case link
    /// It is no file: a directory, pipe, socket or device.
    case noFile
    /// Its name has nothing before the colon.
    case noName
    /// The directory is one that begins with a dot in a layout where other programs keep what is no mailbox in such.
    case hidden
    /// The directory stands for no mailbox in either layout.
    case noMailbox
    /// It is a directory cur or new that holds files, beside which the other one is missing.
    case half
    /// It holds the state or the queue of Magnum.
    case state
    /// mbsync left it in the place of a message that was too large.
    case placeholder
    /// It is a message of Magnum's own to its user, which belongs to no server; it does not count.
    case notice
    /// It changed, or went away, while it was restored.
    case changed
    /// It cannot be read.
    case unreadable(SystemError)
  }

  /// What is skipped.
  package let path: Path
  /// Why.
  package let reason: Reason

  package init(_ path: Path, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }
}
