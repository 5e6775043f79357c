package import MIME
package import Octets

/// Writes a message in its protected form.
///
/// It decides what is run and what the answers mean; the runs themselves are given to it as a function. Whatever goes wrong, there is
/// no message at all: nothing is ever written with less protection than was planned.
package struct ProtectionWriter {
  /// More octets are not given to a program.
  package static let inputLimit = ProtectionReader.inputLimit

  /// Keeps octets as they are now, whatever becomes of the files that they are read from.
  package typealias Holding = (any OctetSource) throws(SourceError) -> any OctetSource

  private let plan: ProtectionPlan
  private let form: ProtectedForm
  private let hold: Holding
  private let run: (ToolRequest) -> ToolAnswer

  /// Writes a message.
  ///
  /// - Parameters:
  ///   - message: its fields and parts. Of a message that is sent, Bcc stays outside what is protected, for the queue to remove.
  ///   - plan: how it is protected.
  ///   - token: letters and digits for boundaries.
  ///   - hold: keeps what is given to a program, of which a signed message is made; in memory if not told.
  ///   - run: runs a program.
  /// - Returns: the message, which nothing may change from now on but Bcc.
  /// - Throws: `WritingFailure` where anything is not as planned.
  package static func write(
    _ message: OutgoingMessage,
    _ plan: ProtectionPlan,
    token: [UInt8],
    hold: @escaping Holding = { (octets) throws(SourceError) in try octets.whole() },
    run: @escaping (ToolRequest) -> ToolAnswer
  ) throws(WritingFailure) -> WrittenMessage {
    let form = ProtectedForm(token: token)
    let writer = ProtectionWriter(plan: plan, form: form, hold: hold, run: run)
    return try writer.written(message, token)
  }

  private func written(
    _ message: OutgoingMessage,
    _ token: [UInt8]
  ) throws(WritingFailure) -> WrittenMessage {
    if plan.method == .sMIME, plan.encryption?.hidden.isEmpty == false {
      throw .namesHiddenRecipients
    }
    let fields = ProtectedFields(message.fields, plan)
    let (entity, madeFiles) = try entity(message, fields, token)
    let version = OutgoingField([UInt8](ascii: "MIME-Version"), words: [[UInt8](ascii: "1.0")])
    let header = (fields.outer + [version]).flatMap(\.octets)
    let octets = JoinedOctets([header, try protected(entity)])
    return WrittenMessage(octets: octets, madeFiles: madeFiles)
  }

  /// What is protected, from its header on.
  private func entity(
    _ message: OutgoingMessage,
    _ fields: ProtectedFields,
    _ token: [UInt8]
  ) throws(WritingFailure) -> (octets: any OctetSource, madeFiles: [[UInt8]]) {
    // Octets are read only where there are not too many; encoding them makes them more.
    guard message.parts.reduce(0, { $0 + $1.size }) <= Self.inputLimit else {
      throw .tooLarge(limit: Self.inputLimit)
    }
    return try WritingFailure.reading { () throws(SourceError) in
      var (inner, madeFiles) = try message.sevenBit()
      inner.fields = fields.inner
      return (try inner.entity(fields.parameters, token: token), madeFiles)
    }
  }

  private func protected(
    _ entity: any OctetSource
  ) throws(WritingFailure) -> any OctetSource {
    switch (plan.method, plan.signer, plan.encryption) {
    case (_, let signer?, nil): return try signed(entity, by: signer)
    case (.openPGP, let signer, let encryption?):
      let armour = try encrypted(entity, encryption, by: signer)
      return try WritingFailure.reading { () throws(SourceError) in try form.encrypted(armour) }
    case (.sMIME, let signer, let encryption?):
      let inner = try signer.map { signer throws(WritingFailure) in try signed(entity, by: signer) }
      return form.enveloped(try encrypted(inner ?? entity, encryption, by: nil))
    case (_, nil, nil): throw .broken(plan.method, .encryption)
    }
  }

  private func signed(
    _ entity: any OctetSource,
    by signer: ListedKey
  ) throws(WritingFailure) -> any OctetSource {
    let octets = try held(entity)
    let request = ToolRequest.sign(plan.method, octets, by: signer.fingerprint)
    let (lines, output) = try answer(request, octets, .signing)
    let hash = try SigningLines.hash(lines, by: signer, kind: "D")
    guard let signature = output as? [UInt8], let name = HashName.octets(hash, plan.method),
      isSignature(signature)
    else { throw .broken(plan.method, .signing) }
    // Of what was signed, not of files that may have changed since.
    return try WritingFailure.reading { () throws(SourceError) in
      try form.signed(LineFeeds.only(octets), signature, plan.method, hash: name)
    }
  }

  /// What a program gets: an entity with the line ends of the wire, which stays as it is from now on.
  private func held(_ entity: any OctetSource) throws(WritingFailure) -> any OctetSource {
    try WritingFailure.reading { () throws(SourceError) in
      let octets = try SignedOctets.of(entity)
      return octets.count <= Self.inputLimit ? try hold(octets) : octets
    }
  }

  private func isSignature(_ octets: [UInt8]) -> Bool {
    switch plan.method {
    case .openPGP: (try? Armour(octets))?.isOneSignature == true
    case .sMIME: CMSReader.isDetached(octets[...])
    }
  }

  private func encrypted(
    _ entity: any OctetSource,
    _ encryption: ProtectionPlan.Encryption,
    by signer: ListedKey?
  ) throws(WritingFailure) -> any OctetSource {
    let octets = try held(entity)
    let request = ToolRequest.encrypt(
      plan.method,
      octets,
      to: encryption.recipients.map(\.fingerprint),
      hidden: encryption.hidden.map(\.fingerprint),
      by: signer?.fingerprint
    )
    let (lines, output) = try answer(request, octets, .encryption)
    if let signer { _ = try SigningLines.hash(lines, by: signer, kind: "S") }
    let isRight = try WritingFailure.reading { () throws(SourceError) in
      try isEncryption(output, encryption, lines)
    }
    guard isRight else { throw .broken(plan.method, .encryption) }
    return output
  }

  /// Whether the output is encrypted for those keys and no others: the user's own configuration may name some.
  private func isEncryption(
    _ output: any OctetSource,
    _ encryption: ProtectionPlan.Encryption,
    _ lines: [StatusLine]
  ) throws(SourceError) -> Bool {
    switch plan.method {
    case .openPGP:
      guard let armour = try Armour(output), armour.kind == .message,
        lines.count(where: { $0.is("BEGIN_ENCRYPTION") }) == 1,
        lines.count(where: { $0.is("END_ENCRYPTION") }) == 1
      else { return false }
      return EncryptedPackets(armour.packets)?.isFor(encryption) == true
    // The program says nothing more of S/MIME.
    case .sMIME:
      return CMSReader.recipientCount(try output.whole()[...]) == encryption.recipients.count
    }
  }

  /// What a program wrote.
  private func answer(
    _ request: ToolRequest,
    _ octets: any OctetSource,
    _ task: WritingFailure.Task
  ) throws(WritingFailure) -> (lines: [StatusLine], output: any OctetSource) {
    guard octets.count <= Self.inputLimit else { throw .tooLarge(limit: Self.inputLimit) }
    switch run(request) {
    case .ended(let code, let status, let output):
      guard let lines = StatusLine.lines(of: status) else { throw .broken(plan.method, task) }
      try FailureLines.check(lines, isSuccess: code == 0, task, plan)
      return (lines, output)
    case .noProgram: throw .noProgram(plan.method)
    case .noKeys: throw .noKeys(plan.method)
    case .notStored(let reason): throw .notStored(reason)
    case .broken, .tooMany: throw .broken(plan.method, task)
    }
  }
}

/// The names of hashes in the micalg of a signed message (RFC 3156 §5, RFC 8551 §3.5.3.2).
private enum HashName {
  /// The name of that number, which both programs count alike; nil for one that has none.
  static func octets(_ number: UInt64, _ method: ProtectionMethod) -> [UInt8]? {
    switch (number, method) {
    case (8, .openPGP): [UInt8](ascii: "pgp-sha256")
    case (9, .openPGP): [UInt8](ascii: "pgp-sha384")
    case (10, .openPGP): [UInt8](ascii: "pgp-sha512")
    case (11, .openPGP): [UInt8](ascii: "pgp-sha224")
    case (8, .sMIME): [UInt8](ascii: "sha-256")
    case (9, .sMIME): [UInt8](ascii: "sha-384")
    case (10, .sMIME): [UInt8](ascii: "sha-512")
    case (11, .sMIME): [UInt8](ascii: "sha-224")
    default: nil
    }
  }
}
