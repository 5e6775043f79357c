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
