internal import CommandLine
internal import Platform
internal import Sendmail
internal import Terminal

/// The program magnum-send, which callers know as sendmail, mailq and newaliases.
@main
enum MagnumSend {
  static func main() {
    ProcessSecrecy.close()
    Signals.ignoreBrokenPipe()
    Signals.ignoreFileSizeLimit()
    let words = Environment.arguments
    let console = Console()
    if words.prefix(while: { !$0.elementsEqual("--".utf8) }).contains(Array("--json".utf8)) {
      console.writeErrorsAsJSON()
    }
    let context = CommandContext(name: "magnum-send", console: console)
    var status =
      printScript(words, console)
      ?? SendProgram(context).run(name: words.first ?? [], Array(words.dropFirst()))
    if console.finish() != nil, status == .success { status = .output }
    FaultPoint.writeCount()
    ProcessEnd.now(status: status.rawValue)
  }

  /// For packagers, as in the other programs; nil where that is not asked for.
  private static func printScript(_ words: [[UInt8]], _ console: Console) -> ExitStatus? {
    guard words.count == 3, words[1].elementsEqual("--generate-completion-script".utf8) else {
      return nil
    }
    guard let script = SendCompletion.script(for: String(decoding: words[2], as: UTF8.self)) else {
      return nil
    }
    console.print(script)
    return .success
  }
}
