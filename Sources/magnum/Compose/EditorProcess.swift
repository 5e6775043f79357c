internal import Glibc
internal import Platform

/// The user's editor.
enum EditorProcess {
  /// Runs it on a file and waits for its end; false where it failed.
  ///
  /// Its name may come with options, as the shell reads them. What interrupts it does not interrupt this program.
  static func run(on file: Path) -> Bool {
    let editor = Environment.value("VISUAL") ?? Environment.value("EDITOR") ?? "vi"
    let words = ["/bin/sh", "-c", "exec \(editor) \"$1\"", "sh"].map { [UInt8]($0.utf8) }
    var arguments: [UnsafeMutablePointer<CChar>?] =
      (words + [file.octets]).map { word in
        (word.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
          buffer.baseAddress.flatMap { strdup($0) }
        }
      } + [nil]
    defer { for argument in arguments { free(argument) } }
    let before = (signal(SIGINT) { _ in }, signal(SIGQUIT) { _ in })
    defer {
      signal(SIGINT, before.0)
      signal(SIGQUIT, before.1)
    }
    var child: pid_t = 0
    guard posix_spawn(&child, "/bin/sh", nil, nil, &arguments, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return false } }
    return status == 0
  }
}
