/// What a regular expression can be held against.
package enum PatternField: String, Hashable, Sendable, CaseIterable {
  /// The From field.
  case from
  /// The Subject field.
  case subject
  /// The Message-ID.
  case id
  /// The folders.
  case folder
  /// The folders; another name for it, since whole paths are what it is used for.
  case path
  /// The tags.
  case tag
}
