import Glibc
import Platform
import TestSupport
import Testing

/// A home with an account "work" that has a Maildir and sends through a sink, and the program magnum.
final class ComposeStage {
  let magnum: ProgramUnderTest
  let sink: SMTPSink
  /// What is in the environment of the program besides.
  var variables: [String: String] = [:]

  init(_ lines: String = "", sink options: SMTPSink.Options = .init()) throws {
    signal(SIGPIPE, SIG_IGN)
    magnum = try ProgramUnderTest("magnum")
    sink = try SMTPSink(options)
    try magnum.configure(
      """
      delivery-log = "none"
      [account.work]
      address = "me@x.test"
      name = "Me"
      maildir = "~/mail"
      smtp = "smtp+plain://127.0.0.1:\(sink.port)"
      \(lines)
      """
    )
    try deliver("1", Self.mail)
    try #require(magnum.run("index").code == 0)
  }

  static let mail = """
    From: Ada <ada@x.org>
    To: me@x.test, Bob <bob@x.org>
    Cc: c@x.org
    Subject: lunch
    Message-ID: <m1@x.org>
    Date: 1 Jul 2026 10:00:00 +0000
    Content-Type: multipart/mixed; boundary=b

    --b
    Content-Type: text/plain; charset=utf-8
    Content-Transfer-Encoding: 8bit

    Shall we? é
    --b
    Content-Type: application/pdf; name=menu.pdf
    Content-Disposition: attachment
    Content-Transfer-Encoding: base64

    JVBERg==
    --b--

    """

  func deliver(_ name: String, _ message: String, folder: String = "INBOX") throws {
    for sub in ["new", "tmp"] { try Files.makeDirectories(magnum.home["mail/\(folder)/\(sub)"]) }
    try magnum.home.write(message, to: "mail/\(folder)/cur/\(name):2,S")
  }

  /// Runs the program without a terminal.
  func run(_ arguments: [String], input: String = "") throws -> Outcome {
    var command = magnum.command(arguments, variables)
    command.input = Array(input.utf8)
    command.timeLimit = 20
    return try command.run()
  }

  func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  /// Runs the program on a terminal, on which this is typed; its editor is a script that gets the file as `$1`.
  func type(_ keys: String, editor: String, _ arguments: String...) throws -> Outcome {
    try typeAll(keys, editor: editor, arguments)
  }

  /// The same with arguments in an array.
  func typeAll(_ keys: String, editor: String, _ arguments: [String]) throws -> Outcome {
    let script = try magnum.home.write("#!/bin/sh\n\(editor)\n", to: "editor", mode: 0o755)
    let line = ([magnum.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let usual = ["VISUAL": script, "TERM": "xterm", "SHELL": "/bin/sh"]
    var command = magnum.command([], usual.merging(variables) { $1 })
    command.program = "script"
    command.arguments = ["-qec", line, "/dev/null"]
    command.input = Array(keys.utf8)
    command.timeLimit = 20
    return try command.run()
  }

  /// The names of files in a folder, or of entries in a state of the queue.
  func names(_ place: String) -> [String] {
    Files.names(in: magnum.home[place]).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  var queued: [String] {
    ["queue", "hold", "failed"].flatMap { names(".local/state/magnum/spool/work/\($0)") }
  }

  /// What the logs of the queue's entries say, and those of entries that are gone.
  var log: String {
    let place = ".local/state/magnum/spool/work/log"
    return names(place).compactMap { Files.text(magnum.home["\(place)/\($0)"]) }.joined()
  }

  /// Forgets what was sent, kept as a draft and logged.
  func clear() throws {
    sink.clear()
    let home = magnum.home
    try Command.shell(
      "cd \"$1\"; rm -f mail/Drafts/cur/* .local/state/magnum/spool/work/log/*",
      [home.path]
    )
  }

  /// Locks the queue, as a program that works on it does.
  func lockQueue() throws -> FileLock {
    let path = magnum.home[".local/state/magnum/spool/work/.lock"]
    guard case .acquired(let lock) = try FileLock.acquire(Path(path)) else {
      throw HarnessError("the queue is locked")
    }
    return lock
  }

  var drafts: [String] { names("mail/Drafts/cur") }

  var left: [String] { names(".local/state/magnum/compose") }

  /// The only message that was sent.
  func sent() throws -> SMTPSink.Message {
    try #require(sink.messages.count == 1)
    return sink.messages[0]
  }
}
