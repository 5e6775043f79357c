internal import Octets

/// One signature, as the status lines of gpg or gpgsm tell of it.
package struct SignatureStatus: Sendable, Hashable {
  /// What is to be thought of it.
  package fileprivate(set) var verdict: Verdict
  /// Why it is `unverified`; nil for other verdicts.
  package fileprivate(set) var weakness: Weakness?
  /// The key that made it; nil where that is not told.
  package fileprivate(set) var key: KeyNumber?
  /// The key that the user ids belong to, where it is known whole.
  package fileprivate(set) var owner: KeyNumber?
  /// When it was made, in seconds since 1970.
  package fileprivate(set) var created: Int64?
  /// When it expires, the same; nil for never.
  package fileprivate(set) var expires: Int64?
  /// What the key has to do with the author that From outside names; nil where that was not looked up.
  package internal(set) var owned: KeyOwner.Match?
  /// Whether From within the protection names another author than From outside.
  package internal(set) var isContradicted = false

  /// Whether the author has signed; nil where that was not looked up.
  package var sender: SenderMatch? {
    owned.map { isContradicted ? .differs : $0.sender }
  }

  /// One of which nothing is known but its verdict.
  package init(_ verdict: Verdict) {
    self.verdict = verdict
  }

  /// The same, doubted if it was made more than a day in the future: with such a date, its maker chooses what it outlives.
  func checked(at now: Int64?) -> SignatureStatus {
    guard verdict == .good, let created, let now, created > now + 86_400 else { return self }
    var status = self
    (status.verdict, status.weakness) = (.unverified, .future)
    return status
  }

  /// Takes back the verdict: something else that the program did speaks against it.
  mutating func distrust() {
    self = SignatureStatus(.error)
  }
}

/// The signatures that the lines of one run tell of.
struct SignatureLines {
  /// The lines between which signatures count.
  enum Scope {
    /// A signature of its own beside what it signs: a text of its own speaks against it.
    case detached
    /// A signature around a text, which is the only one, and begins before it.
    case around
    /// Of S/MIME: no line tells of the text.
    case cms
    /// Within an encryption.
    case decrypted
  }

  /// The signatures in their order; empty where no line tells of one.
  ///
  /// Where the lines contradict each other, there is one, with the verdict `error`.
  static func statuses(_ lines: [StatusLine], _ scope: Scope) -> [SignatureStatus] {
    let starts = lines.indices.filter { lines[$0].is("NEWSIG") }
    let first = starts.first ?? lines.endIndex
    guard !lines[..<first].contains(where: isVerdict), isInScope(lines, starts, scope) else {
      return [SignatureStatus(.error)]
    }
    return starts.enumerated().map { number, start in
      let end = number + 1 < starts.count ? starts[number + 1] : lines.endIndex
      return status(lines[start..<end])
    }
  }

  private static func isInScope(_ lines: [StatusLine], _ starts: [Int], _ scope: Scope) -> Bool {
    let texts = lines.indices.filter { lines[$0].is("PLAINTEXT") }
    switch scope {
    case .detached: return texts.isEmpty
    case .cms: return true
    case .around:
      guard let start = starts.first else { return true }
      return texts.count == 1 && texts[0] < start
    case .decrypted:
      guard let last = lines.lastIndex(where: isPartOfSignature) else { return true }
      let begin = lines.firstIndex { $0.is("BEGIN_DECRYPTION") } ?? lines.endIndex
      let end = lines.firstIndex { $0.is("END_DECRYPTION") } ?? begin
      return begin < starts.first ?? lines.startIndex && last < end
    }
  }

  private static let verdicts: [StaticString] = [
    "GOODSIG", "EXPSIG", "EXPKEYSIG", "REVKEYSIG", "BADSIG", "ERRSIG",
  ]

  private static func isVerdict(_ line: StatusLine) -> Bool {
    verdicts.contains { line.is($0) }
  }

  private static func isPartOfSignature(_ line: StatusLine) -> Bool {
    line.is("NEWSIG") || line.is("VALIDSIG") || isVerdict(line)
  }

