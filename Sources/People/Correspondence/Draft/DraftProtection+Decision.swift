package import Configuration

extension DraftProtection {
  /// All that says how a draft is to be protected.
  package struct Wishes: Hashable, Sendable {
    /// What options say; nil where they say nothing.
    package var signs: Bool?
    package var encrypts: Bool?
    /// What the draft itself says; nil where it says nothing.
    package var draft: DraftProtection?
    /// Whether it was to be encrypted if possible before another account was chosen.
    package var staysOpen = false
    /// What the account says.
    package var settings: ProtectionSettings
    /// Whether it answers or passes on an encrypted message, and so may be read by none but its recipients.
    package var concernsEncrypted = false
    /// Whether it was begun before, so that it may hold the text of that message.
    package var mayHoldText = false
    /// Whether that text may go as clear text.
    package var allowsText = false

    package init(_ settings: ProtectionSettings) {
      self.settings = settings
    }
  }

  /// What is done with a draft.
  package enum Decision: Hashable, Sendable {
    /// This; nil where nothing was said, and neither is done.
    case decided(DraftProtection?)
    /// This, and it is encrypted besides if all recipients have a certified key.
    case ifPossible(DraftProtection)
    /// It concerns an encrypted message, and is not to be encrypted, which no option has allowed; with what it may go.
    case refused(instead: DraftProtection)
  }

  /// What wishes come to: options count more than the draft, and that more than the account.
  package static func decide(_ wishes: Wishes) -> Decision {
    let settings = wishes.settings
    let signs = wishes.signs ?? wishes.draft?.signs ?? settings.signs
    let usual = wishes.concernsEncrypted && settings.encryption != .never
    let said = wishes.encrypts ?? wishes.draft.flatMap { $0.isOpen ? nil : $0.encrypts }
    let encrypts = said ?? usual
    let result = DraftProtection(signs: signs, encrypts: encrypts)
    let isAllowed = wishes.encrypts != nil && (!wishes.mayHoldText || wishes.allowsText)
    if wishes.concernsEncrypted, !encrypts, !isAllowed {
      return .refused(instead: DraftProtection(signs: signs, encrypts: true))
    }
    let isOpen =
      wishes.draft?.isOpen ?? false || wishes.staysOpen || settings.encryption == .ifPossible
    if isOpen, !encrypts, said == nil { return .ifPossible(result) }
    let isPlain = wishes.draft == nil && wishes.signs == nil && wishes.encrypts == nil
    return .decided(result.isEmpty && isPlain && !settings.signs ? nil : result)
  }
}
