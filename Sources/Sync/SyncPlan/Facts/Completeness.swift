/// How much of a message its file holds.
///
/// A file that holds parts only is never taken for the message: nothing uploads it, and its removal removes nothing for
/// good.
package enum Completeness: Hashable, Sendable {
  /// All of it.
  case whole
  /// Header and texts, without attachments; `name` is what the file says of itself, to be found again by.
  case partial(name: [UInt8])

  /// Whether there are parts of the message that are on the server only.
  package var isPartial: Bool {
    switch self {
    case .whole: false
    case .partial: true
    }
  }
}
