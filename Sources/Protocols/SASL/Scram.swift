internal import Octets

/// The SCRAM mechanisms: both sides prove that they know the password (RFC 5802, RFC 7677), with channel binding also that
/// no third party stands between them.
package struct Scram: Mechanism {
  /// The numbers of iterations a server may ask for: RFC 7677 §4 gives the least, our patience
  /// (about a second) the greatest.
  package static let iterationLimits: ClosedRange<UInt64> = 4096...1_000_000

  /// What a server says of the connection and not of the secret.
  private static let connectionErrors = [
    [UInt8](ascii: "channel-bindings-dont-match"),
    [UInt8](ascii: "server-does-support-channel-binding"),
    [UInt8](ascii: "channel-binding-not-supported"),
    [UInt8](ascii: "unsupported-channel-binding-type"),
  ]

  package private(set) var serverError: [UInt8]?

  private enum State: Sendable {
    case start
    case sentFirst
    case sentProof(serverSignature: [UInt8])
    case verified
    /// The server said something else than what was to come.
    case failed
    /// It judged the proof, or says so.
    case judged
  }

  private let user: [UInt8]
  private let password: [UInt8]
  private let nonce: [UInt8]
  private let hash: ScramHash
  private let binding: ScramBinding
  private let functions: HashFunctions
  private var state = State.start

  /// An exchange with a password.
  ///
  /// - Parameters:
  ///   - user: no NUL; prepared by ``SASLprep``.
  ///   - password: the same.
  ///   - nonce: at least 16 random octets, new for each exchange; sent in base64.
  ///   - hash: the hash function.
  ///   - binding: what is said about channel binding; makes the `-PLUS` in the name.
  ///   - cryptography: the hash functions of a library.
  package init(
    user: [UInt8],
    password: [UInt8],
    nonce: [UInt8],
    hash: ScramHash,
    binding: ScramBinding = .none,
    cryptography: Cryptography
  ) {
    // What may not be used is tried as it is: the server may have taken it so.
    self.user = SASLprep.prepare(user) ?? user
    self.password = SASLprep.prepare(password) ?? password
    self.nonce = Base64.encode(nonce)
    self.hash = hash
    self.binding = binding
    functions = hash.functions(cryptography)
  }

  package var name: [UInt8] { hash.name + (binding.isPlus ? [UInt8](ascii: "-PLUS") : []) }

  /// Up to the proof.
  package var mayHaveWrongBinding: Bool {
    guard binding.isPlus else { return false }
    return switch state {
    case .start, .sentFirst, .failed: true
    case .sentProof, .verified, .judged: false
    }
  }

  package var isServerVerified: Bool {
    if case .verified = state { true } else { false }
  }

  package mutating func initialResponse() -> [UInt8]? {
    state = .sentFirst
    return binding.header + firstMessage
  }

  package mutating func respond(to challenge: [UInt8]) throws(SASLError) -> [UInt8] {
    switch state {
    case .start where challenge.isEmpty:
      state = .sentFirst
      return binding.header + firstMessage
    case .sentFirst:
      state = .failed
      return try prove(challenge)
    case .sentProof(let signature):
      state = .judged
      try verify(challenge, signature)
      // The server refuses the secret in its own words next.
      if serverError == nil { state = .verified }
      return []
    case .start, .verified, .failed, .judged:
      state = .judged
      throw .unexpectedChallenge(mechanism: name)
    }
  }

  /// The client-first-message-bare.
  private var firstMessage: [UInt8] {
    [UInt8](ascii: "n=") + GS2.escape(user) + [UInt8](ascii: ",r=") + nonce
  }

  /// Answers the server-first-message with the client-final-message.
  private mutating func prove(_ challenge: [UInt8]) throws(SASLError) -> [UInt8] {
    let first = try ScramServerFirst(challenge, mechanism: name)
    guard first.nonce.starts(with: nonce), first.nonce.count > nonce.count else {
      throw .nonceMismatch
    }
    guard Self.iterationLimits.contains(first.iterations) else {
      throw .iterationCount(first.iterations)
    }
    let bare =
      [UInt8](ascii: "c=") + Base64.encode(binding.input) + [UInt8](ascii: ",r=") + first.nonce
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
    let salted = functions.pbkdf2(password, first.salt, Int(first.iterations))
    let clientKey = functions.hmac(salted, [UInt8](ascii: "Client Key"))
    let serverKey = functions.hmac(salted, [UInt8](ascii: "Server Key"))
    let clientSignature = functions.hmac(functions.digest(clientKey), authMessage)
    let proof = zip(clientKey, clientSignature).map { $0 ^ $1 }
    return (proof, functions.hmac(serverKey, authMessage))
  }

  /// Checks the server-final-message.
  private mutating func verify(_ challenge: [UInt8], _ signature: [UInt8]) throws(SASLError) {
    let attributes = ScramAttributes(challenge)
    if let error = attributes.value("e") {
      guard !Self.connectionErrors.contains(Array(error)) else {
        throw .refused(mechanism: name, detail: Array(error))
      }
      return serverError = Array(error)
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

/// The server-first-message of SCRAM: `r=nonce,s=salt,i=iterations` (RFC 5802 §7).
struct ScramServerFirst {
  let nonce: [UInt8]
  let salt: [UInt8]
  let iterations: UInt64

  /// Takes the message apart.
  init(_ message: [UInt8], mechanism: [UInt8]) throws(SASLError) {
    func malformed(_ part: String) -> SASLError {
      .malformedChallenge(mechanism: mechanism, part: part)
    }
    let attributes = ScramAttributes(message)
    if let error = attributes.value("e") {
      throw .refused(mechanism: mechanism, detail: Array(error))
    }
    // A mandatory extension that we do not know forbids going on (RFC 5802 §5.1).
    guard attributes.value("m") == nil else { throw malformed("mandatory extension") }
    guard let nonce = attributes.value("r") else { throw malformed("nonce") }
    guard let text = attributes.value("s"), let salt = Base64.decode(text), !salt.isEmpty else {
      throw malformed("salt")
    }
    guard let count = attributes.value("i"), let iterations = Self.decimal(count) else {
      throw malformed("iteration count")
    }
    self.nonce = Array(nonce)
    self.salt = salt
    self.iterations = iterations
  }

  private static func decimal(_ text: ArraySlice<UInt8>) -> UInt64? {
    var cursor = Cursor(text)
    guard let number = cursor.decimal(), cursor.isAtEnd else { return nil }
    return number
  }
}

/// The `a=value` list that SCRAM messages are made of (RFC 5802 §5).
struct ScramAttributes {
  private let attributes: [ArraySlice<UInt8>]

  init(_ message: [UInt8]) {
    attributes = message.split(separator: ASCII.comma, omittingEmptySubsequences: false)
  }

  /// The value of the attribute with this one-letter name; `nil` when it is not there.
  func value(_ name: StaticString) -> ArraySlice<UInt8>? {
    let start = [UInt8](ascii: name) + [ASCII.equals]
    return attributes.first { $0.starts(with: start) }?.dropFirst(start.count)
  }
}

/// The hash function of a SCRAM mechanism.
package enum ScramHash: Hashable, Sendable {
  /// SHA-1 (RFC 5802).
  case sha1
  /// SHA-256 (RFC 7677).
  case sha256

  var name: [UInt8] {
    switch self {
    case .sha1: [UInt8](ascii: "SCRAM-SHA-1")
    case .sha256: [UInt8](ascii: "SCRAM-SHA-256")
    }
  }

  func functions(_ cryptography: Cryptography) -> HashFunctions {
    switch self {
    case .sha1: cryptography.sha1
    case .sha256: cryptography.sha256
    }
  }
}
