package import Octets

/// Why a message could not be protected, or a key not be looked for: then nothing is written at all.
package enum WritingFailure: Error, Sendable, Hashable {
  /// What a program was to do.
  package enum Task: Sendable, Hashable {
    case listing
    case signing
    case encryption
    case export
    case fetching
  }

  /// There is no such program.
  case noProgram(ProtectionMethod)
  /// There is no directory of keys.
  case noKeys(ProtectionMethod)
  /// There was no way to ask for the passphrase, or no answer.
  case noPassphrase(ProtectionMethod)
  /// The program failed without a word, and could not ask for a passphrase.
  case perhapsNoPassphrase(ProtectionMethod)
  /// The program refuses one's own key, named by its fingerprint.
  case cannotSign(ProtectionMethod, KeyNumber?, KeyRefusal)
  /// The user's own configuration makes the program sign with another key as well, by the name that stands there; nil as a
  /// refusal where it did.
  case otherSigner(ProtectionMethod, [UInt8], KeyRefusal?)
  /// The program refuses keys of recipients.
  case cannotEncrypt(ProtectionMethod, [RefusedRecipient])
  /// The program failed without saying more than a number of libgpg-error; nil for none.
  case failed(ProtectionMethod, Task, code: UInt64?)
  /// The program crashed, took too long, wrote too much, or contradicted itself.
  case broken(ProtectionMethod, Task)
  /// The signature would rest on a digest that can be forged, by its number: MD5, SHA-1 or RIPEMD-160.
  case weakDigest(ProtectionMethod, UInt64)
  /// The message has more octets than are given to a program.
  case tooLarge(limit: Int)
  /// S/MIME names each recipient, so that Bcc would be seen.
  case namesHiddenRecipients
  /// An attached file cannot be read.
  case unreadable(SourceError)
  /// What a program wrote cannot be put aside, by these words of the system.
  case notStored(String)
}

extension WritingFailure {
  /// What a closure reads of a source.
  static func reading<Value>(
    _ body: () throws(SourceError) -> Value
  ) throws(WritingFailure) -> Value {
    do {
      return try body()
    } catch {
      throw .unreadable(error)
    }
  }
}

extension WritingFailure {
  /// The failure of a program that could not ask a person: gpgsm does not say that it wanted a passphrase.
  package var withoutPerson: WritingFailure {
    guard case .failed(.sMIME, .signing, code: nil) = self else { return self }
    return .perhapsNoPassphrase(.sMIME)
  }
}

/// A recipient's key that a program refuses.
package struct RefusedRecipient: Sendable, Hashable {
  /// The key, if it is one that was asked for.
  package let key: ListedKey?
  package let refusal: KeyRefusal

  package init(_ key: ListedKey?, _ refusal: KeyRefusal) {
    (self.key, self.refusal) = (key, refusal)
  }
}

/// Why a program refuses a key: the reasons of INV_RECP and INV_SGNR (doc/DETAILS of GnuPG).
package enum KeyRefusal: UInt64, Sendable, Hashable, CaseIterable {
  case unspecified = 0
  case notFound, ambiguous, wrongUsage, revoked, expired
  case noRevocationList, oldRevocationList
  case policyMismatch, notSecret, notTrusted, missingCertificate, missingIssuer, disabled, syntax
  case unsupported
}
