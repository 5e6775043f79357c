/// How far one step on the IMAP server has come: the copy of what was sent, or a change of one message.
package struct StepProgress: Hashable, Sendable {
  /// Where a step stands.
  package enum State: Hashable, Sendable {
    /// It is to be taken.
    case open
    /// It is done, or no longer needed.
    case done
    /// The server refuses it for good: a person is needed.
    case rejected
    /// The server refuses it for good, and what showed it here was put back as it was.
    case undone
  }

  /// Where it stands.
  package private(set) var state = State.open

  /// The note of the last attempt; also after a refusal part of it may have been done.
  package private(set) var note: [UInt8]?

  /// How often the server refused it for now, since a person last retried it.
  package private(set) var attempts = 0

  /// The moment before which it is not taken, in seconds since 1970; `nil` for at once.
  package private(set) var notBefore: Int64?

  /// The last thing that was said against it; `nil` for nothing.
  package private(set) var words: [UInt8]?

  /// Whether it is to be taken.
  package var isOpen: Bool { state == .open }

  /// Whether it waits for a person.
  package var isRejected: Bool { state == .rejected }

  /// Whether nothing is left to do.
  package var isSettled: Bool { state == .done || state == .undone }

  mutating func begin(_ note: [UInt8]) {
    guard !isSettled else { return }
    self.note = note
    state = .open
  }

  mutating func postpone(_ until: Int64, _ words: [UInt8]) {
    attempts += 1
    (notBefore, self.words) = (until, words)
  }

  mutating func closeStep(_ state: State, _ words: [UInt8]? = nil) {
    guard !isSettled else { return }
    self.state = state
    self.words = words
  }

  mutating func retry() {
    if isRejected { state = .open }
    (attempts, notBefore) = (0, nil)
  }
}
