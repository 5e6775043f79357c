import Glibc
import TestSupport

/// A real server on loopback, one for all scenes that name its set of capabilities: each has a user of its own.
struct RealServer {
  let port: UInt16
  let names: MailboxNames
  /// Whether other clients move messages in one step, whatever the program is told.
  let hasMove: Bool
  /// Whether literals are announced before they are sent.
  let waitsForLiterals: Bool
  /// Where Dovecot keeps the mail of users; nil for a server into whose files the judge does not reach.
  let mail: String?

  /// The sets of capabilities that Dovecot is played with.
  static let dovecots = ["full", "noqresync", "nocondstore", "nouidplus", "nomove", "bare"]

  /// The server of a set, started when it is first asked for.
  ///
  /// - Throws: `BadStep` for a set that no real server has, `HarnessError` for a server that does not start.
  static func named(_ set: String) throws -> RealServer {
    switch set {
    case "cyrus": return RealServer(try Cyrus.shared(), hasMove: true)
    case "courier": return RealServer(try Courier.shared(), hasMove: false)
    default: return RealServer(try Dovecot.shared(dovecot(set)))
    }
  }

  private init(_ server: Dovecot) {
    port = server.ports.clear
    names = .plain
    hasMove = true
    waitsForLiterals = false
    mail = "\(server.folder)/mail"
  }

  private init(_ server: HostedServer, hasMove: Bool) {
    port = server.ports.clear
    names = MailboxNames(prefix: server.prefix, delimiter: server.delimiter)
    self.hasMove = hasMove
    waitsForLiterals = true
    mail = nil
  }

  /// Verbs of steps that reach into the files of Dovecot.
  static func missing(_ set: String) -> Set<String> {
    ["cyrus", "courier"].contains(set) ? ["validity"] : []
  }

  private static func dovecot(_ set: String) throws -> DovecotOptions {
    guard dovecots.contains(set) else { throw BadStep(line: "no real server is called \(set)") }
    var options = DovecotOptions()
    options.specialUse = [
      "Sent": "\\Sent", "Trash": "\\Trash", "Drafts": "\\Drafts", "Junk": "\\Junk",
    ]
    options.lines = ["service imap {", "  process_min_avail = 2", "}"]
    let hidden = hidden(set)
    let left = DovecotOptions.allCapabilities.split(separator: " ").filter { word in
      !hidden.contains(String(word))
    }
    if !hidden.isEmpty { options.capabilities = left.joined(separator: " ") }
    return options
  }

  /// What the program is not told of.
  private static func hidden(_ set: String) -> Set<String> {
    switch set {
    case "noqresync": ["QRESYNC"]
    case "nocondstore": ["QRESYNC", "CONDSTORE"]
    case "nouidplus": ["UIDPLUS"]
    case "nomove": ["MOVE"]
    case "bare":
      Set(DovecotOptions.allCapabilities.split(separator: " ").map { "\($0)" })
        .subtracting(["IMAP4rev1", "LOGIN-REFERRALS"])
    default: []
    }
  }
}
