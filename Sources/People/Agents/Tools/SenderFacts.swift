internal import AgentPlan
internal import Configuration
internal import Correspondence
internal import JSON
internal import MailModel
internal import MIME
internal import Octets
internal import Query
internal import SearchIndex

/// What there is to know of who sent a message, by the mail of the view and the receiving server alone.
struct SenderFacts {
  private let mail: AgentMail
  private let header: Header
  private let found: FoundMessage
  private let files: [FoundFile]
  private let decoder: CharsetDecoder

  /// More messages to an address, or of it, are not looked at.
  private static let limit = 200

  init(
    _ mail: AgentMail,
    _ header: Header,
    _ found: FoundMessage,
    _ files: [FoundFile],
    _ decoder: CharsetDecoder
  ) {
    (self.mail, self.header, self.found) = (mail, header, found)
    (self.files, self.decoder) = (files, decoder)
  }

  func members() throws(ToolFailure) -> [(name: String, value: JSONValue)] {
    [
      ("authenticated", .string(authenticated)), ("known", .string(try known())),
      ("own", .string(own)),
    ]
  }

  /// Whether the receiving server vouches for From; what is said elsewhere counts for nothing.
  private var authenticated: String {
    let verdict = files.lazy.compactMap { $0.currentPath() }.first
      .flatMap { mail.profile.accounts.holder(of: $0) }
      .flatMap { SenderVerdict(of: header, by: $0.verdictServers, decoder) }
    return switch verdict?.kind ?? SenderVerdict.Kind.none {
    case .pass: "pass"
    case .fail: "fail"
    case .none: "unknown"
    }
  }

  /// Whether the sender is a stranger.
  private func known() throws(ToolFailure) -> String {
    guard let author = found.from.first.flatMap({ PersonAddress($0.address) }) else { return "new" }
    let sent =
      mail.sent.isEmpty
      ? [] : try messages(author.recipientQuery(in: mail.sent.values, openly: true))
    for message in sent where author.isRecipient(of: message) {
      if try mail.files(of: message).contains(where: { isSent($0, message) }) {
        return "written-to"
      }
    }
    let isSeen = try messages(author.authorQuery).contains { message in
      author.isAuthor(of: message) && message.identity != found.identity
        && message.date < found.date
    }
    return isSeen ? "seen" : "new"
  }

  private func messages(_ query: Query) throws(ToolFailure) -> [FoundMessage] {
    try mail.look { (set) throws(IndexError) in
      try set.messages(.and([mail.view.query, query]), .newestFirst, limit: Self.limit)
    }
  }

  /// Whether the person sent it, or only From says so.
  private var own: String {
    if files.contains(where: { isSent($0, found) }) { return "sent" }
    let addresses = mail.profile.ownAddresses
    return header.mailboxes("From", decoder).contains { addresses.contains($0) } ? "claimed" : "no"
  }

  private func isSent(_ file: FoundFile, _ message: FoundMessage) -> Bool {
    mail.sent[file.maildir]?.holds(file, of: message) ?? false
  }
}
