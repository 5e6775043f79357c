internal import Configuration
internal import Correspondence
internal import MailModel
internal import MIME
internal import Octets
internal import Terminal

// The account of a draft follows the address in From.
extension ComposeSession {
  /// The session of the account that the address in From chooses, which a person has just written.
  ///
  /// Nothing of the former address goes with the message: neither an id with its domain, nor its key where that was attached.
  /// - Parameters:
  ///   - start: the draft with that address.
  ///   - former: the draft before.
  /// - Returns: the session; this one where the account is the same.
  /// - Throws: that no account has the address; that there is no key of it to attach.
  func following(
    _ start: inout ComposeStart,
    after former: Draft
  ) throws(Explanation) -> ComposeSession {
    guard let old = former.from, let new = start.draft.from, old.address != new.address else {
      return self
    }
    let sender = try task.sender(for: start)
    let isSame = sender.name == self.sender.name
    let session = isSame ? self : ComposeSession(task, sender)
    if !old.domain.equalsCaseless(new.domain) { start.draft.messageID = nil }
    try session.exchangeKey(in: &start.draft, of: former, self)
    guard !isSame else { return session }
    start.facts.account = sender.name
    start.decideAgain(sender.composing.protection)
    console.writeNote("it is sent with the account \(sender.name) from now on, as From says")
    return session
  }

  /// Attaches one's own key in the place of that of the former sender.
  private func exchangeKey(
    in draft: inout Draft,
    of former: Draft,
    _ other: ComposeSession
  ) throws(Explanation) {
    let indices = draft.attachments.indices.filter { draft.attachments[$0].mayBePublicKey }
    guard !indices.isEmpty, let key = try? other.protection.ownKey(former) else { return }
    for index in indices where draft.attachments[index].name == key.name {
      draft.attachments[index] = try protection.ownKey(draft)
    }
  }
}

extension ComposeStart {
  /// Decides about the protection as the settings of another account have it.
  ///
  /// What is encrypted, or is if possible, stays so.
  fileprivate mutating func decideAgain(_ settings: ProtectionSettings) {
    guard var wishes else { return }
    wishes.settings = settings
    if draft.isEncrypted { wishes.encrypts = true }
    wishes.staysOpen = openProtection != nil
    carryOut(DraftProtection.decide(wishes))
  }
}
