/// What SEARCH looks for (RFC 9051 §6.4.4).
package enum SearchQuery: Hashable, Sendable {
  /// Every message.
  case all
  /// Messages with \Seen.
  case seen
  /// Messages with \Answered.
  case answered
  /// Messages with \Flagged.
  case flagged
  /// Messages with \Deleted.
  case deleted
  /// Messages with \Draft.
  case draft
  /// Messages with this keyword, an atom.
  case keyword([UInt8])
  /// Messages whose field of this name, an atom, contains this text, letters of either case alike.
  case header(name: [UInt8], contains: [UInt8])
  /// Messages whose internal date is on this day or later; seconds since 1970, the day in UTC.
  ///
  /// The server compares the date as it stands in the message's internal date, without its zone.
  case since(day: Int64)
  /// The same up to another day, which is left out.
  case between(day: Int64, before: Int64)
}

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
