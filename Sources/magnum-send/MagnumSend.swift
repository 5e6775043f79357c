internal import CommandLine
internal import Glibc
internal import Platform
internal import Sendmail
internal import Terminal

/// The program magnum-send, which callers know as sendmail, mailq and newaliases.
@main
enum MagnumSend {
  static func main() {
    Signals.ignoreBrokenPipe()
    let words = Environment.arguments
    let console = Console()
    let context = CommandContext(name: "magnum-send", console: console)
    var status = SendProgram(context).run(name: words.first ?? [], Array(words.dropFirst()))
    if console.finish() != nil, status == .success { status = .output }
    FaultPoint.writeCount()
    exit(status.rawValue)
  }
}
