package import MailModel
package import Protection

/// The keys that were found for a message that is to be signed or encrypted.
package struct MessageKeys: Sendable {
  /// An address that gets the message, and its key.
  package struct Recipient: Sendable {
    package let address: [UInt8]
    /// Whether others must not see that it gets the message.
    package let isHidden: Bool
    package let choice: KeyChoice

    package init(_ address: [UInt8], isHidden: Bool, _ choice: KeyChoice) {
      (self.address, self.isHidden, self.choice) = (address, isHidden, choice)
    }
  }

  package let method: ProtectionMethod
  /// The address that sends.
  package let sender: [UInt8]
  /// One's own key that signs; nil where the message is not signed.
  package let signer: KeyChoice?
  /// One's own key that the message is encrypted to besides; nil where it is not encrypted.
  package let own: KeyChoice?
  /// Those whom the message is encrypted to; empty where it is not.
  package let recipients: [Recipient]

  package init(
    _ method: ProtectionMethod,
    sender: [UInt8],
    signer: KeyChoice?,
    own: KeyChoice?,
    recipients: [Recipient]
  ) {
    (self.method, self.sender) = (method, sender)
    (self.signer, self.own, self.recipients) = (signer, own, recipients)
  }

  /// Whether all whom it is encrypted to have a key that is certified, and so has the sender.
  package var areCertified: Bool {
    own?.key != nil && !recipients.isEmpty && !namesHidden
      && recipients.allSatisfy { recipient in
        if case .chosen(_, isCertified: true) = recipient.choice { true } else { false }
      }
  }

  /// The recipients whose key nothing certifies.
  package var uncertified: [Recipient] {
    recipients.filter { recipient in
      if case .chosen(_, isCertified: false) = recipient.choice { true } else { false }
    }
  }

  /// Whether other recipients would be told who gets the message in secret.
  private var namesHidden: Bool { method == .sMIME && recipients.contains(where: \.isHidden) }

  /// How the message is written.
  ///
  /// - Throws: the keys that are missing, with their addresses; then nothing may be sent.
  package func plan() throws(Explanation) -> ProtectionPlan {
    guard !namesHidden else { throw WritingFailure.namesHiddenRecipients.explanation }
    guard problems.isEmpty else { throw missing }
    var encryption: ProtectionPlan.Encryption?
    if let own = own?.key {
      encryption = ProtectionPlan.Encryption(
        recipients: recipients.filter { !$0.isHidden }.compactMap(\.choice.key) + [own],
        hidden: recipients.filter(\.isHidden).compactMap(\.choice.key)
      )
    }
    guard let plan = ProtectionPlan(method, signer: signer?.key, encryption: encryption) else {
      throw Self.contradiction
    }
    return plan
  }

  private static let contradiction = Explanation(.system, "keys of two methods for one message")

  /// How a draft is kept: encrypted to oneself.
  ///
  /// - Throws: that there is no key of one's own.
  package func planForKeeping() throws(Explanation) -> ProtectionPlan {
    guard let key = own?.key else { throw missing }
    let encryption = ProtectionPlan.Encryption(recipients: [key])
    guard let plan = ProtectionPlan(method, signer: nil, encryption: encryption, for: .keeping)
    else { throw Self.contradiction }
    return plan
  }

  // MARK: What is missing

  /// What keeps the message from being written, a line each; none where nothing does.
  package var problems: [String] {
    let choices = [(signer, "to sign with"), (own, "to encrypt to yourself with")]
    var lines = choices.compactMap { choice, use -> String? in
      guard let choice, choice.key == nil else { return nil }
      return KeyWords.problem(choice, of: sender, method, isOwn: true, use)
    }
    lines += recipients.compactMap { recipient in
      guard recipient.choice.key == nil else { return nil }
      return KeyWords.problem(recipient.choice, of: recipient.address, method, isOwn: false, nil)
    }
    return lines.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private var missing: Explanation {
    let isOwn = [signer, own].contains { $0.map { $0.key == nil } ?? false }
    return Explanation(
      .noUser,
      problems.joined(separator: "; "),
      hint: isOwn ? KeyWords.ownHint(signer ?? own, method) : KeyWords.hint(method)
    )
  }
}
