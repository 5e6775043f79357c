import Glibc
import Testing

/// Where the test program begins: all tests are of Swift Testing.
///
/// The package manager takes this file for the beginning because of its name. Otherwise it makes one that looks for tests of
/// XCTest too, for which it needs an index of all modules, and which loads all of Foundation.
@main
struct TestProgram {
  static func main() async {
    // A program under test may end before it has read what it is given.
    signal(SIGPIPE, SIG_IGN)
    await Testing.__swiftPMEntryPoint() as Never
  }
}
