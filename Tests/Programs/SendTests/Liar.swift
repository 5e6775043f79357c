import Glibc
import Synchronization
import TestSupport

/// A server that answers STARTTLS and the beginning of TLS with what it is told to, and notes all that it hears.
final class Liar: Sendable {
  /// What it is like.
  struct Manner: Sendable {
    /// The answer to STARTTLS; where it is empty STARTTLS is not offered at all.
    var answer = ""

    /// The answer to the first octets of TLS; then it ends the connection.
    var tlsAnswer: [UInt8] = []

    /// Whether TLS is to begin without STARTTLS.
    var isImplicit = false
  }

  let port: UInt16

  private let text = Mutex("")

  /// What came in the clear.
  var heard: String { text.withLock { $0 } }

  /// A server on loopback, for one connection.
  init(_ manner: Manner) throws {
    let (listener, port) = try Loopback.listen()
    self.port = port
    _ = Background { [self] in
      if let connection = Loopback.accept(listener, seconds: 20) {
        converse(connection, manner)
        close(connection)
      }
      close(listener)
    }
  }

  private func converse(_ connection: Int32, _ manner: Manner) {
    guard manner.isImplicit || Loopback.send(Array("220 x\r\n".utf8), to: connection) else {
      return
    }
    while let octets = Loopback.receive(connection, seconds: 5), !octets.isEmpty {
      // What is encrypted begins with an octet that no command has.
      guard octets.first != 22 else {
        _ = Loopback.send(manner.tlsAnswer, to: connection)
        return
      }
      let command = String(decoding: octets, as: UTF8.self)
      text.withLock { $0 += command }
      guard Loopback.send(Array(reply(command, manner).utf8), to: connection) else { return }
    }
  }

  private func reply(_ command: String, _ manner: Manner) -> String {
    if command.hasPrefix("STARTTLS") { return manner.answer }
    guard command.hasPrefix("EHLO") else { return "250 ok\r\n" }
    let offer =
      manner.answer.isEmpty ? "250 AUTH PLAIN\r\n" : "250-AUTH PLAIN\r\n250 STARTTLS\r\n"
    return "250-x\r\n" + offer
  }
}
