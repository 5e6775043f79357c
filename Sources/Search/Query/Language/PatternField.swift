/// What a regular expression can be held against.
package enum PatternField: String, Hashable, Sendable, CaseIterable {
  case from
  case subject
  /// The Message-ID.
  case id
  case folder
  /// The folders; another name for it, since whole paths are what it is used for.
  case path
  case tag
}
