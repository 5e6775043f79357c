internal import Configuration
internal import MailModel
internal import Octets
internal import Platform

/// An account as a configuration of offlineimap.
package struct OfflineIMAPConfiguration {
  private let account: Account
  private let folders: OfflineIMAPFolders
  private let metadata: OfflineIMAPMetadata

  init(_ account: Account, _ folders: OfflineIMAPFolders, _ metadata: OfflineIMAPMetadata) {
    self.account = account
    self.folders = folders
    self.metadata = metadata
  }

  /// What offlineimap has no equivalent for, or is left to do.
  package var remarks: [String] {
    var remarks = folders.left.map { _, directory in
      "offlineimap cannot have the folder \(Printable.text(directory)) under its name: it is left out"
    }
    switch account.secret {
    case .inline, .withheld:
      remarks.append("the password stands in Magnum's configuration: add a line remotepass")
    case .credential(let name):
      remarks.append("the password is a credential of systemd, \(name): add a line remotepasseval")
    case .none, .passwordCommand, .tokenCommand, .oauth, .accessToken, .passwordFile: break
    }
    if account.proxy != nil {
      remarks.append("the proxy is left out: add a line proxy, such as SOCKS5:HOST:PORT")
    }
    if let remark = ViewMailboxes(account).remark("folderfilter") { remarks.append(remark) }
    if account.sync.localDeletion == .trash {
      remarks.append("offlineimap removes the messages of removed files; it moves none to Trash")
    }
    return remarks
  }

  /// The text of the file.
  package var octets: [UInt8] {
    let sections: [(String, [(String, String?)])] = [
      ("general", [("accounts", account.name), ("metadata", text(metadata.root))]),
      ("Account \(account.name)", accountLines),
      ("Repository \(metadata.near)", near),
      ("Repository \(metadata.far)", far),
    ]
    let texts = sections.map { name, lines in
      (["[\(name)]"]
        + lines.compactMap { key, value in value.map { "\(key) = \(PythonText.value($0))" } })
        .joined(separator: "\n") + "\n"
    }
    return Array(texts.joined(separator: "\n").utf8)
  }

  private var accountLines: [(String, String?)] {
    [
      ("localrepository", metadata.near), ("remoterepository", metadata.far),
      ("utf8foldernames", "yes"), ("maxage", account.sync.window.days.map { "\($0)" }),
    ]
  }

  private var near: [(String, String?)] {
    let settings = account.sync
    let creates = settings.create == .local || settings.create == .both
    return [
      ("type", "Maildir"), ("localfolders", text(account.maildir)),
      ("sep", String(decoding: [folders.separator], as: UTF8.self)),
      ("nametrans", folders.backTranslation), ("folderfilter", folders.folderFilter),
      ("readonly", settings.direction == .push ? "yes" : nil),
      ("createfolders", creates ? nil : "no"),
      ("sync_deletes", settings.localDeletion == .keep ? "no" : nil),
    ]
  }

  private var far: [(String, String?)] {
    let settings = account.sync
    let creates = settings.create == .remote || settings.create == .both
    return [("type", "IMAP")] + server + secret + [
      ("nametrans", folders.translation),
      ("folderfilter", folders.filter(settings, besides: ViewMailboxes(account).patterns)),
      ("readonly", settings.direction == .pull ? "yes" : nil),
      ("createfolders", creates ? nil : "no"),
      ("sync_deletes", settings.remoteDeletion == .keep ? "no" : nil),
      ("maxconnections", "\(settings.connections)"),
    ]
  }

  // MARK: - Server

  private var server: [(String, String?)] {
    let user = ("remoteuser", account.user.isEmpty ? nil : account.user)
    switch account.server {
    case .imaps(let host, let port): return address(host, port, "yes", "no") + trust + [user]
    case .startTLS(let host, let port): return address(host, port, "no", "yes") + trust + [user]
    case .plain(let host, let port): return address(host, port, "no", "no") + [user]
    case .command(let words):
      let key = account.secret == .none ? "preauthtunnel" : "transporttunnel"
      return [(key, ShellWord.oneLine(ShellWord.command(words))), user]
    case nil: return [user]
    }
  }

  private func address(
    _ host: String,
    _ port: UInt16,
    _ ssl: String,
    _ startTLS: String
  ) -> [(String, String?)] {
    [("remotehost", host), ("remoteport", "\(port)"), ("ssl", ssl), ("starttls", startTLS)]
  }

  private var trust: [(String, String?)] { serverTrust + client }

  private var client: [(String, String?)] {
    let certificate = account.clientCertificate
    return [
      ("sslclientcert", certificate.map { text($0.certificate) }),
      ("sslclientkey", certificate.map { text($0.keyFile) }),
    ]
  }

  private var serverTrust: [(String, String?)] {
    if let fingerprint = account.fingerprint {
      let digits = String(decoding: Hex.encode(fingerprint), as: UTF8.self)
      return [("cert_fingerprint", digits)]
    }
    return [("sslcacertfile", account.trustFile.map(text) ?? "OS-DEFAULT")]
  }

  private var secret: [(String, String?)] {
    switch account.secret {
    case .passwordCommand(let command): [("remotepasseval", output(of: command))]
    case .tokenCommand(let command): token(command)
    case .oauth: token(.arguments(["magnum", "accounts", "token", account.name]))
    case .passwordFile(let path, _): [("remotepassfile", text(path))]
    case .accessToken, .inline, .credential, .withheld, .none: []
    }
  }

  private func token(_ command: ChildProcess.Command) -> [(String, String?)] {
    [("auth_mechanisms", "XOAUTH2"), ("oauth2_access_token_eval", output(of: command))]
  }

  /// Python that gives the first line that a command prints.
  private func output(of command: ChildProcess.Command) -> String {
    let words =
      switch command {
      case .arguments(let words): words
      case .shell(let line): ["/bin/sh", "-c", line]
      }
    return "__import__('subprocess').check_output(\(PythonText.list(words)), text=True)"
      + ".splitlines()[0]"
  }

  private func text(_ path: Path) -> String { String(decoding: path.octets, as: UTF8.self) }
}

