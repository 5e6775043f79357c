package import MIME

/// What is known about the sender of a message, and about the moment.
package struct Identity: Hashable, Sendable {
  /// The address of the account, for mail that names no sender; `nil` when it has none.
  package var address: [UInt8]?

  /// The name that goes with it; `nil` for none.
  package var fullName: [UInt8]?

  /// The name of the machine, where nothing better is known.
  package var host: [UInt8]

  /// Now.
  package var date: MessageDate

  /// 96 random bits or more as text that may stand in a Message-ID.
  package var token: [UInt8]

  /// Which senders become `address`.
  package var rewriting: SenderRewriting

  /// Whether names without a domain in To and Cc become the addresses that they mean.
  package var namesRecipients: Bool

  package init(
    address: [UInt8]?,
    fullName: [UInt8]?,
    host: [UInt8],
    date: MessageDate,
    token: [UInt8],
    rewriting: SenderRewriting = .never,
    namesRecipients: Bool = false
  ) {
    self.rewriting = rewriting
    self.namesRecipients = namesRecipients
    self.address = address
    self.fullName = fullName
    self.host = host
    self.date = date
    self.token = token
  }
}

extension Identity {
  /// The account's address where that is to stand in the place of a sender; `nil` where the sender stays.
  func replacement(for sender: [UInt8]) -> [UInt8]? {
    guard let address, rewriting.applies(to: sender, of: address) else { return nil }
    return address
  }
}
