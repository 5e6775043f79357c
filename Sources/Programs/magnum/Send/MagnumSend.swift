internal import CommandLine
internal import MailModel
internal import Octets
internal import Platform
internal import Sendmail
internal import Terminal

/// The program magnum-send, which callers know as sendmail, mailq and newaliases.
enum MagnumSend {
  /// The program under its own name.
  static var program: SuiteProgram { program(calledBy: Array("magnum-send".utf8)) }

  /// The program as it was called by one of its names; nil where it is none.
  static func program(named name: [UInt8]) -> SuiteProgram? {
    SendmailCommandLine.isName(name) ? program(calledBy: name) : nil
  }

  private static func program(calledBy name: [UInt8]) -> SuiteProgram {
    SuiteProgram("magnum-send") { main(name, $0) }
  }

  private static func main(_ name: [UInt8], _ arguments: [[UInt8]]) -> Never {
    let console = Console()
    if arguments.prefix(while: { !$0.elementsEqual("--".utf8) }).contains(Array("--json".utf8)) {
      console.writeErrorsAsJSON()
    }
    let context = CommandContext(name: "magnum-send", console: console)
    var status =
      printScript(arguments, console) ?? RequestRun(context).run(name: name, arguments)
    if console.finish() != nil, status == .success { status = .output }
    FaultPoint.writeCount()
    ProcessEnd.now(status: status.rawValue)
  }

  /// For packagers, as in the other programs; nil where that is not asked for.
  private static func printScript(_ words: [[UInt8]], _ console: Console) -> ExitStatus? {
    guard words.count == 2, words[0].elementsEqual("--generate-completion-script".utf8) else {
      return nil
    }
    guard let script = SendCompletion.script(for: String(decoding: words[1], as: UTF8.self)) else {
      return nil
    }
    console.print(script)
    return .success
  }
}

/// What `magnum-send --help` prints: the letters of sendmail, and the options of the one table.
enum SendHelp {
  /// The options of sendmail that do something here.
  static let letters = [
    ("-i", "a line with a single dot does not end the message"),
    ("-r ADDRESS", "the same as -f"),
    ("-F NAME", "the sender's name, for a message without From"),
    ("-N WHEN, -R WHAT, -V ID", "which reports are requested"),
    ("-L TAG", "a word for the log of deliveries"),
    ("-oeq", "say nothing of a message that waits in the queue"),
    ("-v", "print the conversation with the server"),
    ("-bp", "print the queue; also by the name mailq"),
    ("-bv", "the same as --dry-run"),
    ("-C FILE", "the same as --config"),
    ("-q", "send what is in the queue; also by the name runq"),
  ]

  static var text: String {
    let head = """
      usage: magnum-send [options] [--] [recipient ...] < message
      Takes a message, keeps it until it is sent, and sends it at once if possible.

      """
    let own = LongOption.all.map { option in
      let names = option.letters.isEmpty ? option.name : "\(option.letters), \(option.name)"
      return (names + (option.value.map { " \($0)" } ?? ""), option.help)
    }
    let lines = (letters + own).map(line)
    let tail = "\nAll other options of sendmail are accepted. See magnum-send(1)."
    return ([head] + lines + [tail]).joined(separator: "\n")
  }

  private static func line(_ label: String, _ help: String) -> String {
    "  " + label + String(repeating: " ", count: max(2, 26 - label.utf8.count)) + help
  }
}
