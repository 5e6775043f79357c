package import MIME
package import MailModel
internal import Octets
internal import Platform
package import Protection

/// A draft that is kept encrypted to oneself: what makes one of a message, and what is read from it.
package enum SecretDraft {
  /// The field that a draft has outside its encryption, and once more within.
  private static let mark = ProtectionPlan.draftField

  /// Whether a message says to be such a draft.
  package static func isOne(_ message: Message) -> Bool {
    message.header.first(mark) != nil && MessageEnvelope(of: message) == .encrypted
  }

  /// Whether a file holds a draft that is not encrypted; false where it is gone.
  ///
  /// - Throws: that it cannot be read.
  package static func isMissing(from file: MessageFile) throws(Explanation) -> Bool {
    guard let path = file.currentPath() else { return false }
    let octets = try explaining(.noInput) { () throws(SystemError) in
      try FileOctets(Descriptor.open(path, .read))
    }
    let message = try explaining(.noInput) { () throws(SourceError) in
      try StreamedMessage(reading: octets).message
    }
    return !isOne(message)
  }

  /// What is within the encryption of a draft.
  package struct Opened {
    /// The draft as it was kept, all its fields in it.
    package let content: StreamedMessage
    /// Whether a change on the way would have been noticed.
    package let isAuthenticated: Bool
    /// Whether it was signed in one with the encryption.
    let isSigned: Bool
  }

  /// Why a draft is not opened.
  package enum Failure: Error, Hashable, Sendable {
    case notDecrypted(DecryptionOutcome.Reason)
    /// It was not kept by this program: anybody can put a captured message where drafts are.
    case notOwn
  }

  /// Decrypts a draft.
  ///
  /// - Parameters:
  ///   - message: the draft, whole.
  ///   - decoder: for charsets.
  ///   - run: runs a program.
  /// - Returns: what is within.
  /// - Throws: `Failure`.
  package static func open(
    _ message: Message,
    _ decoder: CharsetDecoder,
    run: @escaping (ToolRequest) -> ToolAnswer
  ) throws(Failure) -> Opened {
    let opened = try decrypt(message, decoder, run: run)
    guard opened.content.message.header.first(mark) != nil else { throw .notOwn }
    return opened
  }

  /// What is within the encryption of a message, from its header on.
  ///
  /// - Throws: `notDecrypted`.
  static func decrypt(
    _ message: Message,
    _ decoder: CharsetDecoder,
    run: @escaping (ToolRequest) -> ToolAnswer
  ) throws(Failure) -> Opened {
    var plain: [UInt8] = []
    let wishes = ProtectionWishes(verifies: false, decrypts: true)
    let reading = ProtectionReader.read(message, wishes, decoder) { request in
      let answer = run(request)
      if case .open = request, case .ended(_, _, let output as [UInt8]) = answer, plain.isEmpty {
        plain = output
      }
      return answer
    }
    let outer = reading.encryptions.filter { $0.part.isInEnvelope && $0.part.nesting == 0 }
    switch outer.first?.outcome {
    case .decrypted(let isAuthenticated)?:
      return Opened(
        content: StreamedMessage(Message(LineFeeds.only(plain))),
        isAuthenticated: isAuthenticated,
        isSigned: reading.signatures.contains(where: \.isWithinEncryption)
      )
    case .failed(let reason)?: throw .notDecrypted(reason)
    case nil: throw .notDecrypted(.malformed)
    }
  }
}

extension SecretDraft.Failure: Explainable {
  /// What is printed; 77 where it may be decrypted at another time.
  package var explanation: Explanation {
    switch self {
    case .notOwn:
      Explanation(
        .data,
        "it was not kept as a draft, and is not decrypted as one",
        hint: "magnum show --decrypt true shows it"
      )
    case .notDecrypted(let reason): Self.explanation(reason)
    }
  }

  private static func explanation(_ reason: DecryptionOutcome.Reason) -> Explanation {
    switch reason {
    case .noPassphrase:
      Explanation(
        .refused,
        "not decrypted: the agent has no passphrase",
        hint: "on a terminal it asks for it"
      )
    case .noSecretKey: Explanation(.refused, "not decrypted: there is no secret key for it")
    case .noProgram:
      Explanation(
        .refused,
        "not decrypted: there is no program for it",
        hint: "install gnupg, and gpgsm for S/MIME"
      )
    case .notHere: Explanation(.refused, "not decrypted: it is only on the server")
    case .tooLarge: Explanation(.refused, "not decrypted: it is too large")
    case .malformed, .compressed, .unprotected, .symmetric, .elsewhere, .inside, .mixed:
      Explanation(.data, "not decrypted: it is not what a draft is kept as")
    case .notAsked, .error, .perhapsNoPassphrase:
      Explanation(
        .refused,
        "not decrypted: the program failed",
        hint: "with -v it says why; on a terminal it can ask for a passphrase"
      )
    }
  }
}
