internal import Archives
internal import Configuration
internal import MailModel
internal import MIME
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex
internal import Terminal

/// What an account could set so that verdicts of its server on senders are shown.
struct VerdictAdvice {
  /// Messages that are looked at.
  private static let count = 50
  /// The octets of a message in which its topmost fields stand.
  private static let length = 64 << 10

  private let proposal: VerdictProposal

  /// By the newest messages of INBOX here; nil where the account has these keys, no index, or messages that do not agree.
  init?(for account: Account, in configuration: Configuration) {
    guard account.verdictServers.names.isEmpty, account.isIndexed,
      let set = try? configuration.searchSet(
        [account.name],
        stemming: nil,
        isLocal: true,
        report: { _ in }
      ),
      let messages = try? set.messages(
        .exact(.folder, [UInt8](ascii: "INBOX")),
        .newestFirst,
        limit: Self.count
      ),
      let proposal = VerdictProposal(messages.compactMap { Self.header(of: $0.currentPath()) })
    else { return nil }
    self.proposal = proposal
  }

  private static func header(of file: Path?) -> Header? {
    guard let file, let open = try? Descriptor.open(file, .read),
      let octets = try? open.read(atMost: length, at: 0)
    else { return nil }
    return Message(octets).header
  }

  private var name: String {
    proposal.servers.names.map { String(decoding: $0, as: UTF8.self) }.joined()
  }

  /// The lines for a person.
  var text: String {
    let hops = proposal.servers.hops
    var settings = "authserv-id = [\"\(name)\"]"
    if hops > 0 { settings += "\n    authserv-hops = \(hops)" }
    var lines = ["    to see what the server says of senders:", "    \(settings)"]
    if hops > 0 {
      lines.append("    (the server is trusted then to remove forged fields of its name)")
    }
    if proposal.without > 0 {
      let count = proposal.without
      lines.append(
        "    (\(count) of the newest messages have no such field; a forged one would count there)"
      )
    }
    return lines.joined(separator: "\n")
  }

  /// The member `verdicts`.
  var json: JSONLine {
    var line = JSONLine()
    line.add("authserv-id", [name])
    line.add("authserv-hops", proposal.servers.hops)
    line.add("without", proposal.without)
    return line
  }
}
