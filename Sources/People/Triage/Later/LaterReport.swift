package import MailModel
package import Maildir
package import Platform

/// What was done about messages whose time was there.
package struct LaterReport: Sendable {
  /// A message that is to be looked at.
  package struct Message: Hashable, Sendable {
    /// The Maildir of its file.
    package let maildir: Path
    /// What people call the folder.
    package let folder: String
    package let file: ScannedFile
  }

  /// Those that came back to the inbox.
  package internal(set) var woken: [Message] = []
  /// Those that got no answer.
  package internal(set) var reminders: [Message] = []
  /// What could not be done, and why.
  package internal(set) var problems: [Explanation] = []

  /// Whether nothing was done and nothing is wrong.
  package var isEmpty: Bool { woken.isEmpty && reminders.isEmpty && problems.isEmpty }
}
