import Glibc
import TestSupport

/// A running `openssl s_server`, killed when the value goes.
final class TLSPeer {
  /// Where it listens on 127.0.0.1.
  let port: UInt16

  private let directory: TempDirectory
  private let server: RunningCommand
  private var keys: Int32 = -1

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - certificate: the name of one of the ``Certificates``.
  ///   - options: of s_server; `-rev` makes it send each line back reversed.
  ///   - isTyping: whether ``type(_:)`` will be used.
  /// - Throws: `HarnessError` when it does not start.
  init(_ certificate: String = "good", _ options: [String] = ["-rev"], isTyping: Bool = false)
    throws
  {
    directory = try TempDirectory("peer")
    let arguments = ["-accept", "127.0.0.1:0", "-cert", "\(certificate).pem", "-key", "key.pem"]
    let input = isTyping ? #"cat < "$2/keys""# : "sleep 60"
    let script = #"cd "$1"; { \#(input); } | (shift 2; exec openssl s_server "$@")"#
    if isTyping { mkfifo(directory["keys"], 0o600) }
    let folders = [try Certificates.path("."), directory.path]
    let command = Command("/bin/sh", ["-c", script, "sh"] + folders + arguments + options)
    let server = try command.start()
    self.server = server
    var port: UInt16?
    let isListening = Stopwatch.wait(upTo: 20) {
      port = TLSPeer.port(in: server.outputSoFar)
      return port != nil || server.hasEnded
    }
    guard isListening, let port else {
      kill(-server.identifier, SIGKILL)
      throw HarnessError("s_server: \(server.outputSoFar)\(server.errorsSoFar)")
    }
    self.port = port
  }

  deinit {
    end()
    if keys >= 0 { close(keys) }
  }

  /// Types something at the server.
  ///
  /// - Throws: `HarnessError` when the server is gone.
  func type(_ text: String) throws {
    if keys < 0 { keys = open(directory["keys"], O_WRONLY | O_CLOEXEC) }
    try Files.writeAll(Array(text.utf8), to: keys)
  }

  /// What it has printed so far.
  var output: String { server.outputSoFar }

  /// What it has told about the connection so far, with the option `-state`.
  var log: String { server.errorsSoFar }

  /// Kills it, so that its connections end without close_notify.
  func end() {
    // The shell leads a process group of its own, which s_server belongs to.
    kill(-server.identifier, SIGKILL)
    _ = server.wait()
  }

  /// The port in the line `ACCEPT 127.0.0.1:12345`.
  private static func port(in output: String) -> UInt16? {
    for line in output.split(separator: "\n") where line.hasPrefix("ACCEPT ") {
      return line.split(separator: ":").last.flatMap { UInt16($0) }
    }
    return nil
  }
}