/// Text of a configuration of offlineimap, some of which is Python.
enum PythonText {
  /// A text as Python writes it, in ASCII.
  static func literal(_ text: String) -> String {
    "'" + text.unicodeScalars.map(escaped).joined() + "'"
  }

  /// A list of texts.
  static func list(_ texts: [String]) -> String {
    "[" + texts.map(literal).joined(separator: ", ") + "]"
  }

  /// Pairs of texts.
  static func dictionary(_ pairs: [(String, String)]) -> String {
    "{" + pairs.map { "\(literal($0.0)): \(literal($0.1))" }.joined(separator: ", ") + "}"
  }

  /// A regular expression, as a raw text, that finds just the names which a pattern of the configuration finds.
  static func expression(_ patterns: [String]) -> String {
    let alternatives = patterns.map { pattern in
      pattern.unicodeScalars.map { scalar in
        switch scalar {
        case "*": ".*"
        case "%": "[^/]*"
        default: escaped(scalar)
        }
      }.joined()
    }
    return "r'(?s:\(alternatives.joined(separator: "|")))'"
  }

  /// A value of a key: a percent sign would begin the name of another key.
  static func value(_ text: String) -> String {
    text.unicodeScalars.map { $0 == "%" ? "%%" : String($0) }.joined()
  }

  /// Letters and digits are written as they are; the others mean the same in texts and in expressions this way.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    let isPlain =
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      || ("0"..."9").contains(scalar) || scalar == "/" || scalar == "_" || scalar == "-"
    if isPlain { return String(scalar) }
    let digits = String(scalar.value, radix: 16)
    let isShort = scalar.value <= 0xFFFF
    let zeros = String(repeating: "0", count: (isShort ? 4 : 8) - digits.count)
    return (isShort ? "\\u" : "\\U") + zeros + digits
  }
}
