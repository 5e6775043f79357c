package import MailModel
internal import Octets

extension WritingFailure: Explainable {
  /// What is printed, with what can be done; exit statuses are those of composing.
  package var explanation: Explanation {
    switch self {
    case .noProgram(let method):
      Explanation(
        .unavailable,
        "\(method.program) was not found, which \(method.rawValue) needs",
        hint: "install \(method.programPackage)"
      )
    case .noKeys(let method):
      Explanation(
        .noUser,
        "there are no keys of \(method.rawValue)",
        hint: "make a key, or import one"
      )
    case .noPassphrase(let method):
      Explanation(
        .refused,
        "\(method.program) got no passphrase",
        hint: "run the command at a terminal, or give gpg-agent the passphrase before"
      )
    case .perhapsNoPassphrase(let method):
      Explanation(
        .refused,
        "\(method.program) failed to sign, perhaps without a passphrase",
        hint: "run the command at a terminal, or give gpg-agent the passphrase before"
      )
    case .cannotSign(let method, let key, let refusal):
      Explanation(
        .noUser,
        "\(method.program) cannot sign with key \(Self.name(key)): \(refusal.text)",
        hint: "\"magnum keys\" lists the keys that would be used"
      )
    case .otherSigner(let method, let name, let refusal):
      Explanation(
        .configuration,
        "\(method.program) signs with \(Self.text(name)) as well"
          + (refusal.map { ", and cannot: \($0.text)" } ?? ""),
        hint: "remove \"local-user\" from its configuration"
      )
    case .cannotEncrypt(let method, let refused):
      Explanation(
        .noUser,
        Self.text(method, refused),
        hint: "\"magnum keys ADDRESS\" lists the keys"
      )
    case .failed(let method, let task, let code):
      Self.failed(method, task, code.map { ": error \($0)" } ?? "")
    case .broken(let method, let task):
      Self.failed(method, task, ": its answer contradicts itself, or it was ended")
    case .weakDigest(let method, let number):
      Explanation(
        .configuration,
        "\(method.program) would sign with hash \(number), which can be forged",
        hint: "remove \"digest-algo\" from its configuration"
      )
    case .tooLarge(let limit):
      Explanation(.data, "the message is too large to be protected: the limit is \(limit >> 20) MB")
    case .namesHiddenRecipients:
      Explanation(
        .data,
        "S/MIME names every recipient, those in Bcc too",
        hint: "send a message of its own to each recipient in Bcc"
      )
    case .unreadable(let error): Explanation(.noInput, "\(error)")
    case .notStored(let reason):
      Explanation(
        .cannotCreate,
        "the encrypted message cannot be put aside: \(reason)",
        hint: "make room, or set TMPDIR to a directory that has some"
      )
    }
  }

  private static func failed(
    _ method: ProtectionMethod,
    _ task: Task,
    _ reason: String
  ) -> Explanation {
    Explanation(
      .unavailable,
      "\(method.program) failed to \(task.verb)\(reason)",
      hint: "\"-v\" shows what it reports"
    )
  }

  private static func text(_ method: ProtectionMethod, _ refused: [RefusedRecipient]) -> String {
    let keys = refused.map { "key \(name($0.key?.fingerprint)): \($0.refusal.text)" }
    return "\(method.program) cannot encrypt to " + keys.joined(separator: ", ")
  }

  /// The name of a key as a configuration has it.
  private static func text(_ name: [UInt8]) -> String {
    let isPlain = name.count < 100 && name.allSatisfy { $0 > ASCII.space && $0 < ASCII.delete }
    return isPlain ? "\"\(String(decoding: name, as: UTF8.self))\"" : "another key"
  }

  private static func name(_ key: KeyNumber?) -> String {
    key.map { String(decoding: $0.digits, as: UTF8.self) } ?? "of an unknown number"
  }
}

extension WritingFailure.Task {
  fileprivate var verb: String {
    switch self {
    case .listing: "list keys"
    case .signing: "sign"
    case .encryption: "encrypt"
    case .export: "export a key"
    case .fetching: "fetch a key"
    }
  }
}

extension KeyRefusal {
  /// The reason behind the name of a key.
  package var text: String {
    switch self {
    case .unspecified: "it cannot be used"
    case .notFound: "it was not found"
    case .ambiguous: "its name is ambiguous"
    case .wrongUsage: "it is for another use"
    case .revoked: "it is revoked"
    case .expired: "it has expired"
    case .noRevocationList: "there is no list of revoked certificates"
    case .oldRevocationList: "the list of revoked certificates is too old"
    case .policyMismatch: "its policy forbids this use"
    case .notSecret: "its secret part is not here"
    case .notTrusted: "its root certificate is not trusted"
    case .missingCertificate: "its certificate is missing"
    case .missingIssuer: "the certificate of its issuer is missing"
    case .disabled: "it is disabled"
    case .syntax: "its name is malformed"
    case .unsupported: "its algorithm is not supported"
    }
  }
}
