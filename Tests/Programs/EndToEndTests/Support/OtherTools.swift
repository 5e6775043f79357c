import Testing
import TestSupport

/// A user on a server with a Maildir.
protocol ServedStage {
  var program: ProgramUnderTest { get }
  var user: String { get }
  var maildir: String { get }
  var clearPort: UInt16 { get }
}

/// mbsync as its users run it, on the Maildir and the server of a stage.
struct Mbsync {
  let stage: any ServedStage
  /// Where `SyncState` points; nil leaves it out, so that it is `~/.mbsync`.
  var state: String? = "*"
  /// `SubFolders`, and more lines of the Maildir's store.
  var layout = "Verbatim"
  var store = ""
  /// What stands behind the Maildir in `Path`: without a slash it is the beginning of the names of all folders.
  var pathEnd = "/"
  /// Where the inbox lies in the Maildir.
  var inbox = "/INBOX"
  /// More lines of the channel.
  var channel = ""
  /// More lines of the store on the server.
  var farStore = ""
  /// The patterns of the channel.
  var patterns = "*"
  /// More channels, each with its lines.
  var channels: [[String]] = []

  /// Where the state lies by default.
  private var home: String { stage.program.home.path }

  /// Runs to the end.
  @discardableResult
  func run(_ arguments: String..., expecting code: Int32 = 0) throws -> Outcome {
    try Files.makeDirectories("\(home)/.mbsync")
    try Files.makeDirectories(stage.maildir)
    let file = "\(home)/mbsync.rc"
    try Files.write(configuration, to: file)
    var command = Command("/usr/bin/env", ["mbsync", "-c", file] + arguments + ["-a"])
    command.environment = ["HOME": home, "PATH": Command.ownEnvironment["PATH"] ?? ""]
    let outcome = try command.run()
    #expect(outcome.code == code, "\(outcome)")
    return outcome
  }

  /// An empty line ends a section, so that none may be left within.
  private var configuration: String {
    let path = layout == "Maildir++" ? "" : "Path \(stage.maildir)\(pathEnd)"
    let sections =
      [
        [
          "IMAPAccount far", "Host 127.0.0.1", "Port \(stage.clearPort)",
          "User \(stage.user)",
          "Pass pass", "SSLType None", "AuthMechs LOGIN",
        ],
        ["IMAPStore far", "Account far", farStore],
        [
          "MaildirStore near", path, "Inbox \(stage.maildir)\(inbox)", "SubFolders \(layout)",
          store,
        ],
        [
          "Channel all", "Far :far:", "Near :near:", "Patterns \(patterns)", "Create Near",
          state.map { "SyncState \($0)" } ?? "", channel,
        ],
      ] + channels
    return sections.map { $0.filter { !$0.isEmpty }.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }
}

/// offlineimap as its users run it, on the Maildir and the server of a stage.
struct OfflineIMAP {
  let stage: Stage

  /// Runs to the end.
  func run() throws {
    let home = stage.program.home.path
    try Files.makeDirectories(stage.maildir)
    let file = "\(home)/offlineimap.rc"
    try Files.write(configuration(home), to: file)
    var command = Command("/usr/bin/env", ["offlineimap", "-c", file, "-o", "-u", "basic"])
    command.environment = ["HOME": home, "PATH": Command.ownEnvironment["PATH"] ?? ""]
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
  }

  private func configuration(_ home: String) -> String {
    """
    [general]
    accounts = all
    metadata = \(home)/.offlineimap
    [Account all]
    localrepository = near
    remoterepository = far
    [Repository near]
    type = Maildir
    localfolders = \(stage.maildir)
    [Repository far]
    type = IMAP
    remotehost = 127.0.0.1
    remoteport = \(stage.server.ports.clear)
    remoteuser = \(stage.user)
    remotepass = pass
    ssl = no
    starttls = no
    auth_mechanisms = LOGIN

    """
  }
}
