package import Platform

/// How messages are written that a person composes.
package struct ComposingSettings: Hashable, Sendable {
  /// Where the lines come from that end each message.
  package enum Signature: Hashable, Sendable {
    /// Nowhere.
    case none
    case file(Path)
    /// What a command prints.
    case command(ChildProcess.Command)
  }

  /// What ends each message.
  package var signature = Signature.none

  /// What stands before a quoted text, with names in braces; nil for the usual words.
  package var attribution: String?

  /// How many octets the attachments of a message may have.
  package var attachmentLimit = 25 << 20

  /// How long a message waits in the queue so that it can be taken back, in seconds.
  package var delay: Int64 = 0

  /// What makes HTML of the text of a message; nil for the text alone.
  package var htmlCommand: ChildProcess.Command?

  /// Whether that command runs without namespaces of its own: `html-unconfined`.
  package var runsHTMLUnconfined = false

  /// How messages are signed and encrypted.
  package var protection = ProtectionSettings()

  /// Those where nothing is set.
  package init() {}
}
