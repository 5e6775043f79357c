internal import Octets
internal import Protection

// The commands that are run: of mail nothing but fingerprints is in them.
extension ToolRequest {
  var program: String { Self.program(of: method) }

  private static func program(of method: ProtectionMethod) -> String {
    switch method {
    case .openPGP: "gpg"
    case .sMIME: "gpgsm"
    }
  }

  /// Whether a secret key is needed, for which a person may have to be asked.
  var isAsked: Bool {
    if case .open(_, _, let decrypts) = self { decrypts } else { false }
  }

  /// What the program reads.
  var input: [UInt8] {
    switch self {
    case .checkDetached(_, let signed, _): signed
    case .checkOpaque(let octets), .open(_, let octets, _): octets
    case .listOwner: []
    }
  }

  /// What it reads from descriptor 4; nil for nothing.
  var signature: [UInt8]? {
    if case .checkDetached(_, _, let signature) = self { signature } else { nil }
  }

  /// The arguments; a person may be asked for a passphrase only if `asks`.
  func words(asks: Bool) -> [String] {
    Self.common(method) + (isAsked && asks ? [] : ["--pinentry-mode", "cancel"]) + task
  }

  /// What in the user's own configuration would weaken a verdict, or ask a server, is met by these.
  private static func common(_ method: ProtectionMethod) -> [String] {
    switch method {
    case .openPGP:
      [
        "--batch", "--no-tty", "--no-verbose", "--status-fd", "3", "--enable-special-filenames",
        "--no-auto-key-retrieve", "--no-auto-key-import", "--no-auto-key-locate",
        "--disable-dirmngr", "--no-groups", "--verify-options", "no-show-photos",
        "--list-options", "no-show-photos", "--exit-on-status-write-error",
      ]
    case .sMIME:
      [
        "--batch", "--status-fd", "3", "--enable-special-filenames", "--disable-dirmngr",
        "--disable-crl-checks", "--assume-binary",
      ]
    }
  }

  private var task: [String] {
    switch self {
    case .checkDetached: ["--verify", "--", "-&4", "-"]
    case .checkOpaque: ["--output", "-", "--verify", "--", "-"]
    case .open: ["--output", "-", "--decrypt"]
    case .listOwner(.openPGP, let key):
      ["--with-colons", "--list-keys", "--", String(decoding: key.digits, as: UTF8.self)]
    case .listOwner(.sMIME, let key):
      [
        "--with-colons", "--with-validation", "--list-keys", "--",
        String(decoding: key.digits, as: UTF8.self),
      ]
    }
  }
}
