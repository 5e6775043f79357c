import TestSupport
import Testing

/// The program of the server.
private let mboxServer = "\(UnpackedPackage.folder("imap4d"))/usr/sbin/imap4d"

/// A real server with files in the format of mbox (GNU mailutils), started by `imap-command`: no UIDPLUS, no MOVE, and the first
/// message of a file gets another size when it is put there.
@Suite(.enabled("imap4d is there") { Files.exists(mboxServer) }) struct MboxServerTests {
  private static let folder = UnpackedPackage.folder("imap4d")
  private static var server: String { mboxServer }

  private let program: ProgramUnderTest

  init() throws {
    program = try ProgramUnderTest()
    let home = program.home
    try home.write(Self.message("a") + Self.message("b"), to: "inbox")
    try home.write("", to: "server/Work")
    let rules = """
      mailbox { mailbox-pattern "\(home["inbox"])"; mailbox-type mbox; };
      namespace personal { prefix "" { directory "\(home["server"])"; mailbox-type mbox; }; };
      preauth stdio;
      """
    try home.write(rules, to: "imap4d.conf")
    let libraries = try Command.shell("ls -d \"$1\"/usr/lib/*-linux-gnu", [Self.folder])
    let path = libraries.split(separator: "\n").joined(separator: ":")
    let command = [
      "env", "LD_LIBRARY_PATH=\(path)", Self.server, "--config-file=\(home["imap4d.conf"])",
      "--inetd", "--preauth",
    ]
    try program.configure(
      """
      [account.test]
      maildir = "~/Mail/test"
      imap-command = [\(command.map { "\"\($0)\"" }.joined(separator: ", "))]
      index = false

      """
    )
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

  /// The subjects in a file of the server.
  private func subjects(_ file: String) -> [String] {
    let lines = (Files.text(program.home[file]) ?? "").split(separator: "\n")
    return lines.filter { $0.hasPrefix("Subject: ") }.map { String($0.dropFirst(9)) }.sorted()
  }

  private func count(_ folder: String) -> Int {
    MaildirTree(program.home["Mail/test"])[OctetName(Array(folder.utf8))].count
  }

  @Test func aMoveIsDoneOnce() throws {
    let first = try program.run()
    #expect(first.code == 0, "\(first)")
    _ = try LocalFolder(program.home["Mail/test"], "INBOX").move("b", to: "Work", flags: "")
    for _ in 0..<3 {
      let outcome = try program.run()
      #expect(outcome.code == 0, "\(outcome)")
    }
    #expect(subjects("inbox") == ["a"] && subjects("server/Work") == ["b"])
    #expect(count("INBOX") == 1 && count("Work") == 1)
  }
}
