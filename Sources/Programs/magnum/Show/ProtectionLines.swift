internal import MailModel
internal import MIME
internal import Octets
internal import Protection

/// What people have to know of the protection of a message, one line each.
///
/// Nothing that a stranger chose stands in a line but an address, which has no blanks and nothing that a terminal obeys.
struct ProtectionLines {
  /// How the lines begin.
  private static let marks: [StaticString] = [
    "[signature", "[encryption", "[sender", "-- not signed",
  ]

  /// A line of a message, or the name of a field: with a blank before it where it begins like one of these.
  static func toldApart(_ line: some Collection<UInt8>) -> [UInt8] {
    let isImitation = marks.contains { line.startsCaseless(with: $0) }
    return (isImitation ? [ASCII.space] : []) + line
  }

  /// A line that is too long for the terminal, which breaks it anywhere, cut before all that looks like the beginning of these.
  static func cut(_ line: [UInt8]) -> [[UInt8]] {
    // Each begins with one of two octets, which few lines have.
    var starts = line.indices.dropFirst().filter { index in
      (line[index] == ASCII.openBracket || line[index] == ASCII.minus)
        && marks.contains { line[index...].startsCaseless(with: $0) }
    }
    starts.append(line.count)
    var start = 0
    return starts.map { end in
      defer { start = end }
      return [UInt8](line[start..<end])
    }
  }

  /// The line before what is not signed, where something else of the message is.
  static let notSigned = "-- not signed --"

  private let reading: ProtectionReading
  /// What a message can be decrypted with.
  private static let command = "magnum show --decrypt true"

  init(_ reading: ProtectionReading) {
    self.reading = reading
  }

  var all: [String] {
    reading.signatures.flatMap { finding in finding.statuses.map { line($0, of: finding) } }
      + reading.encryptions.map(line)
  }

  // MARK: Signatures

  private func line(_ status: SignatureStatus, of finding: SignatureFinding) -> String {
    var words = [Self.verdict(status, of: finding)]
    if finding.part.method == .sMIME, status.key != nil { words.append("revocation not checked") }
    if let day = day(status) { words.append("made on \(day)") }
    if finding.signsCiphertext {
      words.append("it signs only what is encrypted, so anyone can have made it")
    }
    return "[signature\(place(finding.part)): \(words.joined(separator: "; "))]"
  }

  /// Which part a line is about, where it is not the message.
  private func place(_ part: ProtectedPart) -> String {
    if part.isInEnvelope, part.nesting == 0 { return "" }
    let section = reading.message.part(at: part.payload)?.section
    return section.map { " of part \($0)" } ?? " of a part"
  }

  /// The day on which a signature was made, where it is another one than that of the message.
  private func day(_ status: SignatureStatus) -> String? {
    guard let created = status.created, status.verdict != .bad else { return nil }
    let sent = reading.header.date?.seconds
    guard sent.map({ abs($0 - created) > 86_400 }) ?? true else { return nil }
    return CivilDate.split(Int(created)).date.text
  }

  private static func verdict(_ status: SignatureStatus, of finding: SignatureFinding) -> String {
    let key = key(status, finding.part.method)
    switch status.verdict {
    case .good where status.sender == .matches && !finding.signsCiphertext:
      return "signed by \(address(status)), \(key)"
    case .good: return "good, of \(key), \(owner(status))"
    case .unverified where status.weakness == .digest:
      return "of \(key), \(owner(status)), but with a digest that can be forged"
    case .unverified where status.weakness == .future:
      return "of \(key), \(owner(status)), but dated in the future"
    case .unverified: return "of \(key), which is not certified, \(owner(status))"
    case .distrusted: return "of \(key), which is marked as not to be trusted, \(owner(status))"
    case .expired: return "expired, of \(key), \(owner(status))"
    case .keyExpired: return "of \(key), which has expired, \(owner(status))"
    case .keyRevoked: return "of \(key), which was revoked, \(owner(status))"
    case .bad: return "BAD: what was signed has been changed, or is not what it says to be"
    case .noKey: return "not checked: \(key) is not here"
    case .unsupported: return "not checked: its algorithm is not known"
    case .error:
      return "not checked: \(finding.part.method.program) failed, or contradicted itself"
    case .unchecked: return "not checked" + reason(finding)
    }
  }

