internal import MailModel
internal import Octets
internal import SyncState

/// What the mailboxes of an account are called on the server, level by level.
package struct ServerNames: Sendable {
  /// What divides the levels there.
  package let delimiter: UInt8
  /// The levels of the server's prefix; none where there is none.
  package let prefix: [[UInt8]]
  /// Whether names have a prefix that folders have, too.
  package let keepsPrefix: Bool

  /// The levels that folders lack.
  var hidden: [[UInt8]] { keepsPrefix ? [] : prefix }

  package init(delimiter: UInt8, prefix: [[UInt8]] = [], keepsPrefix: Bool = false) {
    self.delimiter = delimiter
    self.prefix = prefix
    self.keepsPrefix = keepsPrefix
  }

  /// Takes what the last sync recorded.
  ///
  /// - Throws: where it did not record what divides the levels, and the names do not tell either.
  init(
    _ summary: Summary?,
    _ headers: [MailboxHeader]
  ) throws(ExportFailure) {
    prefix = summary?.names?.prefix ?? []
    keepsPrefix = !prefix.isEmpty && summary?.names?.style == .keep
    if let recorded = summary?.delimiter {
      delimiter = recorded
    } else {
      delimiter = try Self.delimiter(headers)
    }
  }

  /// As the names tell it: by a slash, or a dot where the folder has another level.
  private static func delimiter(_ headers: [MailboxHeader]) throws(ExportFailure) -> UInt8 {
    if headers.contains(where: { $0.mailbox.contains(ASCII.slash) }) { return ASCII.slash }
    let dotted = headers.filter { $0.mailbox.contains(ASCII.dot) }
    guard !dotted.isEmpty else { return ASCII.slash }
    guard dotted.contains(where: { !$0.directory.contains(ASCII.dot) }) else {
      throw .unknownDelimiter
    }
    return ASCII.dot
  }

  /// The forms in which names fit a pattern of the configuration: without the prefix where folders lack it, else with it, too.
  func forms(of pattern: MailboxPattern) -> [[UInt8]] {
    let text = pattern.octets
    let start = prefix.reduce(into: [UInt8]()) { $0 += $1 + [ASCII.slash] }
    guard !start.isEmpty, text != Array("INBOX".utf8) else { return [text] }
    if text.starts(with: start) {
      return keepsPrefix ? [text] : [Array(text.dropFirst(start.count))]
    }
    let isWild = [ASCII.asterisk, ASCII.percent].contains(text.first)
    return keepsPrefix && !isWild ? [text, start + text] : [text]
  }

  /// The levels of a name on the wire, in modified UTF-7.
  func levels(_ wire: [UInt8]) -> [[UInt8]] {
    wire.split(separator: delimiter, omittingEmptySubsequences: false).map { Array($0) }
  }

  /// A name as people read it, with slashes between the levels.
  func decoded(_ wire: [UInt8]) -> [UInt8] {
    if wire.equalsCaseless("INBOX") { return Array("INBOX".utf8) }
    return Array(
      levels(wire).map { ModifiedUTF7.decode($0) ?? $0 }.joined(separator: [ASCII.slash])
    )
  }

  /// The levels without the hidden prefix; nil where the name lies outside of it.
  func levelsBelowPrefix(_ wire: [UInt8]) -> [[UInt8]]? {
    let levels = levels(wire)
    if wire.equalsCaseless("INBOX") { return levels }
    let prefix = hidden.map { ModifiedUTF7.encode($0) ?? $0 }
    guard levels.starts(with: prefix) else { return nil }
    let rest = Array(levels.dropFirst(prefix.count))
    // A name that looks like the inbox would be taken for it.
    guard let first = rest.first, prefix.isEmpty || !first.equalsCaseless("INBOX") else {
      return nil
    }
    return rest
  }
}
