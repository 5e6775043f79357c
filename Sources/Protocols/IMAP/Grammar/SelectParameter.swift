/// What SELECT or EXAMINE asks for beside the mailbox (RFC 4466 §2.1).
package enum SelectParameter: Hashable, Sendable {
  /// Modification sequences from now on (RFC 7162 §3.1.8).
  case condstore

  /// All changes since `modSequence` (RFC 7162 §3.2.5); QRESYNC must have been enabled.
  ///
  /// `modSequence` is at least 1. `knownUIDs` confines what the server reports as vanished; `nil`
  /// or empty leaves it out. With a wrong validity the server answers like a plain SELECT.
  case qresync(validity: UInt32, modSequence: UInt64, knownUIDs: UIDSet?)
}
