internal import CommandLine
internal import Octets
internal import Platform

/// The one file of the suite: the name by which it is called chooses the program.
@main
enum Main {
  static func main() {
    ProcessSecrecy.close()
    Signals.ignoreBrokenPipe()
    Signals.ignoreFileSizeLimit()
    let words = Environment.arguments
    program(calledBy: words.first ?? []).main(Array(words.dropFirst()))
  }

  /// The program of that name; where the name says nothing, that of the first link to the file whose name does.
  private static func program(calledBy name: [UInt8]) -> SuiteProgram {
    if let program = named(Path(name).lastComponent) { return program }
    for place in FileSystem.links(from: Environment.executable) {
      if let program = named(place.lastComponent) { return program }
    }
    return Magnum.program
  }

  private static func named(_ base: [UInt8]) -> SuiteProgram? {
    // A shell that logs in has its name begin with a dash.
    let name = base.first == ASCII.minus ? Array(base.dropFirst()) : base
    switch String(decoding: name, as: UTF8.self) {
    case "magnum": return Magnum.program
    case "magnum-sync": return MagnumSync.program
    case "magnum-search": return MagnumSearch.program
    default: return MagnumSend.program(named: name)
    }
  }
}
