/// What can be said of a message in a word.
package enum Tag: String, Hashable, Sendable, CaseIterable, Comparable {
  /// It has something to save.
  case attachment
  /// The user is still writing it (D).
  case draft
  /// Only its receivers can read it.
  case encrypted
  /// The user marked it (F).
  case flagged
  /// It lies in the inbox; not kept as a term, but known by the folder.
  case inbox
  /// It was passed on (P).
  case passed
  /// It was answered (R).
  case replied
  /// It is signed.
  case signed
  /// It is to be removed (T).
  case trashed
  /// No copy of it was seen (S).
  case unread

  package static func < (left: Tag, right: Tag) -> Bool { left.rawValue < right.rawValue }
}
