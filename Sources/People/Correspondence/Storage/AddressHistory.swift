package import Configuration
package import MIME
internal import Octets
package import Platform
internal import Query
package import SearchIndex

/// What the mail of an account knows of those who write to its person.
package struct AddressHistory: Sendable {
  private let reader: IndexReader
  private let sent: SentMail

  /// More messages of a name or an address are not looked at.
  private static let limit = 200
  /// Mail makes an address known that came so many seconds before: several messages at once do not.
  private static let delay: Int64 = 30 * 86_400

  /// The history of an account; nothing is read yet.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - sent: its sent mail.
  /// - Throws: ENOENT where the Maildir is missing.
  package init(of account: Account, sent: SentMail) throws(SystemError) {
    (reader, self.sent) = (try IndexReader(of: account, stemming: nil), sent)
  }

  /// Whether a sender has the name of one to whom the person wrote, at an address that is new.
  ///
  /// An address is new to which the person never wrote, and of which no mail came until 30 days before.
  ///
  /// - Parameters:
  ///   - sender: the author of a message.
  ///   - date: when that was written, in seconds since 1970.
  /// - Returns: whether both are so; false for a name without words.
  /// - Throws: why the index cannot be read.
  package func isNewAddress(_ sender: Mailbox, at date: Int64) throws(IndexError) -> Bool {
    var scanner = WordScanner()
    let words = scanner.words(sender.name).sorted { $0.lexicographicallyPrecedes($1) }
    guard !words.isEmpty, let address = PersonAddress(sender.address) else { return false }
    let name = words.map { Query.word($0, .to, isExact: true) }
    let isKnownName = try messages(.and([sent.query] + name)).contains { message in
      (message.to + message.cc).contains { person in
        scanner.words(person.name).sorted { $0.lexicographicallyPrecedes($1) } == words
      }
    }
    guard isKnownName else { return false }
    let written = try messages(address.recipientQuery(in: [sent], openly: false))
    if written.contains(where: address.isRecipient) { return false }
    let known = Query.and([
      address.authorQuery, .date(DateRange(first: nil, last: date - Self.delay)),
    ])
    return try !messages(known).contains(where: address.isAuthor)
  }

  private func messages(_ query: Query) throws(IndexError) -> [FoundMessage] {
    try reader.read { (snapshot) throws(IndexError) in
      try snapshot.messages(query, .newestFirst, limit: Self.limit)
    }
  }
}
