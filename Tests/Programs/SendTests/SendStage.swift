import Glibc
import TestSupport
import Testing

/// A home with an account "work" that sends through a server of the test's own, and the program.
final class SendStage {
  let program: ProgramUnderTest
  let sink: SMTPSink

  /// The spool of the account.
  var spool: String { program.home[".local/state/magnum/spool/work"] }

  init(_ options: SMTPSink.Options = SMTPSink.Options()) throws {
    // Programs that complain do not read what they are given.
    signal(SIGPIPE, SIG_IGN)
    program = try ProgramUnderTest("magnum-send")
    sink = try SMTPSink(options)
    try configure()
  }

  func configure(_ lines: String = "", server: String? = nil, log: String = "~/deliveries") throws {
    try program.configure(
      """
      delivery-log = "\(log)"
      [account.work]
      address = "me@x.test"
      smtp = "\(server ?? "smtp+plain://127.0.0.1:\(sink.port)")"
      \(lines)
      """
    )
  }

  /// Gives a message to the program.
  func send(
    _ message: String = "Subject: a\n\ntext\n",
    _ arguments: String...,
    variables: [String: String] = [:]
  ) throws -> Outcome {
    try command(message, arguments, variables).run()
  }

  func command(
    _ message: String,
    _ arguments: [String],
    _ variables: [String: String] = [:]
  ) -> Command {
    var command = program.command(arguments, variables)
    command.input = Array(message.utf8)
    return command
  }

  /// Works on the queue, whatever waits.
  @discardableResult
  func flush(variables: [String: String] = [:]) throws -> Outcome {
    try program.run("-q", variables: variables)
  }

  /// The entries of a state, by name.
  func entries(_ state: String) -> [String] {
    Files.names(in: "\(spool)/\(state)").map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// The text of an entry's log.
  func log(of entry: String) -> String { Files.text("\(spool)/log/\(entry)") ?? "" }

  /// The subjects of all messages that the server took, in its order.
  var subjects: [String] {
    sink.messages.map { message in
      let line = message.text.split(separator: "\n").first { $0.hasPrefix("Subject: ") }
      return String(line?.dropFirst(9) ?? "")
    }
  }

  func save() throws { try Command.shell("cd \"$1\"; rm -rf saved; cp -a .local saved", [home]) }

  func restore() throws {
    try Command.shell("cd \"$1\"; rm -rf .local; [ ! -e saved ] || cp -a saved .local", [home])
    sink.clear()
  }

  private var home: String { program.home.path }
}
