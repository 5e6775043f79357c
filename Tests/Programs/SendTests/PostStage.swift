import Glibc
import TestSupport
import Testing

/// A home with an account "work" that sends through a sink and has its mail on a Dovecot, and all programs.
final class PostStage {
  let server: Dovecot
  let user: String
  let send: ProgramUnderTest
  let sink: SMTPSink
  private(set) var imap: RawIMAP

  init(_ options: DovecotOptions = PostStage.withSent, sink: SMTPSink.Options = .init()) throws {
    signal(SIGPIPE, SIG_IGN)
    server = try Dovecot.shared(options)
    user = Dovecot.freshUser("post")
    send = try ProgramUnderTest("magnum-send")
    var sink = sink
    sink.extensions.append("AUTH PLAIN")
    self.sink = try SMTPSink(sink)
    imap = try RawIMAP(server, user: user)
    try configure()
  }

  /// A server with a mailbox for what was sent.
  static var withSent: DovecotOptions {
    var options = DovecotOptions()
    options.specialUse["Sent"] = "\\Sent"
    return options
  }

  func configure(
    _ lines: String = "",
    imap url: String? = nil,
    smtp: String? = nil,
    sync: String = "",
    canSend: Bool = true,
    hasServer: Bool = true
  ) throws {
    let mailboxes = "imap = \"\(url ?? server.clearURL)\""
    let sending = "smtp = \"\(smtp ?? "smtp+plain://127.0.0.1:\(sink.port)")\""
    try send.configure(
      """
      delivery-log = "none"
      [account.work]
      address = "me@x.test"
      maildir = "~/Mail/work"
      \(hasServer ? mailboxes : "")
      user = "\(user)"
      password = "pass"
      \(canSend ? sending : "")
      \(lines)
      \(hasServer ? "[account.work.sync]" : "")
      \(sync)
      """
    )
  }

  var maildir: String { send.home["Mail/work"] }

  var spool: String { send.home[".local/state/magnum/spool/work"] }

  /// Gives a message to the program.
  func give(
    _ message: String,
    _ arguments: String...,
    variables: [String: String] = [:]
  ) throws -> Outcome {
    var command = send.command(arguments, variables)
    command.input = Array(message.utf8)
    return try command.run()
  }

  /// Runs magnum.
  func magnum(_ arguments: String..., variables: [String: String] = [:]) throws -> Outcome {
    try run("magnum", arguments, variables)
  }

  /// Runs magnum-sync.
  func sync(_ arguments: String..., variables: [String: String] = [:]) throws -> Outcome {
    try run("magnum-sync", arguments, variables)
  }

  private func run(
    _ name: String,
    _ arguments: [String],
    _ variables: [String: String]
  ) throws -> Outcome {
    var command = send.command(arguments, variables)
    command.program = "\(ProgramUnderTest.products)/\(name)"
    return try command.run()
  }

  /// The entries of a state, by name.
  func entries(_ state: String) -> [String] {
    Files.names(in: "\(spool)/\(state)").map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// The text of an entry's log.
  func log(of entry: String) -> String { Files.text("\(spool)/log/\(entry)") ?? "" }

  /// What the mailbox holds.
  func sent(_ mailbox: String = "Sent") throws -> [RawIMAP.Message] {
    try imap.messages(in: mailbox)
  }

  /// Saves what is here, with the server's mail.
  func save() throws { try copy("saved") }

  /// Puts back what was saved.
  func restore() throws {
    let script = """
      cd "$1"; rm -rf .local Mail "$2/$3"; for part in .local Mail; do
        [ ! -e "saved/$part" ] || cp -a "saved/$part" .
      done; cp -a saved/server "$2/$3"
      """
    try reconnecting { try Command.shell(script, [send.home.path, mail, user]) }
    sink.clear()
  }

  private func copy(_ name: String) throws {
    let script = """
      cd "$1"; rm -rf saved; mkdir saved; for part in .local Mail; do
        [ ! -e "$part" ] || cp -a "$part" saved/
      done; cp -a "$2/$3" saved/server
      """
    try reconnecting { try Command.shell(script, [send.home.path, mail, user]) }
  }

  private var mail: String { "\(server.folder)/mail" }

  private func reconnecting(_ body: () throws -> Void) throws {
    try imap.command("LOGOUT")
    waitForServer()
    try body()
    imap = try RawIMAP(server, user: user)
  }

  /// Waits until no process of the server works on what a killed client told it.
  private func waitForServer() {
    let folder = "\(mail)/\(user)/"
    _ = Stopwatch.wait(upTo: 10) { !Files.isOpen(below: folder, by: "imap") }
  }
}
