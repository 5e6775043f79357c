/// The result of an extended search (RFC 4731 §3.1, RFC 9051 §7.3.4).
package struct ESearch: Hashable, Sendable {
  /// The command that asked; `nil` when the server does not say.
  package var tag: Tag?

  /// Whether the numbers are UIDs, not message sequence numbers.
  package var isUID = false

  /// All matches; `nil` when there are none or they were not asked for.
  package var all: UIDSet?

  package var count: UInt32?
  package var minimum: UInt32?
  package var maximum: UInt32?
  package var modSequence: UInt64?

  /// A result in which nothing is known.
  package init() {}
}
