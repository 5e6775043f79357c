import Glibc
import Synchronization
import TestSupport

/// A server that answers STARTTLS with what it is told to, and notes all that it hears.
final class Liar: Sendable {
  let port: UInt16

  private let text = Mutex("")

  /// What came in the clear.
  var heard: String { text.withLock { $0 } }

  /// A server; without an answer it does not offer STARTTLS at all.
  init(_ answer: String) throws {
    let (listener, port) = try Loopback.listen()
    self.port = port
    _ = Background { [self] in
      if let connection = Loopback.accept(listener, seconds: 20) {
        converse(connection, answer)
        close(connection)
      }
      close(listener)
    }
  }

  private func converse(_ connection: Int32, _ answer: String) {
    guard Loopback.send(Array("220 x\r\n".utf8), to: connection) else { return }
    while let octets = Loopback.receive(connection, seconds: 5), !octets.isEmpty {
      // What is encrypted begins with an octet that no command has.
      guard octets.first != 22 else { return }
      let command = String(decoding: octets, as: UTF8.self)
      text.withLock { $0 += command }
      let offer = answer.isEmpty ? "250 AUTH PLAIN\r\n" : "250-AUTH PLAIN\r\n250 STARTTLS\r\n"
      let reply =
        command.hasPrefix("EHLO")
        ? "250-x\r\n" + offer : command.hasPrefix("STARTTLS") ? answer : "250 ok\r\n"
      guard Loopback.send(Array(reply.utf8), to: connection) else { return }
    }
  }
}
