internal import MIME
internal import Octets
internal import SMTP

/// What stands between two commas of a list of recipients.
///
/// A reader of mail makes the best of two addresses without a comma, one of them the name of the other; a sender must
/// not, since one of them would get nothing.
struct RecipientItem {
  /// The text without comments and the name of a group.
  var text: [UInt8] = []

  /// The text as it was written.
  var written: [UInt8] = []

  /// Whether a comment does not end.
  var hasOpenComment = false

  /// Whether there is nothing in it.
  var isEmpty: Bool { !hasOpenComment && text.allSatisfy(ASCII.isBlank) }

  /// The addresses; for a bare word it is that.
  ///
  /// - Throws: `badAddress` for one that nothing can be sent to, or where more of them may have been meant.
  func addresses() throws(LetterError) -> [EnvelopeAddress] {
    let mailboxes = mailboxes
    var result: [EnvelopeAddress] = []
    for mailbox in mailboxes {
      let octets = Self.name(mailbox)
      guard let address = try? EnvelopeAddress(octets), !isDecoded(address, mailbox),
        mailbox.domain.isEmpty || !mailbox.localPart.isEmpty
      else { throw badAddress }
      result.append(address)
    }
    guard isClear(mailboxes) else { throw badAddress }
    return result
  }

  /// Throws `badAddress` where more addresses may have been meant than a reader of mail makes out.
  func check() throws(LetterError) {
    guard isClear(mailboxes) else { throw badAddress }
  }

  /// What names each recipient, whether anything can be sent to it or not.
  var names: [[UInt8]] { mailboxes.map(Self.name) }

  private static func name(_ mailbox: Mailbox) -> [UInt8] {
    mailbox.address.isEmpty ? mailbox.name : mailbox.address
  }

  /// Whether the address was made of a word that is encoded: that is a name, whatever is in it.
  private func isDecoded(_ address: EnvelopeAddress, _ mailbox: Mailbox) -> Bool {
    mailbox.domain.isEmpty && address.hasDomain && EncodedWord.decode(text[...], .native) != text
  }

  private var mailboxes: [Mailbox] {
    Address.list(text[...], .native).flatMap(\.mailboxes)
  }

  private func isClear(_ mailboxes: [Mailbox]) -> Bool {
    !hasOpenComment
      && RecipientMarks(text)?.count == mailboxes.count { !$0.domain.isEmpty }
  }

  private var badAddress: LetterError {
    .badAddress([UInt8](AliasTarget.trimmed(written[...])))
  }
}
