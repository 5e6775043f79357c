/// What is searched for, as a tree.
package indirect enum Query: Hashable, Sendable {
  /// All messages.
  case everything
  /// No message.
  case nothing
  /// A word; `nil` for a field: any of them. A word that is not exact is found in its other forms too.
  case word([UInt8], TextField?, isExact: Bool)
  /// Words next to each other.
  case phrase([[UInt8]], TextField?)
  /// Words near each other, at most so many apart; in their order if wanted.
  case near([[UInt8]], TextField?, distance: Int, isOrdered: Bool)
  /// Words that begin so.
  case beginning([UInt8], TextField?)
  /// No word at all in a field.
  case wordless(TextField)
  /// A text field, or the folder, path, tag or id, that a regular expression (POSIX extended) fits.
  case pattern([UInt8], PatternField)
  /// A property as written.
  case exact(ExactField, [UInt8])
  /// A time.
  case date(DateRange)
  /// A size in octets; nil for no bound.
  case size(from: UInt64?, to: UInt64?)
  /// The revision of the index that changed the message last; nil for no bound, negative counted from the newest one.
  case revision(from: Int64?, to: Int64?)
  /// The messages of all threads in which something is found.
  case thread(Query)
  /// All of these.
  case and([Query])
  /// Any of these.
  case or([Query])
  /// An odd number of these.
  case xor([Query])
  /// What is not found.
  case not(Query)
}
