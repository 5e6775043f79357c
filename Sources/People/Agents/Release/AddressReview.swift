internal import Configuration
internal import Correspondence
internal import MIME
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex
internal import Threads
internal import Triage

/// What a person is warned of about an address that a message of an agent goes to.
package enum AddressWarning: String, CaseIterable, Sendable {
  case outsideThread = "not in the thread"
  case neverWritten = "never written to"
  case replyToOnly = "not From but Reply-To"
}

/// What the mail of a person says of addresses: who takes part in a thread, and whom the person wrote to.
///
/// Addresses are in small letters.
struct AddressReview: Hashable, Sendable {
  /// Who takes part in the thread of the message that is answered; nil where none is.
  var thread: Set<[UInt8]>?
  /// Who received mail from the person.
  var written: Set<[UInt8]> = []
  /// Where the answered message wants answers to go.
  var replyTo: Set<[UInt8]> = []
  /// Who wrote the answered message.
  var authors: Set<[UInt8]> = []

  /// What speaks against sending to an address.
  func warnings(of address: [UInt8]) -> [AddressWarning] {
    let key = PersonAddress.key(address)
    var warnings: [AddressWarning] = []
    if let thread, !thread.contains(key) { warnings.append(.outsideThread) }
    if !written.contains(key) { warnings.append(.neverWritten) }
    if replyTo.contains(key), !authors.contains(key) { warnings.append(.replyToOnly) }
    return warnings
  }
}

/// Looks in the mail of all accounts for what there is to know of addresses.
struct AddressLookup {
  private let configuration: Configuration
  private let set: SearchSet
  /// The sent mail by its Maildir; what only claims to be from the person is none of it.
  private let sent: [Path: SentMail]

  /// More addresses are not looked for, and count as never written to.
  private static let addressLimit = 200
  /// More messages of a thread, or to an address, are not looked at.
  private static let limit = 1000

  /// - Throws: why the mail cannot be searched.
  init(_ configuration: Configuration) throws(Explanation) {
    self.configuration = configuration
    let accounts = configuration.accounts
    set = try explaining(.partial) { () throws(SystemError) in
      try SearchSet(SearchedAccounts(accounts, named: []), stemming: nil)
    }
    var sent: [Path: SentMail] = [:]
    for account in accounts {
      if let found = try account.sentMail() { sent[found.maildir] = found }
    }
    self.sent = sent
  }

  /// What is known of addresses to which a message goes that answers others.
  func review(
    of addresses: [[UInt8]],
    answering ids: [MessageID]
  ) throws(Explanation) -> AddressReview {
    var review = AddressReview()
    for address in addresses.prefix(Self.addressLimit) where try isWritten(address) {
      review.written.insert(PersonAddress.key(address))
    }
    guard !ids.isEmpty else { return review }
    var people: Set<[UInt8]> = []
    for message in try found(.or(ids.map { .exact(.id, $0.octets) })) {
      addFields(of: message, to: &review)
      let thread = [UInt8](message.thread.description.utf8)
      // What an agent wrote there makes no one a part of it.
      for other in try found(.exact(.thread, thread)) where !other.isTagged("draft") {
        people.formUnion((other.from + other.to + other.cc).map { PersonAddress.key($0.address) })
      }
    }
    // Where an answered message wants its answers is part of the thread, with a warning of its own.
    review.thread = people.union(review.replyTo)
    return review
  }

  private func addFields(of message: FoundMessage, to review: inout AddressReview) {
    let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
    for file in message.files {
      guard let path = file.currentPath(),
        let octets = try? Descriptor.open(path, .read).read(atMost: 1 << 16)
      else { continue }
      let header = Message(octets).header
      let keys = { (name: StaticString) in
        header.mailboxes(name, decoder).map { PersonAddress.key($0.address) }
      }
      review.replyTo.formUnion(keys("Reply-To"))
      review.authors.formUnion(keys("From"))
    }
  }

  private func isWritten(_ address: [UInt8]) throws(Explanation) -> Bool {
    guard let sought = PersonAddress(address), !sent.isEmpty else { return false }
    return try found(sought.recipientQuery(in: sent.values, openly: false)).contains { message in
      sought.isRecipient(of: message)
        && message.files.contains { file in
          sent[file.maildir]?.holds(file, of: message) ?? false
        }
    }
  }

  private func found(_ query: Query) throws(Explanation) -> [FoundMessage] {
    do throws(IndexError) {
      return try set.messages(query, .newestFirst, limit: Self.limit)
    } catch {
      throw Explanation(error, place: "index")
    }
  }
}
