package import MailModel

/// The messages that are left out of plans, since they make no difference.
///
/// The file of such a message is there and agrees with the base. The server reports nothing of it, and nothing else refers to
/// it.
///
/// They are only counted, for the deletion guard. In a large mailbox they are all but a few.
package struct UnchangedMessages {
  /// What decides whether a mailbox may be planned without them.
  package struct Conditions {
    /// What the server told.
    package var remote: RemoteView
    /// Whether there are records of messages that are no longer in the mailbox.
    package var hasFormerRecords: Bool
    /// Whether two records may have one name.
    package var sharesNames: Bool
    /// Whether there is a file that is no message's.
    package var hasUnmatchedFiles: Bool
    package var role: MailboxRole?

    package init(
      remote: RemoteView,
      hasFormerRecords: Bool,
      sharesNames: Bool,
      hasUnmatchedFiles: Bool,
      role: MailboxRole?
    ) {
      self.remote = remote
      self.hasFormerRecords = hasFormerRecords
      self.sharesNames = sharesNames
      self.hasUnmatchedFiles = hasUnmatchedFiles
      self.role = role
    }

    /// Whether they may be left out; if so in all mailboxes that are planned together, or in none.
    ///
    /// A new file in Sent is compared with everything that is there.
    package var allow: Bool {
      guard case .changes = remote, !hasFormerRecords, !sharesNames else { return false }
      return role != .sent || !hasUnmatchedFiles
    }
  }

  /// The messages that something is said of.
  private let mentioned: Set<UInt32>

  /// Those of a mailbox except for the messages that something is said of, by UID.
  ///
  /// Mentioned are messages that the server listed or no longer has, and those to which the name of a file without a record
  /// refers. So are those whose files were read, may have been written anew, or are not to be judged. Where a message is gone,
  /// its file may follow it to another mailbox. Then those are mentioned too whose names are among `FreshName.taken` of the
  /// names of all gone messages and unmatched files.
  package init(but mentioned: Set<UInt32>) {
    self.mentioned = mentioned
  }

  /// Whether a message is one, by the flags of the base and those that its file shows.
  package func contains(_ uid: UInt32, recorded: SystemFlags, shown: SystemFlags) -> Bool {
    recorded == shown && !shown.contains(.deleted)
      && (mentioned.isEmpty || !mentioned.contains(uid))
  }
}
