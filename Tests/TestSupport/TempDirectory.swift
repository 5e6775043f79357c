import Glibc

/// A directory of its own for one test, removed with all that is in it when the value goes.
///
/// Keep it in a variable that lives as long as the test; `withExtendedLifetime` helps where the optimiser
/// would let it go early.
package final class TempDirectory: Sendable {
  /// The absolute path, without a slash at the end.
  package let path: String

  /// Makes the directory under `$TMPDIR`, else under `/tmp`.
  ///
  /// - Parameters:
  ///   - name: A word that shows in the path.
  ///   - mode: 0700; a server that runs as another user, as it does for root, needs 0755.
  ///   - isOnDisk: Under `/var/tmp` instead, for what is otherwise in a file system that is only memory.
  ///   - isInMemory: Under `/dev/shm` instead.
  /// - Throws: `HarnessError` when it cannot be made.
  package init(
    _ name: String = "test",
    mode: UInt32 = 0o700,
    isOnDisk: Bool = false,
    isInMemory: Bool = false
  ) throws {
    let usual = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let base = isOnDisk ? "/var/tmp" : isInMemory ? "/dev/shm" : usual
    var template = Array("\(base)/magnum-\(name).XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw HarnessError(call: "mkdtemp", code: errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    chmod(path, mode)
  }

  deinit {
    Files.removeTree(path)
  }

  /// The path of something inside.
  package subscript(name: String) -> String { "\(path)/\(name)" }

  /// Writes a file inside, making the directories above it, and returns its path.
  ///
  /// - Throws: `HarnessError` when it cannot.
  @discardableResult
  package func write(_ text: String, to name: String, mode: UInt32 = 0o644) throws -> String {
    try write(Array(text.utf8), to: name, mode: mode)
  }

  /// Writes a configuration, `config.toml`, of one account "test" with its mail in `Mail`, and returns its path.
  ///
  /// For engines whose server is in memory: nothing listens where it says. `more` are further lines of the account.
  ///
  /// - Throws: `HarnessError` when it cannot.
  @discardableResult
  package func writeConfiguration(_ more: String = "index = false") throws -> String {
    let text = """
      [account.test]
      maildir = "\(self["Mail"])"
      imap = "imap://localhost:1"
      user = "user"
      password = "pass"
      \(more)

      """
    return try write(text, to: "config.toml", mode: 0o600)
  }

  /// Writes a file inside, making the directories above it, and returns its path.
  ///
  /// - Throws: `HarnessError` when it cannot.
  @discardableResult
  package func write(_ octets: [UInt8], to name: String, mode: UInt32 = 0o644) throws -> String {
    let file = self[name]
    if let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) {
      try Files.makeDirectories(String(file[..<slash]))
    }
    try Files.write(octets, to: file, mode: mode)
    return file
  }
}
