/// A part of a message that is searched by words.
package enum TextField: String, Hashable, Sendable, CaseIterable {
  /// The text, and that of text attachments and messages inside.
  case body
  case subject
  /// Names and addresses of the authors.
  case from
  /// Names and addresses of To, Cc and Bcc.
  case to
  /// Names and addresses of Cc alone.
  case cc
  /// The names of attachments.
  case attachment
  /// The hosts that links lead to.
  case link
}
