package import MailModel

/// A name or pattern, given by the user, that fits no mailbox.
package struct UnknownName: Hashable, Sendable {
  /// Where it was given.
  package enum Source: Hashable, Sendable {
    case commandLine, include, exclude, role(MailboxRole)
  }

  /// What stands in place of it.
  package enum Remedy: Hashable, Sendable {
    /// Nothing comes near it.
    case none
    /// This one was probably meant.
    case near([UInt8])
    /// The server has this mailbox for that role.
    case marked([UInt8])
    /// There is such a mailbox, but it is not mirrored.
    case notMirrored
  }

  /// Where it was given.
  package let source: Source
  /// The name as it was written.
  package let name: [UInt8]
  /// What to write instead.
  package let remedy: Remedy

  /// A name with where it was given, and what to write instead.
  package init(source: Source, name: [UInt8], remedy: Remedy) {
    self.source = source
    self.name = name
    self.remedy = remedy
  }
}
