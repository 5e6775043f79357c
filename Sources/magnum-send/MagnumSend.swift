internal import Glibc
internal import Platform
internal import Sendmail
internal import Terminal

/// The program magnum-send, which callers know as sendmail, mailq and newaliases.
@main
enum MagnumSend {
  static func main() {
    Signals.ignoreBrokenPipe()
    let words = arguments()
    let console = Console()
    let status = SendProgram(console).run(name: words.first ?? [], Array(words.dropFirst()))
    let lost = console.finish()
    FaultPoint.writeCount()
    exit(status == .success && lost != nil ? SendStatus.inputOutput.rawValue : status.rawValue)
  }

  /// The command line as octets: file names and addresses need not be UTF-8.
  private static func arguments() -> [[UInt8]] {
    (0..<Int(Swift.CommandLine.argc)).compactMap { index in
      Swift.CommandLine.unsafeArgv[index].map {
        Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
      }
    }
  }
}
