package import SyncPlan

/// A message without a file that is to go for good.
package struct PendingExpunge: Hashable, Sendable {
  /// What the server named as the copy of a message when it was asked to put one into another mailbox.
  package struct Copy: Hashable, Sendable {
    /// The UIDVALIDITY of the mailbox that it is in.
    package var validity: UInt32
    package var uid: UInt32

    package init(validity: UInt32, uid: UInt32) {
      self.validity = validity
      self.uid = uid
    }
  }

  /// Whether it is marked as deleted, and waits for the EXPUNGE that a server without UIDPLUS does not allow at any time.
  package var isFlagged: Bool
  /// The copy for which an open intent of another mailbox stands; nil where there is none, or where its UID is not known.
  ///
  /// It is certain that it was made, even if it is moved on before that mailbox has it on record.
  package var copy: Copy?
  /// What was on record of it before; nil where nothing was.
  ///
  /// Set by the state that it becomes a part of.
  package internal(set) var former: BaseRecord?

  package init(isFlagged: Bool, copy: Copy? = nil) {
    self.isFlagged = isFlagged
    self.copy = copy
  }
}
