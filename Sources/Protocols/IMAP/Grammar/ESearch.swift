/// The result of an extended search (RFC 4731 §3.1, RFC 9051 §7.3.4).
package struct ESearch: Hashable, Sendable {
  /// The command that asked; `nil` when the server does not say.
  package var tag: CommandTag?

  /// Whether the numbers are UIDs, not message sequence numbers.
  package var isUID = false

  /// All matches; `nil` when there are none or they were not asked for.
  package var all: UIDSet?

  /// The number of matches; `nil` when it was not asked for.
  package var count: UInt32?
  /// The lowest match; `nil` when there is none or it was not asked for.
  package var minimum: UInt32?
  /// The highest match; `nil` when there is none or it was not asked for.
  package var maximum: UInt32?
  /// The highest modification sequence among the matches (RFC 7162 §3.1.10).
  package var modSequence: UInt64?

  /// A result in which nothing is known.
  package init() {}
}
