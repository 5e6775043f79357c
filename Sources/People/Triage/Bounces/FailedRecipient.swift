internal import Correspondence
internal import MIME
internal import Octets

/// A recipient who did not get a message of the user.
package struct FailedRecipient: Hashable, Sendable {
  /// The address, as it stands in the message.
  package let address: [UInt8]

  /// The enhanced status code of the failure; nil where none is told.
  package let status: [UInt8]?

  /// Why, in the words of a server; empty where it does not say.
  package let words: [UInt8]
}

/// Decides what of a report counts: each recipient of a message can forge one of it.
enum BounceDecision {
  /// The recipients of a message who did not get it, as far as a report of it is believed.
  ///
  /// The message has to be the user's own, and to name the recipient. Only failures count.
  ///
  /// - Parameters:
  ///   - report: the report.
  ///   - sent: the header of a message in the folder of sent mail.
  ///   - own: the user's addresses.
  ///   - decoder: for names in the header.
  /// - Returns: the recipients, each once.
  static func failures(
    in report: DeliveryReport,
    of sent: Header,
    by own: OwnAddresses,
    _ decoder: CharsetDecoder
  ) -> [FailedRecipient] {
    guard sent.messageID == report.messageID,
      sent.mailboxes("From", decoder).contains(where: { own.contains($0) })
    else { return [] }
    var named: [[UInt8]: [UInt8]] = [:]
    for name in ["To", "Cc", "Bcc"] as [StaticString] {
      for mailbox in sent.mailboxes(name, decoder) where !mailbox.domain.isEmpty {
        named[mailbox.address.map(ASCII.lowercased)] = mailbox.address
      }
    }
    var failed: [FailedRecipient] = []
    for recipient in report.recipients where recipient.action == .failed {
      let addresses = recipient.addresses.compactMap { named[$0.map(ASCII.lowercased)] }
      guard let address = addresses.first, !failed.contains(where: { $0.address == address })
      else { continue }
      failed.append(
        FailedRecipient(address: address, status: recipient.status, words: recipient.words)
      )
    }
    return failed
  }
}
