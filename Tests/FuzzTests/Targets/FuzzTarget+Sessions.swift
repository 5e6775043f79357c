import IMAP
import MailModel
import Octets
import SMTP

/// Servers.
extension FuzzTarget {
  static func readIMAP(_ octets: [UInt8]) {
    let inbox = MailboxName(wire: "INBOX".utf8)
    var commands: [Command] = [
      .uidFetch(.uids(UIDSet([1...9])), [.flags], changedSince: nil), .select(inbox, nil),
      .list(reference: [], pattern: [42], returning: nil), .login(user: [97], password: [98]),
    ]
    var session = Session()
    session.isTracing = true
    session.send(.capability)
    var events: [Event] = []
    do throws(ProtocolError) {
      for piece in pieces(octets) {
        try session.receive(piece, into: &events)
        _ = session.takeOutgoing()
        while let literal = session.wantedLiteral {
          session.feedLiteral([UInt8](repeating: 97, count: Int(literal.remaining))[...])
          _ = session.takeOutgoing()
        }
        if session.pending == 0, let next = commands.popLast() { session.send(next) }
      }
    } catch {
      precondition(error.line.count <= 200)
    }
    _ = session.takeTrace()
  }

  static func readSMTP(_ octets: [UInt8]) {
    guard let name = ClientName([97]), let address = try? EnvelopeAddress([97, 64, 98]) else {
      return
    }
    let envelope = Envelope(from: nil, to: [Recipient(address), Recipient(address)])
    let message = Array("a: b\n\nc\n".utf8)
    var session = SMTPSession()
    guard let facts = try? MessageScanner.scan(message) else { return }
    do {
      for piece in pieces(octets) {
        for event in try session.receive(piece) {
          if case .challenge = event { session.respond([97]) }
          guard case .messageWanted = event else { continue }
          try session.send(message: message[...])
          try session.endMessage()
          if session.canAnnounce { _ = try session.announce(envelope, facts) }
        }
        _ = session.takeOutgoing()
        guard session.isIdle else { continue }
        switch session.state {
        case .greeted: session.send(.hello(name))
        case .ready where session.canBeginChunk:
          for _ in 1...2 {
            try session.beginChunk(envelope, facts)
            try session.send(message: message[...])
            try session.endMessage()
          }
        case .ready: _ = try session.begin(envelope, facts)
        case .greeting, .transaction, .message, .closed: break
        }
      }
    } catch {}
    precondition(session.outcome.map { $0.recipients.count == 2 } ?? true)
    _ = session.takeTrace()
  }
}