  /// What the lines of one signature mean.
  private static func status(_ lines: ArraySlice<StatusLine>) -> SignatureStatus {
    let results = lines.filter(isVerdict)
    guard results.count < 2 else { return SignatureStatus(.error) }
    guard let result = results.first else {
      // gpgsm says so by the number of the error alone (GPG_ERR_NO_PUBKEY).
      let isWithoutKey = lines.contains {
        $0.is("NO_PUBKEY") || $0.is("ERROR") && $0.number(1).map { $0 & 0xFFFF } == 9
      }
      return SignatureStatus(isWithoutKey ? .noKey : .error)
    }
    var status = SignatureStatus(.error)
    status.key = result.word(0).flatMap { KeyNumber($0) }
    if result.is("ERRSIG") {
      status.verdict = verdict(ofError: result, lines)
      return status
    }
    if result.is("BADSIG") {
      status.verdict = .bad
      return status
    }
    guard lines.contains(where: { $0.is("VALIDSIG") }) || !result.is("GOODSIG") else {
      return SignatureStatus(.error)
    }
    guard lines.contains(where: { $0.is("VALIDSIG") }) else {
      status.verdict = verdict(ofPast: result) ?? .error
      return status
    }
    guard let valid = ValidLine(lines), let key = status.key, key.isEnd(of: valid.key) else {
      return SignatureStatus(.error)
    }
    status.key = valid.key
    status.owner = valid.owner
    (status.created, status.expires) = (valid.created, valid.expires)
    (status.verdict, status.weakness) = verdict(of: result, valid, lines)
    return status.verdict == .error ? SignatureStatus(.error) : status
  }

  private static func verdict(ofError line: StatusLine, _ lines: ArraySlice<StatusLine>) -> Verdict
  {
    // ERRSIG key algorithm hash class time reason.
    switch line.number(5) {
    case 9: .noKey
    case 4: .unsupported
    default: lines.contains { $0.is("NO_PUBKEY") } ? .noKey : .error
    }
  }

  /// The verdict of a signature that was good once; nil for another.
  private static func verdict(ofPast result: StatusLine) -> Verdict? {
    if result.is("EXPSIG") { return .expired }
    if result.is("EXPKEYSIG") { return .keyExpired }
    return result.is("REVKEYSIG") ? .keyRevoked : nil
  }

  private static func verdict(
    of result: StatusLine,
    _ valid: ValidLine,
    _ lines: ArraySlice<StatusLine>
  ) -> (Verdict, Weakness?) {
    if let past = verdict(ofPast: result) { return (past, nil) }
    let trust = lines.filter { $0.keyword.starts(with: [UInt8](ascii: "TRUST_")) }
    guard trust.count < 2 else { return (.error, nil) }
    if trust.contains(where: { $0.is("TRUST_NEVER") }) { return (.distrusted, nil) }
    if valid.hasWeakDigest { return (.unverified, .digest) }
    let isCertified = trust.contains { $0.is("TRUST_FULLY") || $0.is("TRUST_ULTIMATE") }
    return isCertified ? (.good, nil) : (.unverified, .uncertified)
  }
}

/// What VALIDSIG tells: fingerprint, date, time, time of expiry, version, reserved, algorithm, hash, class, and of OpenPGP the
/// fingerprint of the primary key.
private struct ValidLine {
  let key: KeyNumber
  let owner: KeyNumber
  let created: Int64?
  let expires: Int64?
  let hasWeakDigest: Bool

  /// Nil where there is not exactly one such line, or it is not about a text.
  init?(_ lines: ArraySlice<StatusLine>) {
    let found = lines.filter { $0.is("VALIDSIG") }
    guard found.count == 1, let line = found.first,
      let key = line.word(0).flatMap({ KeyNumber($0) }), key.isFingerprint,
      let hash = line.number(7), let kind = line.word(8),
      kind.elementsEqual([UInt8](ascii: "00")) || kind.elementsEqual([UInt8](ascii: "01"))
    else { return nil }
    let owner = line.word(9).map { KeyNumber($0) } ?? key
    guard let owner, owner.isFingerprint else { return nil }
    self.key = key
    self.owner = owner
    created = line.word(2).flatMap(ToolTime.seconds)
    expires = line.word(3).flatMap(ToolTime.seconds)
    // 1, 2 and 3 of OpenPGP and of libgcrypt alike.
    hasWeakDigest = (1...3).contains(hash)
  }
}
