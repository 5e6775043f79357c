internal import Octets

/// What became of a message for one recipient, as a report says.
package struct ReportedRecipient: Hashable, Sendable {
  /// What a server did.
  package enum Action: String, Hashable, Sendable {
    /// It gave up.
    case failed
    /// It goes on trying.
    case delayed
    /// The message is in a mailbox.
    case delivered
    /// It went on to a server that reports nothing.
    case relayed
    /// It went on to several recipients.
    case expanded
    /// Nothing that the standard knows.
    case unknown
  }

  /// The address that the message was sent to, and the one that it came to, in all readings: each as it is written, and decoded.
  package let addresses: [[UInt8]]

  package let action: Action

  /// The enhanced status code (RFC 3463), such as `5.1.1`; nil where none is told.
  package let status: [UInt8]?

  /// Why, in the words of a server, in one line; empty where it does not say.
  package let words: [UInt8]

  /// Longer words of servers are cut.
  static let wordLimit = 500

  init(addresses: [[UInt8]], action: Action, status: [UInt8]?, words: [UInt8]) {
    self.addresses = addresses
    self.action = action
    self.status = status
    self.words = words
  }

  /// One that failed, by an address and lines of text.
  init(failed address: [UInt8], _ lines: [ArraySlice<UInt8>]) {
    let words = Self.line([UInt8](lines.joined(separator: [ASCII.space])))
    self.init(
      addresses: [address],
      action: .failed,
      status: StatusCode.first(in: words[...]),
      words: words
    )
  }

  /// Text in one line, with one space where blanks and controls were, cut to the limit.
  static func line(_ text: some Collection<UInt8>) -> [UInt8] {
    let words = text.split { ASCII.isControl($0) || $0 == ASCII.space }
    return [UInt8](words.joined(separator: [ASCII.space]).prefix(wordLimit))
  }
}

/// Enhanced status codes within text.
enum StatusCode {
  /// The first one of a failure or success; nil where there is none.
  ///
  /// Addresses of hosts have four numbers, and are none.
  static func first(in text: ArraySlice<UInt8>) -> [UInt8]? {
    for word in text.split(whereSeparator: { !ASCII.isDigit($0) && $0 != ASCII.dot }) {
      let trimmed = word.last == ASCII.dot ? word.dropLast() : word
      let numbers = trimmed.split(separator: ASCII.dot, omittingEmptySubsequences: false)
      guard numbers.count == 3, let kind = numbers[0].first, numbers[0].count == 1,
        [2, 4, 5].contains(kind &- ASCII.zero), numbers.allSatisfy({ (1...3).contains($0.count) })
      else { continue }
      return [UInt8](trimmed)
    }
    return nil
  }
}
