internal import Octets

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
