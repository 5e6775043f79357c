package import Octets

/// What one run of gpg or gpgsm is for.
package enum ToolRequest: Sendable {
  /// Checks a signature that lies beside what it signs.
  case checkDetached(ProtectionMethod, signed: [UInt8], signature: [UInt8])
  /// Checks a signature of S/MIME around what it signs, which comes out.
  case checkOpaque([UInt8])
  /// Decrypts, or opens what is signed in one piece with OpenPGP; a person may be asked for a passphrase where `decrypts`.
  case open(ProtectionMethod, ArraySlice<UInt8>, decrypts: Bool)
  /// Lists the user ids of a key.
  case listOwner(ProtectionMethod, KeyNumber)
  /// Lists keys to choose from, with their user ids.
  case listKeys(ProtectionMethod, KeyPattern, areSecret: Bool)
  /// Signs octets; the signature comes out alone.
  case sign(ProtectionMethod, any OctetSource, by: KeyNumber)
  /// Encrypts octets, with OpenPGP signed within where a signer is named.
  case encrypt(
    ProtectionMethod,
    any OctetSource,
    to: [KeyNumber],
    hidden: [KeyNumber],
    by: KeyNumber?
  )
  /// Asks the server of an address's domain for the OpenPGP key, and imports it (Web Key Directory): the only request that asks a
  /// server.
  case fetchKey(ArgumentAddress)
  /// Gives a public key of OpenPGP in armour.
  case exportKey(KeyNumber)

  /// Which program it is for.
  package var method: ProtectionMethod {
    switch self {
    case .checkDetached(let method, _, _), .open(let method, _, _), .listOwner(let method, _),
      .listKeys(let method, _, _), .sign(let method, _, _), .encrypt(let method, _, _, _, _):
      method
    case .checkOpaque: .sMIME
    case .fetchKey, .exportKey: .openPGP
    }
  }
}

/// What a run gave.
package enum ToolAnswer: Sendable {
  /// The program ended by itself: its exit status, its lines for programs, its output, which is in memory unless it was
  /// encrypted.
  case ended(Int32, status: [UInt8], output: any OctetSource)
  /// It was ended, crashed, or wrote too much: nothing of what it wrote counts.
  case broken
  /// What it wrote could not be put aside, by these words of the system: nothing of it counts.
  case notStored(String)
  /// There is no such program.
  case noProgram
  /// The user has no keys, so that it was not started.
  case noKeys
  /// So many messages, or parts of this one, were checked in this run that it was not started.
  case tooMany
}

/// How far protection is looked into.
package struct ProtectionWishes: Sendable, Hashable {
  package var verifies: Bool
  package var decrypts: Bool
  /// The one encrypted part that is to be decrypted beside the envelope, which then is left alone; nil for none.
  package var onlyPart: [Int]?
  /// Whether the programs can ask for a passphrase.
  package var canAsk = true
  /// The time, in seconds since 1970, that dates of signatures are compared with; nil where they are not.
  package var now: Int64?

  package init(verifies: Bool, decrypts: Bool, onlyPart: [Int]? = nil, now: Int64? = nil) {
    self.verifies = verifies
    self.decrypts = decrypts
    self.onlyPart = onlyPart
    self.now = now
  }
}
