import Glibc

/// How servers that tests have in Python are started: each has a folder, says that it is ready, and ends with the test process.
enum PythonServer {
  /// Makes the folder of a server, below TMPDIR.
  ///
  /// - Throws: `HarnessError` when it cannot be made.
  static func folder(_ name: String) throws -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let folder = try Command.shell("mktemp -d \"$1/magnum-$2.XXXXXX\"", [base, name])
    return String(folder.dropLast())
  }

  /// Runs a script, whose first argument is its folder, until it has written `ready` there; the folder goes with it.
  ///
  /// - Parameters:
  ///   - script: the path of the script.
  ///   - folder: its folder, where it runs.
  ///   - words: its further arguments.
  ///   - python: the interpreter.
  /// - Throws: `HarnessError` when it is not there within a minute.
  static func start(
    _ script: String,
    in folder: String,
    _ words: [String],
    python: String = "python3"
  ) throws {
    let line = """
      exec 3<&0; cd "$1"; trap '' INT TERM HUP
      python=$2; script=$3; folder=$1; shift 3
      "$python" "$script" "$folder" "$@" <&3 2> errors || true
      cd / && rm -rf "$folder"
      """
    try Command("/bin/sh", ["-c", line, "sh", folder, python, script] + words).startGuarded()
    guard Stopwatch.wait(upTo: 60, until: { Files.exists("\(folder)/ready") }) else {
      let errors = Files.text("\(folder)/errors") ?? ""
      throw HarnessError("\(script) does not start: \(errors)")
    }
  }
}
