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
