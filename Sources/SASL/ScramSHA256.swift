internal import Octets

/// The SCRAM-SHA-256 mechanism: both sides prove that they know the password (RFC 5802, RFC 7677).
///
/// Without channel binding (`n,,`). User name and password are used as the octets they are:
/// SASLprep (RFC 4013) would change only names and passwords outside of ASCII, and the servers at
/// large compare octets.
package struct ScramSHA256: Mechanism {
  package static let name = [UInt8](ascii: "SCRAM-SHA-256")

  /// The numbers of iterations a server may ask for: RFC 7677 §4 gives the least, our patience
  /// (about a second) the greatest.
  package static let iterationLimits: ClosedRange<UInt64> = 4096...1_000_000

  /// The GS2 header: no channel binding, no other authorization identity.
  private static let header = [UInt8](ascii: "n,,")

  private enum State: Sendable {
    case start
    case sentFirst
    case sentProof(serverSignature: [UInt8])
    case verified
    case failed
  }

  private let user: [UInt8]
  private let password: [UInt8]
  private let nonce: [UInt8]
  private let cryptography: Cryptography
  private var state = State.start

  /// An exchange with a password.
  ///
  /// - Parameters:
  ///   - user: no NUL.
  ///   - password: no NUL.
  ///   - nonce: at least 16 random octets, new for each exchange; sent in base64.
  ///   - cryptography: the hash functions.
  package init(user: [UInt8], password: [UInt8], nonce: [UInt8], cryptography: Cryptography) {
    self.user = user
    self.password = password
    self.nonce = Base64.encode(nonce)
    self.cryptography = cryptography
  }

  package var name: [UInt8] { Self.name }

  package var isServerVerified: Bool {
    if case .verified = state { true } else { false }
  }

  package mutating func initialResponse() -> [UInt8]? {
    state = .sentFirst
    return Self.header + firstMessage
  }

  package mutating func respond(to challenge: [UInt8]) throws(SASLError) -> [UInt8] {
    switch state {
    case .start where challenge.isEmpty:
      state = .sentFirst
      return Self.header + firstMessage
    case .sentFirst:
      state = .failed
      return try prove(challenge)
    case .sentProof(let signature):
      state = .failed
      try verify(challenge, signature)
      state = .verified
      return []
    case .start, .verified, .failed:
      state = .failed
      throw .unexpectedChallenge(mechanism: name)
    }
  }

  /// The client-first-message-bare.
  private var firstMessage: [UInt8] {
    [UInt8](ascii: "n=") + GS2.escape(user) + [UInt8](ascii: ",r=") + nonce
  }

  /// Answers the server-first-message with the client-final-message.
  private mutating func prove(_ challenge: [UInt8]) throws(SASLError) -> [UInt8] {
    let first = try ScramServerFirst(challenge)
    guard first.nonce.starts(with: nonce), first.nonce.count > nonce.count else {
      throw .nonceMismatch
    }
    guard Self.iterationLimits.contains(first.iterations) else {
      throw .iterationCount(first.iterations)
    }
    let bare =
      [UInt8](ascii: "c=") + Base64.encode(Self.header) + [UInt8](ascii: ",r=") + first.nonce
    let comma = [ASCII.comma]
    let (proof, signature) = keys(
      first,
      authMessage: firstMessage + comma + challenge + comma + bare
    )
    state = .sentProof(serverSignature: signature)
    return bare + [UInt8](ascii: ",p=") + Base64.encode(proof)
  }

  /// ClientProof and ServerSignature of RFC 5802 §3.
  private func keys(
    _ first: ScramServerFirst,
    authMessage: [UInt8]
  ) -> (proof: [UInt8], serverSignature: [UInt8]) {
    let salted = cryptography.pbkdf2SHA256(password, first.salt, Int(first.iterations))
    let clientKey = cryptography.hmacSHA256(salted, [UInt8](ascii: "Client Key"))
    let serverKey = cryptography.hmacSHA256(salted, [UInt8](ascii: "Server Key"))
    let clientSignature = cryptography.hmacSHA256(cryptography.sha256(clientKey), authMessage)
    let proof = zip(clientKey, clientSignature).map { $0 ^ $1 }
    return (proof, cryptography.hmacSHA256(serverKey, authMessage))
  }

  /// Checks the server-final-message.
  private func verify(_ challenge: [UInt8], _ signature: [UInt8]) throws(SASLError) {
    let attributes = ScramAttributes(challenge)
    if let error = attributes.value("e") {
      throw .refused(mechanism: name, detail: Array(error))
    }
    guard let text = attributes.value("v"), let given = Base64.decode(text) else {
      throw .malformedChallenge(mechanism: name, part: "server signature")
    }
    guard Self.areEqual(given, signature) else { throw .wrongServerSignature }
  }

  /// Compares in a time that does not tell where the first difference is.
  private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
