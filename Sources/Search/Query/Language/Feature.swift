/// What a message can have, as `has:` knows it.
package enum Feature: String, Hashable, Sendable, CaseIterable {
  /// Something to save.
  case attachment
  /// A signature over it.
  case signature
  /// Content that only its receivers can read.
  case encryption
  /// A mailing list it came through.
  case list
  /// An invitation or other entry of a calendar.
  case calendar
  /// A change to a program, as git sends them.
  case patch
  /// Attachments that are only on the server.
  case partial

  /// The feature of that name, in either case; nil where there is none.
  package init?(name: [UInt8]) {
    self.init(rawValue: String(decoding: name, as: UTF8.self).lowercased())
  }
}
