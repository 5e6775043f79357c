package import MailModel

/// The flags of one message that a run is about to take from one side to the other; the rest of the record stands.
///
/// It is on record before either side is changed. Where a run ends before it says that the change is done, the next one
/// asks the side that was to be changed: what that shows is what both agreed on. Else a flag of one side would look like
/// a change that was made on the other.
package struct FlagsUnderWay: Hashable, Sendable {
  /// Flags that the file is about to show as the server has them.
  package var shown: SystemFlags
  /// Flags that the server is about to have as the file shows them.
  package var stored: SystemFlags

  /// Flags that the file is about to show as the server has them, or the server to have as the file shows them.
  package init(shown: SystemFlags = [], stored: SystemFlags = []) {
    self.shown = shown
    self.stored = stored
  }

  /// What both sides agreed on.
  ///
  /// - Parameters:
  ///   - recorded: the flags that were agreed on before.
  ///   - file: what the file shows; nil where it is not known.
  ///   - message: what the server has; nil where it is not known.
  /// - Returns: the flags that count as agreed on, with the recorded keywords.
  package func resolveFlags(
    _ recorded: MessageFlags,
    file: SystemFlags?,
    message: SystemFlags?
  ) -> MessageFlags {
    guard SyncRule.flagsUnderWay.isOn else { return recorded }
    var settled = recorded
    if let file { settled.system.copyFlags(shown, from: file) }
    if let message { settled.system.copyFlags(stored, from: message) }
    return settled
  }
}

extension SystemFlags {
  /// Becomes as `other` is in these flags.
  fileprivate mutating func copyFlags(_ flags: SystemFlags, from other: SystemFlags) {
    self = subtracting(flags).union(other.intersection(flags))
  }
}
