package import Platform

/// How long changes of a mailbox are waited for.
package struct WaitOrder: Sendable {
  /// Seconds without a further change after which changes that are gathered are told.
  package static let quiet = 0.3

  /// When to give up.
  package var deadline: Deadline
  /// Until then a change is not told at once: further ones are gathered as long as they follow within `quiet` seconds.
  package var gathering: Deadline
  /// Whether there was a change already.
  package var isChanged = false
  /// Whether changes in other mailboxes are to be told too, where the server can.
  package var includesOthers = true
  /// Ends the wait from another thread.
  package var waker: Waker

  package init(until deadline: Deadline, gathering: Deadline, waker: Waker) {
    self.deadline = deadline
    self.gathering = gathering
    self.waker = waker
  }

  /// The moment at which the wait ends if nothing more comes, where there was a change or not.
  package func limit(isChanged: Bool) -> Deadline {
    guard isChanged else { return deadline }
    return gathering.isPast ? .now : min(gathering, .after(seconds: Self.quiet))
  }
}

/// Why a wait ended.
package enum WaitEnd: Hashable, Sendable {
  /// Something changed in the mailbox, or may have.
  case changed
  /// The waker was used.
  case woken
  /// The deadline came.
  case timedOut
}
