import TestSupport

/// GNU mailutils' imap4d with files in the format of mbox, started for each connection by `imap-command`.
struct MboxServer {
  private static let folder = UnpackedPackage.folder("imap4d")
  private static let program = "\(folder)/usr/sbin/imap4d"

  static var canRun: Bool { Files.exists(program) }

  private let home: TempDirectory

  /// A server with these messages in INBOX, and other mailboxes without any.
  init(in home: TempDirectory, inbox: [String], mailboxes: [String]) throws {
    self.home = home
    try home.write(inbox.map(Self.message).joined(), to: "inbox")
    for name in mailboxes { try home.write("", to: "server/\(name)") }
    let rules = """
      mailbox { mailbox-pattern "\(home["inbox"])"; mailbox-type mbox; };
      namespace personal { prefix "" { directory "\(home["server"])"; mailbox-type mbox; }; };
      preauth stdio;
      """
    try home.write(rules, to: "imap4d.conf")
  }

  /// The line of an account's configuration.
  func line() throws -> String {
    let libraries = try Command.shell("ls -d \"$1\"/usr/lib/*-linux-gnu", [Self.folder])
    let path = libraries.split(separator: "\n").joined(separator: ":")
    let command = [
      "env", "LD_LIBRARY_PATH=\(path)", Self.program, "--config-file=\(home["imap4d.conf"])",
      "--inetd", "--preauth",
    ]
    return "imap-command = [\(command.map { "\"\($0)\"" }.joined(separator: ", "))]"
  }

  /// The subjects in a file of the server.
  func subjects(_ file: String) -> [String] {
    let lines = (Files.text(home[file]) ?? "").split(separator: "\n")
    return lines.filter { $0.hasPrefix("Subject: ") }.map { String($0.dropFirst(9)) }.sorted()
  }

  private static func message(_ subject: String) -> String {
    """
    From a@example.org Mon Jan  2 10:00:00 2023
    From: a@example.org
    Subject: \(subject)
    Message-ID: <\(subject)@example.org>
    Date: Mon, 2 Jan 2023 10:00:00 +0000

    text of \(subject)


    """
  }
}
