package import Octets

/// How a message is protected: decided before it is written, and never changed on the way.
package struct ProtectionPlan: Sendable, Hashable {
  /// To whom it is encrypted.
  package struct Encryption: Sendable, Hashable {
    /// The keys of all recipients that may be seen, and one's own.
    package var recipients: [ListedKey]
    /// The keys of recipients in Bcc: only their number can be seen.
    package var hidden: [ListedKey]

    package init(recipients: [ListedKey], hidden: [ListedKey] = []) {
      (self.recipients, self.hidden) = (recipients, hidden)
    }

    /// The same with each key once, as one that may be seen where it is among both: programs write it once, too.
    fileprivate var withoutCopies: Encryption {
      var seen: Set<KeyNumber> = []
      let isNew = { (key: ListedKey) in seen.insert(key.fingerprint).inserted }
      let first = recipients.filter(isNew)
      return Encryption(recipients: first, hidden: hidden.filter(isNew))
    }
  }

  /// What the message is written for.
  package enum Purpose: Sendable, Hashable {
    /// It is sent: fields for the way stand outside too, Subject there as `[...]`, and Bcc there alone.
    case sending
    /// It is kept, encrypted to oneself: outside are only From, Date, Message-ID, `Subject: [...]` and X-Magnum-Protect.
    case keeping
  }

  /// The field that says of a draft how it is to be protected; of one that is kept encrypted, outside as within.
  package static let draftField: StaticString = "X-Magnum-Protect"

  package let method: ProtectionMethod
  /// One's own key that signs; nil where the message is not signed.
  package let signer: ListedKey?
  /// Nil where the message is not encrypted.
  package let encryption: Encryption?
  package let purpose: Purpose

  /// Nil for one that protects nothing, has no recipients, or has keys of another method.
  package init?(
    _ method: ProtectionMethod,
    signer: ListedKey?,
    encryption: Encryption?,
    for purpose: Purpose = .sending
  ) {
    let recipients = encryption.map { $0.recipients + $0.hidden }
    let keys = (signer.map { [$0] } ?? []) + (recipients ?? [])
    guard recipients?.isEmpty != true, !keys.isEmpty, keys.allSatisfy({ $0.method == method })
    else { return nil }
    (self.method, self.signer) = (method, signer)
    self.encryption = encryption?.withoutCopies
    self.purpose = purpose
  }
}

/// A message in its protected form.
package struct WrittenMessage: Sendable {
  /// Its octets, with LF as line ends, 7 bits each: from now on nothing may change them, and no file that was attached does.
  package let octets: any OctetSource
  /// The names of attached messages that became files of octets, since they would have needed 8 bits; empty for one without name.
  package let madeFiles: [[UInt8]]

  package init(octets: any OctetSource, madeFiles: [[UInt8]]) {
    (self.octets, self.madeFiles) = (octets, madeFiles)
  }
}
