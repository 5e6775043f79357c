internal import AccountImport
internal import CommandLine
internal import Platform

/// What the options of `magnum accounts add` ask for.
struct AddOptions {
  var name: String?
  var maildir: String?
  var user: String?
  var imap: String?
  var smtp: String?
  var fingerprint: String?
  var trustFile: String?
  var passwordFile: String?
  var passwordCommand: String?
  var clientID: String?
  var clientSecretCommand: String?
  var isOAuth = false
  var accepted: [String] = []
  var isConfirmed = false
  var isPrinting = false

  /// Where a password comes from that need not be asked for; nil where there is none.
  var secret: ImportedSecret? {
    if let passwordFile { return .file(Self.absolute(passwordFile)) }
    return passwordCommand.map { .command($0) }
  }

  /// The path as the configuration takes it, which knows no working directory.
  static func absolute(_ argument: String) -> String {
    let path = (try? FileSystem.realPath(Path(argument: argument))) ?? Path(argument: argument)
    return String(decoding: path.octets, as: UTF8.self)
  }

  func check() throws(UsageMistake) {
    let sources = [passwordFile != nil, passwordCommand != nil, isOAuth].count { $0 }
    guard sources < 2 else {
      throw UsageMistake("--password-file, --password-command and --oauth exclude each other")
    }
    guard imap != nil || smtp == nil else {
      throw UsageMistake("--smtp needs --imap: both servers are given, or both are looked for")
    }
    guard isOAuth || (clientID == nil && clientSecretCommand == nil) else {
      throw UsageMistake("--client-id and --client-secret-command need --oauth")
    }
    guard !isPrinting || !isConfirmed else {
      throw UsageMistake("--print and --yes do not go together")
    }
  }

  static var all: [CommandOption<AddOptions>] {
    [
      .text("--name", value: "name", sets: \.name, help: "The name of the account."),
      .text(
        "--maildir",
        value: "directory",
        completion: .directories,
        sets: \.maildir,
        help: "Where the mail goes; ~/Mail and the name where it is not given."
      ),
      .text("--user", value: "name", sets: \.user, help: "The name to log in with."),
      .text(
        "--imap",
        value: "address",
        sets: \.imap,
        help: "The server for reading, as imaps://HOST; then no servers are looked for."
      ),
      .text(
        "--smtp",
        value: "address",
        sets: \.smtp,
        help: "The server for sending, as submissions://HOST."
      ),
      .text(
        "--tls-ca-file",
        value: "file",
        completion: .files,
        sets: \.trustFile,
        help: "Certificates (PEM) to trust besides those of the system."
      ),
      .text(
        "--tls-fingerprint",
        value: "digits",
        sets: \.fingerprint,
        help: "The one certificate to accept from both servers, by its SHA-256 fingerprint."
      ),
      .text(
        "--password-file",
        value: "file",
        completion: .files,
        sets: \.passwordFile,
        help: "A file with the password, which no other user can read."
      ),
      .text(
        "--password-command",
        value: "command",
        sets: \.passwordCommand,
        help: "A line for the shell that prints the password."
      ),
      .flag("--oauth", sets: \.isOAuth, help: "Log in at an authorization server."),
      .text("--client-id", value: "id", sets: \.clientID, help: "What the program is there."),
      .text(
        "--client-secret-command",
        value: "command",
        sets: \.clientSecretCommand,
        help: "A line for the shell that prints the client secret."
      ),
      .texts(
        "--accept",
        value: "host",
        addsTo: \.accepted,
        help: "Log in to this host without a question."
      ),
      .flag(
        "--yes",
        sets: \.isConfirmed,
        help: "Log in without a question to servers that the domain itself leads to."
      ),
      .flag(
        "--print",
        sets: \.isPrinting,
        help: "Print the account; log in nowhere, write nothing."
      ),
    ]
  }
}
