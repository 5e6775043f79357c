internal import Octets
internal import Protection

// The commands that are run: of mail nothing but fingerprints is in them.
extension ToolRequest {
  var program: String { method.program }

  /// Whether a secret key is needed, for which a person may have to be asked.
  var isAsked: Bool {
    switch self {
    case .open(_, _, let decrypts): decrypts
    case .sign: true
    case .encrypt(_, _, _, _, let signer): signer != nil
    case .checkDetached, .checkOpaque, .listOwner, .listKeys, .fetchKey, .exportKey: false
    }
  }

  /// Whether it checks a part of a message from a stranger, which may have thousands of them.
  var isCheck: Bool {
    switch self {
    case .checkDetached, .checkOpaque, .open(_, _, decrypts: false): true
    case .open, .listOwner, .listKeys, .sign, .encrypt, .fetchKey, .exportKey: false
    }
  }

  /// Whether what comes out is encrypted, and may lie on a disk.
  var isEncryption: Bool {
    if case .encrypt = self { true } else { false }
  }

  /// What the program reads.
  var input: any OctetSource {
    switch self {
    case .open(_, let octets, _): OctetSlice(octets)
    case .checkDetached(_, let octets, _), .checkOpaque(let octets): octets
    case .sign(_, let octets, _), .encrypt(_, let octets, _, _, _): octets
    case .listOwner, .listKeys, .fetchKey, .exportKey: [UInt8]()
    }
  }

  /// What it reads from descriptor 4; nil for nothing.
  var signature: [UInt8]? {
    if case .checkDetached(_, _, let signature) = self { signature } else { nil }
  }

  /// The arguments; a person may be asked for a passphrase only if `asks`.
  func words(asks: Bool) -> [String] {
    if case .fetchKey(let address) = self { return Self.fetching(address) }
    return Self.common(method) + (isAsked && asks ? [] : ["--pinentry-mode", "cancel"]) + task
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
    case .listOwner(let method, let key): Self.listing(method, .key(key), areSecret: false)
    case .listKeys(let method, let pattern, let areSecret):
      Self.listing(method, pattern, areSecret: areSecret)
    case .sign(let method, _, let key):
      ["--output", "-"] + Self.armour(method) + ["--local-user", Self.text(key), "--detach-sign"]
    case .encrypt(let method, _, let recipients, let hidden, let signer):
      Self.encryption(method, recipients, hidden, signer)
    case .fetchKey(let address): Self.fetching(address)
    case .exportKey(let key):
      [
        "--output", "-", "--armor", "--export-options", "export-minimal", "--export", "--",
        Self.text(key),
      ]
    }
  }

  /// Only the domain of the address is asked, whatever the user's own configuration says, and no keyserver.
  private static func fetching(_ address: ArgumentAddress) -> [String] {
    [
      "--batch", "--no-tty", "--no-verbose", "--status-fd", "3", "--auto-key-locate",
      "clear,nodefault,wkd", "--locate-external-keys", "--",
    ] + words(.address(address))
  }

  private static func listing(
    _ method: ProtectionMethod,
    _ pattern: KeyPattern,
    areSecret: Bool
  ) -> [String] {
    // Without it gpgsm does not say whether a certificate is certified.
    let validation = method == .sMIME ? ["--with-validation"] : []
    let command = areSecret ? "--list-secret-keys" : "--list-keys"
    return ["--with-colons"] + validation + [command, "--"] + words(pattern)
  }

  private static func words(_ pattern: KeyPattern) -> [String] {
    switch pattern {
    case .all: []
    case .key(let key): [text(key)]
    case .address(let address): ["<\(String(decoding: address.octets, as: UTF8.self))>"]
    }
  }

  private static func encryption(
    _ method: ProtectionMethod,
    _ recipients: [KeyNumber],
    _ hidden: [KeyNumber],
    _ signer: KeyNumber?
  ) -> [String] {
    var words = ["--output", "-"] + armour(method)
    // The program would write the name of a file into it, and ask whether a key is to be trusted, which is decided already.
    if method == .openPGP {
      words += ["--no-throw-keyids", "--set-filename", "", "--trust-model", "always"]
    }
    words.append("--no-encrypt-to")
    for key in recipients { words += ["--recipient", text(key)] }
    for key in hidden { words += ["--hidden-recipient", text(key)] }
    if let signer { words += ["--local-user", text(signer), "--sign"] }
    return words + ["--encrypt"]
  }

  /// The form of what comes out, whatever the user's own configuration says.
  private static func armour(_ method: ProtectionMethod) -> [String] {
    method == .openPGP ? ["--armor", "--no-textmode"] : ["--no-armor"]
  }

  private static func text(_ key: KeyNumber) -> String {
    String(decoding: key.digits, as: UTF8.self)
  }
}
