/// A property of a message that is there or not.
package enum ExactField: String, Hashable, Sendable, CaseIterable {
  /// A flag or a fact as a word: `unread`, `flagged`, `attachment`.
  case tag
  /// The Message-ID.
  case id
  /// The thread, as 16 hexadecimal digits.
  case thread
  /// The folder, alone.
  case folder
  /// The folder; with `/**` at its end also those below.
  case path
  /// The type of a part: `application/pdf`, `image`, `pdf`.
  case mimetype
  /// The id of a mailing list.
  case list
  case account
  /// Something it has: `attachment`, `signature`, `encryption`, `list`.
  case has
  /// The name of a file that it lies in.
  case file
  /// The Message-ID of a message that it refers to.
  case ref
}
