internal import Octets

/// A program that takes messages over: `send-command` and `send-recipients`.
package struct SendProgram: Hashable, Sendable {
  /// How it learns who gets a message.
  package enum Recipients: String, Hashable, Sendable, CaseIterable {
    /// By arguments behind `--`.
    case arguments
    /// By the fields To, Cc and Bcc of the message.
    case header
  }

  /// Stands in a word for the sender of the envelope.
  package static let senderMark = "{sender}"

  /// The program and its first arguments.
  package let words: [String]

  /// Whether the sender could be read as an option where it begins a word.
  package var hasBareSender: Bool { words.contains { $0.hasPrefix(Self.senderMark) } }

  package var recipients = Recipients.arguments

  package init(_ words: [String]) {
    self.words = words
  }

  /// The program with its arguments for one message.
  ///
  /// - Parameters:
  ///   - sender: the sender of the envelope; nil for the null path, which is written `<>`.
  ///   - recipients: the recipients of the envelope.
  /// - Returns: the words, the program first.
  package func arguments(sender: String?, recipients: [String]) -> [String] {
    let filled = words.map { $0.exchanging(Self.senderMark, for: sender ?? "<>") }
    return self.recipients == .header ? filled : filled + ["--"] + recipients
  }
}
