package import MIME
internal import Octets

/// Looks into the protection of a message: has signatures checked, and decrypts what protects it as a whole.
///
/// It decides what is run and what the answers mean; the runs themselves are given to it as a function.
package struct ProtectionReader {
  /// More octets are not given to a program.
  package static let inputLimit = 64 << 20

  private let wishes: ProtectionWishes
  private let decoder: CharsetDecoder
  private let run: (ToolRequest) -> ToolAnswer
  private var reading: ProtectionReading
  private var decrypted: Set<[Int]> = []

  /// Reads a message.
  ///
  /// - Parameters:
  ///   - message: as it came.
  ///   - wishes: how far it is looked into.
  ///   - decoder: for charsets.
  ///   - run: runs a program; not called for a message without protection.
  /// - Returns: the message, with what was found out.
  package static func read(
    _ message: Message,
    _ wishes: ProtectionWishes,
    _ decoder: CharsetDecoder,
    run: @escaping (ToolRequest) -> ToolAnswer
  ) -> ProtectionReading {
    let parts = ProtectionSurvey.parts(of: message)
    guard !parts.isEmpty else { return .unread(message) }
    var reader = ProtectionReader(wishes: wishes, decoder: decoder, run: run, message)
    reader.readParts(parts)
    reader.finish()
    return reader.reading
  }

  private init(
    wishes: ProtectionWishes,
    decoder: CharsetDecoder,
    run: @escaping (ToolRequest) -> ToolAnswer,
    _ message: Message
  ) {
    self.wishes = wishes
    self.decoder = decoder
    self.run = run
    reading = ProtectionReading(message)
  }

  private mutating func readParts(_ parts: [ProtectedPart]) {
    for part in parts {
      guard let target = reading.message.part(at: part.path) else { continue }
      switch part.form {
      case .detached: checkDetached(part)
      case .opaque: checkOpaque(part, target)
      case .encrypted(let isAuthenticated):
        guard let payload = reading.message.part(at: part.payload) else { continue }
        decrypt(part, payload, isAuthenticated: isAuthenticated)
      case .inlineSigned: openSigned(part, target)
      case .inlineMessage:
        if ArmouredMessage.isEncrypted(target.decoded) {
          decrypt(part, target, isAuthenticated: true)
        } else {
          openSigned(part, target)
        }
      case .inlineMixed(hasMessage: true): add(part, .failed(part.isInside ? .inside : .mixed))
      case .inlineMixed: reading.signatures.append(SignatureFinding(part, unchecked: .mixed))
      case .malformed(let malformation): report(malformation, part)
      }
    }
  }

  private mutating func report(_ malformation: ProtectedPart.Malformation, _ part: ProtectedPart) {
    switch malformation {
    case .signature: add(part, [SignatureStatus(.bad)])
    case .unknownSignature: add(part, [SignatureStatus(.unsupported)])
    case .encryption: add(part, .failed(.malformed))
    case .compression: add(part, .failed(.compressed))
    }
  }

  // MARK: Findings

  private mutating func add(
    _ part: ProtectedPart,
    _ statuses: [SignatureStatus],
    isWithinEncryption: Bool = false
  ) {
    guard !statuses.isEmpty else {
      return reading.signatures.append(SignatureFinding(part, unchecked: .none))
    }
    let named = statuses.map { addressed($0.checked(at: wishes.now), part) }
    reading.signatures.append(
      SignatureFinding(part, named, isWithinEncryption: isWithinEncryption)
    )
  }

  private mutating func add(_ part: ProtectedPart, _ outcome: DecryptionOutcome) {
    let section = reading.message.part(at: part.payload)?.section
    reading.encryptions.append(
      EncryptionFinding(part: part, outcome: outcome, section: section)
    )
  }

  /// A status with the address of its key, and whether that is the author's.
  private func addressed(_ status: SignatureStatus, _ part: ProtectedPart) -> SignatureStatus {
    guard let owner = status.owner,
      case .ended(_, _, let listing as [UInt8]) = run(.listOwner(part.method, owner))
    else { return status }
    var status = status
    let author = PlainAddress.author(header(of: part), decoder)
    status.owned = KeyOwner(listing: listing, of: owner).match(author)
    return status
  }

  /// The header of the message that a part is in.
  private func header(of part: ProtectedPart) -> Header {
    var (result, current) = (reading.message.root, reading.message.root)
    for place in part.path {
      let isInside = current.kind == .message
      guard current.children.indices.contains(place) else { break }
      current = current.children[place]
      if isInside { result = current }
    }
    return result.header
  }

  /// The statuses that an answer has; nil where it has none, which is reported.
  private mutating func statuses(
    _ answer: ToolAnswer,
    _ scope: SignatureLines.Scope,
    _ part: ProtectedPart
  ) -> [SignatureStatus]? {
    switch answer {
    case .ended(let code, let status, _):
      guard let lines = StatusLine.lines(of: status) else { return [SignatureStatus(.error)] }
      var statuses = SignatureLines.statuses(lines, scope)
      // Where all are good, nothing is left that the program could complain of.
      if code != 0, statuses.allSatisfy({ $0.verdict == .good }) {
        for index in statuses.indices { statuses[index].distrust() }
      }
      return statuses
    case .broken, .notStored: return [SignatureStatus(.error)]
    case .noKeys: return [SignatureStatus(.noKey)]
    case .noProgram: reading.signatures.append(SignatureFinding(part, unchecked: .noProgram))
    case .tooMany: reading.signatures.append(SignatureFinding(part, unchecked: .limit))
    }
    return nil
  }

  // MARK: Signatures

  private mutating func checkDetached(_ part: ProtectedPart) {
    guard let signed = reading.message.part(at: part.payload),
      let beside = reading.message.part(at: part.path + [1])
    else { return }
    let signature = beside.decoded
    guard isHere(signed), isHere(beside) else {
      return addUnchecked(part, wishes.verifies ? .notHere : .notAsked)
    }
    // gpgsm would check the content within the signature in the place of what is shown.
    guard part.method != .sMIME || CMSReader.isDetached(signature[...]) else {
      return add(part, [SignatureStatus(.bad)])
    }
    guard wishes.verifies else { return addUnchecked(part, .notAsked) }
    let octets = SignedOctets.of(signed)
    guard octets.count <= Self.inputLimit else { return add(part, [SignatureStatus(.error)]) }
    let answer = run(.checkDetached(part.method, signed: octets, signature: signature))
    let scope: SignatureLines.Scope = part.method == .sMIME ? .cms : .detached
    guard let statuses = statuses(answer, scope, part) else { return }
    add(part, statuses)
  }

  private mutating func addUnchecked(_ part: ProtectedPart, _ reason: SignatureFinding.Reason) {
    reading.signatures.append(SignatureFinding(part, unchecked: reason))
  }

  private func isHere(_ part: Part) -> Bool {
    !part.flattened.contains { $0.externalSection != nil }
  }

  private mutating func checkOpaque(_ part: ProtectedPart, _ target: Part) {
    guard wishes.verifies else { return addUnchecked(part, .notAsked) }
    let octets = target.decoded
    guard octets.count <= Self.inputLimit else {
      hide(part.path)
      return add(part, [SignatureStatus(.error)])
    }
    let answer = run(.checkOpaque(octets))
    guard let statuses = statuses(answer, .cms, part) else { return }
    switch answer {
    case .ended(_, _, let output as [UInt8])
    where target.children.first?.octets.elementsEqual(output) == true:
      add(part, statuses)
    case .ended:
      // Two programs that read two messages in one: neither can be believed.
      hide(part.path)
      add(part, [SignatureStatus(.bad)])
    case .broken, .notStored:
      hide(part.path)
      add(part, statuses)
    case .noKeys, .noProgram, .tooMany: add(part, statuses)
    }
  }

  private mutating func hide(_ path: [Int]) {
    for part in reading.message.part(at: path)?.flattened ?? [] {
      if let section = part.section { reading.hidden.insert(section) }
    }
  }

  /// Opens a text that is signed in one piece with OpenPGP: what the program wrote takes its place.
  private mutating func openSigned(_ part: ProtectedPart, _ target: Part) {
    guard wishes.verifies else { return addUnchecked(part, .notAsked) }
    let answer = run(.open(.openPGP, target.decodedSlice, decrypts: false))
    guard var statuses = statuses(answer, .around, part) else { return }
    if case .ended(_, let status, let output as [UInt8]) = answer {
      let lines = StatusLine.lines(of: status) ?? []
      if lines.contains(where: { $0.is("BEGIN_DECRYPTION") }) {
        statuses = [SignatureStatus(.error)]
      }
      if statuses.contains(where: { $0.verdict != .error }) {
        open(part.path, asText: output, target)
      } else {
        hide(part.path)
      }
    }
    if case .broken = answer { hide(part.path) }
    add(part, statuses)
  }

  private mutating func open(_ path: [Int], asText output: [UInt8], _ target: Part) {
    // OpenPGP says UTF-8; programs that keep to the mail's charset are seen by text that is none.
    let told = target.contentType.parameters.octets("charset")
    let isName = told?.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.minus }
    let charset = UTF8Repair.isValid(output) || isName != true ? nil : told
    reading.message = reading.message.opening(path, as: .text(output, charset: charset))
  }

  // MARK: Encryption

  private mutating func decrypt(
    _ part: ProtectedPart,
    _ payload: Part,
    isAuthenticated: Bool
  ) {
    if let reason = obstacle(part, payload) { return add(part, .failed(reason)) }
    guard payload.decodedSize <= Self.inputLimit else { return add(part, .failed(.tooLarge)) }
    let answer = run(.open(part.method, payload.decodedSlice, decrypts: true))
    switch answer {
    case .ended(let code, let status, let output as [UInt8]):
      guard let lines = StatusLine.lines(of: status) else { return add(part, .failed(.error)) }
      switch part.method {
      case .openPGP: decrypt(part, payload, lines, isSuccess: code == 0, output)
      case .sMIME:
        let outcome = DecryptionLines.outcome(
          sMIME: lines,
          isSuccess: code == 0,
          isAuthenticated: isAuthenticated,
          canAsk: wishes.canAsk
        )
        if case .decrypted = outcome { open(part, payload, output) }
        add(part, outcome)
        readInside(part, outcome)
      }
    case .ended, .broken, .notStored, .tooMany: add(part, .failed(.error))
    case .noKeys: add(part, .failed(.noSecretKey))
    case .noProgram: add(part, .failed(.noProgram))
    }
  }

  private mutating func decrypt(
    _ part: ProtectedPart,
    _ payload: Part,
    _ lines: [StatusLine],
    isSuccess: Bool,
    _ output: [UInt8]
  ) {
    let statuses = SignatureLines.statuses(lines, .decrypted)
    let outcome = DecryptionLines.outcome(openPGP: lines, isSuccess: isSuccess, statuses)
    if case .decrypted = outcome { open(part, payload, output) }
    add(part, outcome)
    guard case .decrypted = outcome else { return }
    if !statuses.isEmpty { add(part, statuses, isWithinEncryption: true) }
    readInside(part, outcome)
  }

  /// Why a part is not decrypted; nil where it is.
  private func obstacle(_ part: ProtectedPart, _ payload: Part) -> DecryptionOutcome.Reason? {
    if part.isInside { return .inside }
    if let only = wishes.onlyPart {
      guard only == part.path || only == part.payload else { return .elsewhere }
    } else {
      let isOuter = part.isInEnvelope && part.nesting == 0
      // What S/MIME encrypts can be taken apart and put together anew: it stands alone or not at all.
      guard isOuter, part.method == .openPGP || part.path.isEmpty else { return .elsewhere }
    }
    guard isHere(payload) else { return .notHere }
    return wishes.decrypts ? nil : .notAsked
  }

  private mutating func open(_ part: ProtectedPart, _ payload: Part, _ output: [UInt8]) {
    switch part.form {
    case .inlineMessage: open(part.path, asText: output, payload)
    case .encrypted where part.method == .sMIME:
      reading.message = reading.message.opening(part.path, as: .inside(output))
      decrypted.insert(part.path + [0])
    default:
      reading.message = reading.message.opening(part.payload, as: .replacement(output))
      decrypted.insert(part.payload)
    }
  }

  /// Reads the parts within what was decrypted.
  private mutating func readInside(_ part: ProtectedPart, _ outcome: DecryptionOutcome) {
    guard case .decrypted = outcome else { return }
    let parts = ProtectionSurvey.parts(of: reading.message, decrypted: decrypted)
    readParts(parts.filter { $0.isInside && $0.path != part.path })
  }

  // MARK: The whole

  /// Finds out what each signature signs, and which header counts.
  private mutating func finish() {
    for index in reading.signatures.indices { finish(&reading.signatures[index]) }
    for encryption in reading.encryptions
    where encryption.outcome == .decrypted(isAuthenticated: false) {
      guard !isSignedWithin(encryption), let part = reading.message.part(at: encryption.part.path)
      else { continue }
      reading.unauthenticated.formUnion(part.flattened.compactMap(\.section))
    }
    reading.protectedHeader = ProtectedHeader(reading, decoder)
    guard let header = reading.protectedHeader else { return }
    reading.message = LegacyDisplay.removed(from: reading.message, decoder)
    if header.otherAuthor != nil { contradictAuthor() }
  }

  /// What the signatures of the message say of its author is not true of the one within.
  private mutating func contradictAuthor() {
    for index in reading.signatures.indices where reading.signatures[index].protectsMessage {
      for place in reading.signatures[index].statuses.indices {
        reading.signatures[index].statuses[place].isContradicted = true
      }
    }
  }

  private func finish(_ signature: inout SignatureFinding) {
    let payload = signature.part.payload
    signature.signsCiphertext = !signature.isWithinEncryption && isCiphertext(payload)
    guard !signature.signsCiphertext, signature.reason != .mixed else { return }
    let covered = reading.message.part(at: payload)?.flattened ?? []
    signature.covered = Set(covered.compactMap(\.section))
  }

  /// Whether what a signature signs is encrypted as a whole, or has a part that was decrypted alone.
  private func isCiphertext(_ path: [Int]) -> Bool {
    let encryptions = reading.encryptions.filter { !$0.part.isInside }
    if encryptions.contains(where: { $0.isDecrypted && $0.part.path.starts(with: path) }) {
      return true
    }
    // A text with something beside the armour is no ciphertext as a whole.
    if encryptions.contains(where: { $0.part.path == path && $0.outcome != .failed(.mixed) }) {
      return true
    }
    let inner = reading.signatures.lazy.map(\.part).first { part in
      part.path == path && part.payload.count > path.count
    }
    return inner.map { isCiphertext($0.payload) } ?? false
  }

  /// Whether what S/MIME decrypted is as a whole under a good signature.
  private func isSignedWithin(_ encryption: EncryptionFinding) -> Bool {
    reading.signatures.contains { signature in
      signature.part.path == encryption.part.path + [0] && signature.part.isInEnvelope
        && SignatureFinding.decisive(of: signature.statuses)?.verdict == .good
    }
  }
}

/// A message in the armour of OpenPGP (RFC 9580 §6.2).
private enum ArmouredMessage {
  /// Whether its first packet belongs to an encryption; of one that cannot be read, too.
  static func isEncrypted(_ text: [UInt8]) -> Bool {
    let beginning = text.prefix(1 << 16)
    let lines = beginning.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
      .map { $0.filter { $0 > ASCII.space } }
    guard let start = lines.firstIndex(where: { $0.starts(with: [UInt8](ascii: "-----BEGIN")) })
    else { return true }
    // Fields stand before the first empty line.
    let data = lines[(start + 1)...].drop { !$0.isEmpty }.first { !$0.isEmpty } ?? []
    guard let first = Base64.decode(data.prefix(4))?.first, first & 0x80 != 0 else { return true }
    let tag = first & 0x40 != 0 ? first & 0x3F : first >> 2 & 0x0F
    // A compressed packet, a signature, and what announces one.
    return ![2, 4, 8].contains(tag)
  }
}
