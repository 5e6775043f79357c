internal import Configuration
internal import Correspondence
internal import CommandLine
internal import GnuPG
internal import MIME
internal import MailModel
internal import Octets
internal import Protection
internal import Terminal

/// The protection of a draft on the way to its end: which keys there are, what a person is asked, how it is written.
struct ComposeProtection {
  let protector: MessageProtector
  private let dispatch: Dispatch
  private let context: CommandContext

  init(
    _ sender: Sender,
    _ dispatch: Dispatch,
    _ context: CommandContext
  ) {
    protector = MessageProtector(sender.composing.protection, GnuPG(for: context))
    (self.dispatch, self.context) = (dispatch, context)
  }

  /// One's own public key, to be attached to a completed draft.
  func ownKey(_ draft: Draft) throws(Explanation) -> DraftAttachment {
    try protector.ownKey(of: draft.from?.address ?? [])
  }

  /// What people see of keys before they send, and of those that are missing; nothing for a draft without protection.
  func lines(_ start: ComposeStart) throws(Explanation) -> [String] {
    var lines: [String] = []
    if let protection = start.draft.protection, !protection.isEmpty {
      lines = KeyWords.lines(try dispatch.keys(of: start.draft, protection, protector))
    }
    guard var wanted = start.openProtection, start.draft.hasRecipients else { return lines }
    wanted.encrypts = true
    return try lines + (missing(start.draft, wanted).map { ["Not encrypted: \($0)"] } ?? [])
  }

  /// Which keys are missing for a draft that has been started, a line each.
  func missing(_ draft: Draft) throws(Explanation) -> [String] {
    guard let protection = draft.protection, !protection.isEmpty else { return [] }
    return try dispatch.keys(of: draft, protection, protector).problems
  }

  /// Decides about a completed draft that is encrypted only if all have a certified key; says what it decided.
  ///
  /// It stays open while it has no recipients, or `isFinal` is false and one of them lacks a key.
  /// - Throws: that keys cannot be looked up; that does not make it clear text.
  func decideIfPossible(
    _ start: inout ComposeStart,
    isFinal: Bool
  ) throws(Explanation) {
    guard var wanted = start.openProtection else { return }
    if start.draft.hasRecipients {
      wanted.encrypts = true
      guard let missing = try missing(start.draft, wanted) else {
        (start.draft.protection, start.openProtection) = (wanted, nil)
        context.console.writeNote("encrypted: all recipients have a certified key")
        return
      }
      guard isFinal else { return }
      context.console.writeNote("not encrypted: \(missing)")
    }
    guard isFinal, let plain = start.openProtection else { return }
    start.openProtection = nil
    if start.draft.protection != nil || plain.signs { start.draft.protection = plain }
  }

  /// Why a draft is not encrypted only with certified keys; nil where it can be.
  ///
  /// - Throws: that keys cannot be looked up.
  private func missing(
    _ draft: Draft,
    _ protection: DraftProtection
  ) throws(Explanation) -> String? {
    do throws(Explanation) {
      _ = try dispatch.recipients(of: draft)
    } catch {
      // What is no whole address has no key.
      return error.what
    }
    let keys = try dispatch.keys(of: draft, protection, protector)
    guard !keys.areCertified else { return nil }
    if let problem = keys.problems.first { return problem }
    let address = keys.uncertified.first.map { Printable.text($0.address, limit: 254) }
    return address.map { "nothing certifies the key of \($0)" } ?? "a Bcc would be seen"
  }

  /// Refuses a draft that has to do with an encrypted message and is not encrypted.
  ///
  /// Where that was allowed when it began, it has nothing to do with it any longer.
  func checkConcern(_ draft: Draft) throws(Explanation) {
    guard !draft.concernsEncrypted || draft.isEncrypted else { throw ComposeTask.concernsEncrypted }
  }

  /// How a completed draft is written, with all that is to be asked before; nil for one without protection.
  ///
  /// - Throws: that keys are missing, or that a person did not agree: then nothing is sent.
  func writing(_ start: inout ComposeStart) throws(Explanation) -> ProtectedWriting? {
    try decideIfPossible(&start, isFinal: true)
    let draft = start.draft
    try checkConcern(draft)
    guard let protection = draft.protection, !protection.isEmpty else { return nil }
    let keys = try dispatch.keys(of: draft, protection, protector)
    let plan = try keys.plan()
    if let words = KeyWords.otherSigner(keys), let key = keys.signer?.key {
      context.console.writeNote("signed with the \(KeyWords.text(key)), \(words)")
    }
    for recipient in keys.uncertified { try confirm(recipient) }
    if let hidden = plan.encryption?.hidden.count, hidden > 0 {
      context.console.writeNote("recipients can see that \(hidden) more got it, but not who")
    }
    return ProtectedWriting(plan, protector) { [context] names in
      for name in names {
        context.console.writeNote(
          "attached as a file, since it cannot be signed as a message: \(Printable.text(name))"
        )
      }
    }
  }

  /// How a completed draft is kept that is to be encrypted: encrypted to oneself.
  ///
  /// - Throws: that there is no key of one's own.
  func keeping(_ draft: Draft) throws(Explanation) -> ProtectedWriting {
    let keys = try protector.keys(
      DraftProtection(encrypts: true),
      sender: draft.from?.address ?? [],
      recipients: []
    )
    return ProtectedWriting(try keys.planForKeeping(), protector)
  }

  /// Asks whether a key that nothing certifies is used, as far as the account leaves that open.
  private func confirm(_ recipient: MessageKeys.Recipient) throws(Explanation) {
    guard let key = recipient.choice.key else { return }
    let address = Printable.text(recipient.address, limit: 254)
    let words = "the \(KeyWords.text(key)) of \(address) is not certified"
    switch protector.settings.uncertified {
    case .use: return
    case .refuse: throw refusal(words)
    case .ask:
      guard ComposeTask.isAtTerminal, !context.globals.json else { throw refusal(words) }
      let isAgreed = context.console.confirm("\(words); encrypt to it all the same?")
      guard isAgreed else { throw refusal(words) }
    }
  }

  private func refusal(_ words: String) -> Explanation {
    Explanation(
      .refused,
      words,
      hint: "compare its fingerprint with its owner, then gpg --quick-sign-key certifies it"
    )
  }
}
