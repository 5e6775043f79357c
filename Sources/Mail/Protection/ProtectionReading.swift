package import MIME
internal import Octets

/// A signed part, and what was found out about its signatures.
package struct SignatureFinding: Sendable {
  /// Why nothing was found out.
  package enum Reason: Sendable, Hashable {
    /// It was not asked for.
    case notAsked
    case noProgram
    /// So many messages, or parts of this one, were checked in this run that the rest is left.
    case limit
    /// A text of OpenPGP has something beside it.
    case mixed
    /// It is only on the server.
    case notHere
    /// The program found no signature.
    case none
  }

  package let part: ProtectedPart
  /// The signatures; at least one.
  package internal(set) var statuses: [SignatureStatus]
  /// Why they are unchecked; nil for others.
  package internal(set) var reason: Reason?
  /// Whether it was found within the encryption of the part.
  package let isWithinEncryption: Bool
  /// Whether it signs what is encrypted only, so that anybody can have made it.
  package internal(set) var signsCiphertext = false
  /// The parts that it signs, by their sections.
  package internal(set) var covered: Set<Section> = []

  init(
    _ part: ProtectedPart,
    _ statuses: [SignatureStatus],
    reason: Reason? = nil,
    isWithinEncryption: Bool = false
  ) {
    self.part = part
    self.statuses = statuses
    self.reason = reason
    self.isWithinEncryption = isWithinEncryption
  }

  init(_ part: ProtectedPart, unchecked reason: Reason) {
    self.init(part, [SignatureStatus(.unchecked)], reason: reason)
  }

  /// Whether it protects the message as a whole.
  package var protectsMessage: Bool { part.isInEnvelope && part.nesting == 0 && !signsCiphertext }

  /// The one of several that counts: one that is bad; else the best one of the author; else the best one.
  package static func decisive(of statuses: [SignatureStatus]) -> SignatureStatus? {
    if let bad = statuses.first(where: { $0.verdict == .bad }) { return bad }
    let ofAuthor = statuses.filter { $0.sender == .matches || $0.sender == .claims }
    let candidates = ofAuthor.isEmpty ? statuses : ofAuthor
    return candidates.min { $0.verdict.rank < $1.verdict.rank }
  }
}

/// An encrypted part, and what became of it.
package struct EncryptionFinding: Sendable {
  package let part: ProtectedPart
  package let outcome: DecryptionOutcome
  /// The section of what is encrypted.
  package let section: Section?

  /// Whether what came out may be shown.
  package var isDecrypted: Bool { if case .decrypted = outcome { true } else { false } }
}

/// A message with all that was found out about its protection.
package struct ProtectionReading: Sendable {
  /// The message, with the parts opened that were decrypted or checked.
  package internal(set) var message: Message
  /// The signatures, in the order of their parts.
  package internal(set) var signatures: [SignatureFinding] = []
  package internal(set) var encryptions: [EncryptionFinding] = []
  /// Parts of which nothing is to be shown, by their sections: it is not known what they are.
  package internal(set) var hidden: Set<Section> = []
  /// Parts that others may have changed on the way, by their sections: links in them are left out.
  package internal(set) var unauthenticated: Set<Section> = []
  /// What the header within the protection says; nil where none counts.
  package internal(set) var protectedHeader: ProtectedHeader?

  init(_ message: Message) {
    self.message = message
  }

  /// A message that is not looked into.
  package static func unread(_ message: Message) -> ProtectionReading { ProtectionReading(message) }

  /// Whether there is nothing to say.
  package var isEmpty: Bool { signatures.isEmpty && encryptions.isEmpty }

  /// The signature that counts for the message; nil where none protects it as a whole.
  package var decisive: SignatureStatus? {
    SignatureFinding.decisive(of: signatures.filter(\.protectsMessage).flatMap(\.statuses))
  }

  /// The verdict of the signature that counts; nil where none protects the message as a whole.
  package var verdict: Verdict? { decisive?.verdict }

  /// Whether the author that From names has signed; nil where no signature protects the message, or none was checked.
  package var sender: SenderMatch? { decisive?.sender }

  /// How much of the message is signed; nil for nothing.
  package var coverage: Coverage? {
    if signatures.contains(where: { $0.protectsMessage && $0.reason != .mixed }) { return .all }
    let others = signatures.filter { !$0.signsCiphertext && $0.part.nesting == 0 }
    return others.isEmpty ? nil : .part
  }

  /// Whether the message as a whole was encrypted, and is decrypted.
  package var isDecrypted: Bool {
    encryptions.contains { $0.isDecrypted && $0.part.isInEnvelope && $0.part.nesting == 0 }
  }

  /// The header as it is to be read.
  package var header: Header { protectedHeader?.header ?? message.header }
}
