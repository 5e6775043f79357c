internal import IMAP
internal import MailStore

/// The messages of APPENDs that were sent together.
struct LiteralFeed {
  /// Gives the next octets of a message, at most as many as remain; the number is that of its command among those
  /// sent together, from 0.
  ///
  /// - Throws: where they can no longer be read; the connection is unusable then.
  typealias Source = (Int, LiteralRequest) throws(SyncFailure) -> ArraySlice<UInt8>

  private let source: Source
  private let tags: [CommandTag]

  /// The messages of the commands with these tags.
  init(_ source: @escaping Source, _ tags: [CommandTag]) {
    self.source = source
    self.tags = tags
  }

  /// The next octets that the server waits for; nil where they belong to none of the commands.
  func octets(_ wanted: LiteralRequest) throws(SyncFailure) -> ArraySlice<UInt8>? {
    guard let number = tags.firstIndex(of: wanted.tag) else { return nil }
    return try source(number, wanted)
  }
}
