internal import Octets
package import Query
package import SearchIndex

/// An address of a person, for which mail is searched.
package struct PersonAddress {
  /// The address in small letters.
  private let key: [UInt8]
  private let words: [[UInt8]]

  /// Nil for an address that no search can find.
  package init?(_ address: [UInt8]) {
    var scanner = WordScanner()
    (key, words) = (Self.key(address), scanner.words(address))
    guard !words.isEmpty else { return nil }
  }

  /// How addresses are compared.
  package static func key(_ address: [UInt8]) -> [UInt8] { address.map(ASCII.lowercased) }

  /// Finds all messages to it in sent mail, and some others; `openly`: not those that went to it as a hidden copy.
  package func recipientQuery(in sent: some Sequence<SentMail>, openly: Bool) -> Query {
    .and([.or(Array(Set(sent.map(\.query)))), .phrase(words, openly ? .openTo : .to)])
  }

  /// Finds all messages of it, and some others.
  package var authorQuery: Query { .phrase(words, .from) }

  /// Whether a message names it as a recipient.
  package func isRecipient(of message: FoundMessage) -> Bool {
    (message.to + message.cc).contains { Self.key($0.address) == key }
  }

  /// Whether a message names it as an author.
  package func isAuthor(of message: FoundMessage) -> Bool {
    message.from.contains { Self.key($0.address) == key }
  }
}