  private static func key(_ status: SignatureStatus, _ method: ProtectionMethod) -> String {
    guard let key = status.owner ?? status.key else { return "its \(method.keyName)" }
    return "\(method.keyName) \(String(decoding: key.short, as: UTF8.self))"
  }

  private static func address(_ status: SignatureStatus) -> String {
    Printable.text(status.owned?.address ?? [], limit: 254)
  }

  /// Whose key it says to be.
  private static func owner(_ status: SignatureStatus) -> String {
    guard let owned = status.owned else { return "whose owner could not be looked up" }
    let other = status.isContradicted ? ", which is not that of From within" : ""
    return switch owned.sender {
    case .matches: "of \(address(status))\(other)"
    case .claims: "which claims to be \(address(status))\(other)"
    case .differs where owned.address != nil: "of \(address(status)), which is not that of From"
    case .differs: "which is not that of From"
    }
  }

  private static func reason(_ finding: SignatureFinding) -> String {
    let method = finding.part.method
    switch finding.reason {
    case .notAsked?, nil: return "; magnum show --verify true checks it"
    case .noProgram?: return ": there is no \(method.program); install \(method.programPackage)"
    case .limit?: return ": too many were checked before it"
    case .mixed?: return ": there is other text beside what is signed"
    case .notHere?: return ": it is only on the server"
    case .none?: return ": \(method.program) finds none in it"
    }
  }

  // MARK: Encryption

  private func line(_ finding: EncryptionFinding) -> String {
    let method = finding.part.method.rawValue
    let words: String
    switch finding.outcome {
    case .decrypted(isAuthenticated: true): words = "decrypted, \(method)"
    case .decrypted(isAuthenticated: false) where isAuthenticated(finding):
      words = "decrypted, \(method)"
    case .decrypted(isAuthenticated: false):
      words = "decrypted, \(method); confidential: not authenticated"
    case .failed(let reason): words = "not decrypted: " + self.reason(reason, finding)
    }
    return "[encryption\(place(finding.part)): \(words)]"
  }

  /// Whether a signature within shows that it is unchanged.
  private func isAuthenticated(_ finding: EncryptionFinding) -> Bool {
    finding.section.map { !reading.unauthenticated.contains($0) } ?? false
  }

  private func reason(
    _ reason: DecryptionOutcome.Reason,
    _ finding: EncryptionFinding
  ) -> String {
    let method = finding.part.method
    let program = method.program
    switch reason {
    case .notAsked: return "\(Self.command) does it"
    case .elsewhere:
      let part = finding.section.map { "\(Self.command) --part \($0)" } ?? Self.command
      return "it is only a part of the message; \(part) does it alone"
    case .inside: return "it lies in what was decrypted"
    case .mixed: return "there is other text beside what is encrypted"
    case .symmetric: return "it takes a passphrase, not a key; \(program) --decrypt does it"
    case .noSecretKey: return "there is no secret key for it"
    case .noPassphrase: return "the agent has no passphrase; \(Self.command) on a terminal asks"
    case .perhapsNoPassphrase:
      return "\(program) failed, perhaps without a passphrase; \(Self.command) on a terminal asks"
    case .unprotected: return "nothing protects it against changes"
    case .malformed: return "it is not as the standard has it"
    case .compressed: return "a message compressed with S/MIME, which is not known"
    case .notHere: return "it is only on the server; magnum attachments fetch gets it"
    case .tooLarge: return "it is too large"
    case .noProgram: return "there is no \(program); install \(method.programPackage)"
    case .error: return "\(program) failed, or contradicted itself; with -v it says why"
    }
  }
}
