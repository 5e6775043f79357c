internal import Octets

/// What the lines of a run tell of a signature that was made.
enum SigningLines {
  /// The number of its hash: that of SIG_CREATED.
  ///
  /// - Parameters:
  ///   - lines: what the program wrote for programs.
  ///   - signer: whose key it was to be.
  ///   - kind: `D` of a signature beside what it signs, `S` of one within.
  /// - Returns: the number, as OpenPGP has it.
  /// - Throws: `WritingFailure` unless there is one signature, by that key, over octets as they are.
  static func hash(
    _ lines: [StatusLine],
    by signer: ListedKey,
    kind: StaticString
  ) throws(WritingFailure) -> UInt64 {
    let method = signer.method
    let broken = WritingFailure.broken(method, .signing)
    let created = lines.filter { $0.is("SIG_CREATED") }
    let keys = created.compactMap { $0.word(5).flatMap { KeyNumber($0) } }
    if keys.contains(where: signer.isSigner),
      let other = keys.first(where: { !signer.isSigner($0) })
    {
      throw .otherSigner(method, other.digits, nil)
    }
    // SIG_CREATED kind algorithm hash class time fingerprint.
    guard created.count == 1, let line = created.first, line.words.count == 6,
      line.word(0)?.elementsEqual([UInt8](ascii: kind)) == true,
      line.word(3)?.elementsEqual([UInt8](ascii: "00")) == true,
      let key = line.word(5).flatMap({ KeyNumber($0) }), signer.signers.contains(key),
      let hash = line.number(2)
    else { throw broken }
    // 1, 2 and 3 of OpenPGP and of libgcrypt alike.
    guard !(1...3).contains(hash) else { throw .weakDigest(method, hash) }
    return hash
  }
}

/// What the lines of a run tell of why it failed.
enum FailureLines {
  /// - Throws: `WritingFailure` where a line, or the exit status, says that something failed, in whatever order.
  static func check(
    _ lines: [StatusLine],
    isSuccess: Bool,
    _ task: WritingFailure.Task,
    _ plan: ProtectionPlan
  ) throws(WritingFailure) {
    let method = plan.method
    // gpgsm reports a signer whom it refuses as a recipient, too.
    if let line = lines.first(where: { $0.is("INV_SGNR") || $0.is("NO_SGNR") }) {
      let name = line.word(1) ?? []
      let key = KeyNumber(name)
      let isOwn = key.map { plan.signer?.isSigner($0) == true } ?? name.isEmpty
      guard isOwn else { throw .otherSigner(method, [UInt8](name), refusal(line)) }
      throw .cannotSign(method, key ?? plan.signer?.fingerprint, refusal(line))
    }
    let recipients = plan.encryption.map { $0.recipients + $0.hidden } ?? []
    let refused = lines.filter { $0.is("INV_RECP") || $0.is("NO_RECP") }
      .map { line in refusedRecipient(line, recipients) }
    guard refused.isEmpty else { throw .cannotEncrypt(method, refused) }
    guard !lines.contains(where: \.deniesPassphrase) else { throw .noPassphrase(method) }
    let failure = lines.first { $0.is("FAILURE") || $0.is("ERROR") }
    guard failure == nil, isSuccess else {
      throw .failed(method, task, code: failure?.number(1).map { $0 & 0xFFFF })
    }
  }

  private static func refusedRecipient(
    _ line: StatusLine,
    _ recipients: [ListedKey]
  ) -> RefusedRecipient {
    let key = line.word(1).flatMap { KeyNumber($0) }
    return RefusedRecipient(recipients.first { $0.fingerprint == key }, refusal(line))
  }

  private static func refusal(_ line: StatusLine) -> KeyRefusal {
    line.number(0).flatMap(KeyRefusal.init(rawValue:)) ?? .unspecified
  }
}

extension ListedKey {
  /// Whether a number is that of the key, or of one in it that signs.
  fileprivate func isSigner(_ number: KeyNumber) -> Bool {
    number == fingerprint || signers.contains(number)
  }
}

extension StatusLine {
  /// Whether it says that there was no passphrase, or a wrong one: GPG_ERR_BAD_PASSPHRASE.
  fileprivate var deniesPassphrase: Bool {
    isCancellation
      || (self.is("FAILURE") || self.is("ERROR")) && number(1).map { $0 & 0xFFFF } == 11
  }
}
