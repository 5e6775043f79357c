internal import MIME
internal import Octets
internal import Protection
internal import Terminal

/// What JSON has of the protection of a message: as notmuch has it, and verdicts beside that.
struct ShownProtection {
  private let reading: ProtectionReading
  private let decoder: CharsetDecoder

  init(_ reading: ProtectionReading, _ decoder: CharsetDecoder) {
    self.reading = reading
    self.decoder = decoder
  }

  // MARK: The message

  /// The member `crypto`.
  var message: JSONLine {
    var line = JSONLine()
    let signatures = reading.signatures.filter { $0.protectsMessage && Self.isChecked($0) }
    if !signatures.isEmpty {
      var signed = JSONLine()
      signed.add("status", signatures.flatMap { $0.statuses.map(Self.status) })
      let names = reading.protectedHeader?.names ?? []
      if !names.isEmpty, reading.verdict?.isIntact == true { signed.add("headers", octets: names) }
      if signatures.contains(where: \.isWithinEncryption) { signed.add("encrypted", true) }
      line.add("signed", signed)
    }
    if reading.isDecrypted {
      var decrypted = JSONLine()
      decrypted.add("status", "full")
      if let mask = reading.protectedHeader?.maskedSubject {
        var masked = JSONLine()
        if let mask { masked.add("Subject", octets: mask) } else { masked.addNull("Subject") }
        decrypted.add("header-mask", masked)
      }
      line.add("decrypted", decrypted)
    }
    if let verdict = reading.verdict, !signatures.isEmpty { line.add("verdict", verdict.rawValue) }
    if let sender = reading.sender { line.add("from", sender.rawValue) }
    if reading.signatures.contains(where: Self.isChecked), let coverage = reading.coverage {
      line.add("covers", coverage.rawValue)
    }
    if signatures.contains(where: { $0.part.method == .sMIME }) {
      line.add("revocation", "unchecked")
    }
    return line
  }

  // MARK: Parts

  /// Adds what was found out about the part at a path.
  func add(_ path: [Int], to line: inout JSONLine) {
    let encryptions = reading.encryptions.filter { $0.part.path == path }
    if let encryption = encryptions.first, encryption.outcome != .failed(.notAsked) {
      var status = JSONLine()
      status.add("status", encryption.isDecrypted ? "good" : "bad")
      line.add("encstatus", [status])
    }
    let signatures = reading.signatures.filter { $0.part.path == path }
    guard !signatures.isEmpty, !signatures.contains(where: { $0.reason == .notAsked }) else {
      return
    }
    let statuses = signatures.filter { $0.reason == nil }.flatMap(\.statuses)
    line.add("sigstatus", statuses.map(Self.status))
  }

  /// Whether nothing of a part is to be shown.
  func isHidden(_ part: Part) -> Bool { reading.isHidden(part) }

  /// What becomes of links in a part.
  func links(in part: Part) -> PlainText.Links { reading.links(in: part) }

  private static func isChecked(_ finding: SignatureFinding) -> Bool {
    finding.reason != .notAsked && finding.reason != SignatureFinding.Reason.none
  }

  /// A signature: notmuch's members, and the verdict.
  private static func status(_ status: SignatureStatus) -> JSONLine {
    var line = JSONLine()
    line.add("status", word(status.verdict))
    let isNamed = status.verdict.isIntact
    if let key = status.key {
      line.add(isNamed ? "fingerprint" : "keyid", octets: isNamed ? key.digits : key.short)
    }
    if isNamed {
      if let created = status.created { line.add("created", created) }
      if let expires = status.expires { line.add("expires", expires) }
    }
    if status.verdict == .good {
      // Programs print these as the signer: nothing else that the key's owner wrote there counts.
      if let address = status.owned?.certifiedAddress { line.add("email", octets: address) }
      if let userID = status.owned?.userID { line.add("userid", octets: userID) }
    }
    if let error = error(status.verdict) {
      var errors = JSONLine()
      errors.add(error, true)
      line.add("errors", errors)
    }
    line.add("verdict", status.verdict.rawValue)
    if let weakness = status.weakness { line.add("weakness", weakness.rawValue) }
    if let sender = status.sender { line.add("from", sender.rawValue) }
    return line
  }

  private static func word(_ verdict: Verdict) -> String {
    switch verdict {
    case .good, .unverified: "good"
    case .bad: "bad"
    case .unchecked: "unknown"
    case .distrusted, .expired, .keyExpired, .keyRevoked, .noKey, .unsupported, .error: "error"
    }
  }

  /// The member of `errors`.
  private static func error(_ verdict: Verdict) -> String? {
    switch verdict {
    case .good, .unverified, .bad, .unchecked: nil
    case .distrusted: "bad-policy"
    case .expired: "sig-expired"
    case .keyExpired: "key-expired"
    case .keyRevoked: "key-revoked"
    case .noKey: "key-missing"
    case .unsupported: "alg-unsupported"
    case .error: "sys-error"
    }
  }
}
