internal import ArgumentParser
internal import Glibc
internal import Platform

/// The program magnum-search: a query in, what it finds out, an exit status.
@main
enum Program {
  static func main() {
    if let options = QuickOptions.read(Array(CommandLine.arguments.dropFirst())) { run(options) }
    MagnumSearch.main()
  }

  /// Answers, and ends the process.
  static func run(_ options: SearchOptions) -> Never {
    let status = SearchCommand(options).run()
    FaultPoint.writeCount()
    exit(status)
  }
}
