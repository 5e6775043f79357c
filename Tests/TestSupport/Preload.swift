/// A library that is loaded before the C library into a program under test, which knows nothing of it.
///
/// It records what the program changes on disk, for a ``PowerCut``, and sets its clock wrong.
package enum Preload {
  /// For the environment of a process whose clock is wrong by the seconds that the file `clock` holds at each moment.
  ///
  /// - Throws: `HarnessError` when the library cannot be built.
  package static func variables(clock: String) throws -> [String: String] {
    ["LD_PRELOAD": try library.get(), "PRELOAD_CLOCK": clock]
  }

  /// For the environment of a process whose changes are recorded in a folder.
  ///
  /// - Throws: `HarnessError` when the library cannot be built.
  package static func variables(changes folder: String) throws -> [String: String] {
    ["LD_PRELOAD": try library.get(), "PRELOAD_CHANGES": folder]
  }

  private static let library = Result { try build() }

  /// Builds it beside the tests; gives its path.
  private static func build() throws -> String {
    let path = "\(ProgramUnderTest.products)/preload.so"
    let script = """
      compiler=$(command -v cc || command -v clang)
      "$compiler" -shared -fPIC -O1 -Wall -Wextra -Werror -o "$2.$$" "$1" -ldl -lpthread
      mv "$2.$$" "$2"
      """
    try Command.shell(script, ["\(#filePath)".dropLast(".swift".count) + "/Preload.c", path])
    return path
  }
}
