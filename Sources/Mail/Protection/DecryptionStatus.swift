internal import Octets

/// What became of an encrypted part.
package enum DecryptionOutcome: Sendable, Hashable {
  /// Decrypted; whether a change on the way would have been noticed.
  case decrypted(isAuthenticated: Bool)
  case failed(Reason)

  /// Why a part was not decrypted.
  package enum Reason: Sendable, Hashable {
    /// Decryption was not asked for.
    case notAsked
    /// Only what protects the message as a whole is decrypted.
    case elsewhere
    /// It lies in what was decrypted.
    case inside
    /// It is an armoured message in a text with something beside it.
    case mixed
    /// It is a passphrase that it was encrypted with, not a key.
    case symmetric
    case noSecretKey
    case noPassphrase
    /// The program failed without saying why, and could not ask for a passphrase.
    case perhapsNoPassphrase
    /// It is not protected against changes.
    case unprotected
    /// It is not what it says to be.
    case malformed
    case compressed
    /// It is only on the server.
    case notHere
    /// It has more octets than are decrypted.
    case tooLarge
    /// There is no such program.
    case noProgram
    /// The program failed, took too long, wrote too much, or contradicted itself.
    case error
  }
}

/// What the lines of a run tell of a decryption.
enum DecryptionLines {
  /// What came of it; the signatures within may be why the program did not end with success.
  static func outcome(
    openPGP lines: [StatusLine],
    isSuccess: Bool,
    _ signatures: [SignatureStatus]
  ) -> DecryptionOutcome {
    if lines.contains(where: { $0.is("NEED_PASSPHRASE_SYM") }) { return .failed(.symmetric) }
    if let reason = reason(lines) { return .failed(reason) }
    let places = { (name: StaticString) in lines.indices.filter { lines[$0].is(name) } }
    guard let begin = only(places("BEGIN_DECRYPTION")), let info = only(places("DECRYPTION_INFO")),
      let text = only(places("PLAINTEXT")), let okay = only(places("DECRYPTION_OKAY")),
      begin < info, info < text, text < okay, !places("GOODMDC").isEmpty
    else { return .failed(.error) }
    // DECRYPTION_INFO method cipher [AEAD].
    let isProtected = lines[info].number(0) ?? 0 > 0 || lines[info].number(2) ?? 0 > 0
    guard isProtected else { return .failed(.unprotected) }
    guard isSuccess || signatures.contains(where: { !$0.verdict.isIntact }) else {
      return .failed(.error)
    }
    return .decrypted(isAuthenticated: true)
  }

  /// The same of S/MIME, which says no more than that it is done.
  static func outcome(
    sMIME lines: [StatusLine],
    isSuccess: Bool,
    isAuthenticated: Bool,
    canAsk: Bool
  ) -> DecryptionOutcome {
    if !canAsk, isUnexplained(lines) { return .failed(.perhapsNoPassphrase) }
    if let reason = reason(lines) { return .failed(reason) }
    guard isSuccess, lines.count(where: { $0.is("DECRYPTION_OKAY") }) == 1 else {
      return .failed(.error)
    }
    return .decrypted(isAuthenticated: isAuthenticated)
  }

  /// Whether gpgsm found a certificate that it is encrypted to, and failed without a word, as it does without a passphrase.
  private static func isUnexplained(_ lines: [StatusLine]) -> Bool {
    let names: [StaticString] = ["ENC_TO", "DECRYPTION_FAILED"]
    return names.allSatisfy { name in lines.contains { $0.is(name) } }
      && lines.allSatisfy { line in names.contains { line.is($0) } }
  }

  private static func only(_ places: [Int]) -> Int? { places.count == 1 ? places[0] : nil }

  /// Why it failed; nil where no line says that it did.
  private static func reason(_ lines: [StatusLine]) -> DecryptionOutcome.Reason? {
    let hasFailed = lines.contains { $0.is("DECRYPTION_FAILED") || $0.is("BADMDC") }
    guard hasFailed || !lines.contains(where: { $0.is("DECRYPTION_OKAY") }) else { return nil }
    if lines.contains(where: \.isCancellation) { return .noPassphrase }
    if lines.contains(where: { $0.is("NO_SECKEY") }) { return .noSecretKey }
    // Text came out, and nothing protected it.
    let isWithoutCode = lines.contains { line in
      line.is("DECRYPTION_INFO") && line.number(0) == 0 && line.number(2) ?? 0 == 0
    }
    return isWithoutCode ? .unprotected : .error
  }
}
