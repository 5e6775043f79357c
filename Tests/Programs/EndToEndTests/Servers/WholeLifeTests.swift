import Glibc
import TestSupport
import Testing

/// A whole life of an account on servers that CI leaves out: a first sync, changes on two machines, moves, copies, removals.
@Suite(.enabled(if: runsLongTests)) struct WholeLifeTests {
  /// The program of pymap, as in `python3 -m venv DIR; DIR/bin/pip install pymap`: DIR/bin/pymap.
  private static let pymap = getenv("MAGNUM_PYMAP").map { String(cString: $0) }

  /// A machine that mirrors the account.
  private struct Machine {
    private let program: ProgramUnderTest

    init(_ lines: String) throws {
      program = try ProgramUnderTest()
      try program.configure(
        """
        [account.test]
        maildir = "~/Mail/test"
        \(lines)
        index = false

        """
      )
    }

    func sync() throws -> Outcome { try program.run() }

    func folder(_ name: String) -> LocalFolder {
      LocalFolder(program.home["Mail/test"], name)
    }

    /// Writes a message that is new here.
    func add(_ subject: String, to name: String) throws {
      let text =
        "From: a@example.org\nSubject: \(subject)\nMessage-ID: <\(subject)@example.org>\n"
        + "Date: Mon, 2 Jan 2023 10:00:00 +0000\n\ntext of \(subject)\n"
      try folder(name).add("1700000000.1_\(subject).host", Array(text.utf8), flags: "S")
    }

    /// The folder, subject and flags of each file, sorted.
    func files(withFlags: Bool) -> [String] {
      MaildirTree(program.home["Mail/test"]).mailboxes.flatMap { name, files in
        files.map { file in
          let lines = String(decoding: file.body, as: UTF8.self).split(separator: "\n")
          let subject = lines.first { $0.hasPrefix("Subject: ") }?.dropFirst(9) ?? ""
          return "\(name) \(subject)" + (withFlags ? " \(file.flags)" : "")
        }
      }.sorted()
    }
  }

  @Test(.enabled("imap4d is there (Tests/need imap4d)") { MboxServer.canRun })
  func mailutils() throws {
    let home = try TempDirectory("imap4d")
    let server = try MboxServer(
      in: home,
      inbox: ["1", "2", "3", "4", "5"],
      mailboxes: ["Work", "New"]
    )
    try live(server.line()) { _ in }
  }

  @Test(.enabled("MAGNUM_PYMAP names the program of pymap") { pymap != nil })
  func pymapServer() throws {
    let port = try Loopback.freePort()
    let words = ["--host", "127.0.0.1", "--port", "\(port)", "--no-tls", "dict"]
    let server = try Command(Self.pymap ?? "", words).start()
    defer { server.signal(SIGTERM) }
    let isUp = Stopwatch.wait(upTo: 30) {
      guard let connection = try? Loopback.connect(port: port) else { return false }
      close(connection)
      return true
    }
    try #require(isUp)
    let lines =
      "imap = \"imap+plain://127.0.0.1:\(port)\"\nuser = \"demouser\"\npassword = \"demopass\""
    try live(lines) { machine in
      for number in 1...5 { try machine.add("\(number)", to: "INBOX") }
    }
  }

  /// What the server has is the same on both machines after each step, and on a third one in the end.
  private func live(_ lines: String, begin: (Machine) throws -> Void) throws {
    let (one, other) = (try Machine(lines), try Machine(lines))
    try begin(one)
    try settle(one, other)
    try one.add("6", to: "Work")
    try settle(one, other)
    try one.folder("INBOX").setFlags("S", of: "1")
    try other.folder("INBOX").setFlags("FS", of: "2")
    try settle(one, other)
    try one.folder("INBOX").move("3", to: "Work", flags: "S")
    try other.add("7", to: "New")
    try settle(one, other)
    try other.folder("Work").copy("6", to: "INBOX")
    try settle(one, other)
    try other.folder("INBOX").remove("4")
    try one.folder("Work").remove("3")
    try settle(one, other)
    try one.folder("INBOX").setFlags("", of: "2")
    try other.folder("INBOX").move("5", to: "New", flags: "S")
    try settle(one, other)
    let expected = [
      "INBOX 1", "INBOX 2", "INBOX 6", "New 5", "New 7", "Trash 3", "Trash 4", "Work 6",
    ]
    #expect(one.files(withFlags: false) == expected)
    let third = try Machine(lines)
    let first = try third.sync()
    #expect(first.code == 0, "\(first)")
    #expect(third.files(withFlags: true) == one.files(withFlags: true))
  }

  /// Some servers refuse a command now and then; after four rounds all is done.
  private func settle(_ one: Machine, _ other: Machine) throws {
    for round in 1...4 {
      for machine in [one, other] {
        let outcome = try machine.sync()
        if round == 4 { #expect(outcome.code == 0, "\(outcome)") }
      }
    }
    #expect(one.files(withFlags: true) == other.files(withFlags: true))
  }
}
