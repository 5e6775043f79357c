internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import SearchIndex
internal import Terminal
internal import Triage

/// Finds the recipients who did not get a sent message.
final class BounceLook {
  private let context: CommandContext
  /// A configuration that is missing or wrong knows of no sent mail.
  private lazy var configuration = try? context.configuration(isNeeded: false)
  /// By the name of an account.
  private var known: [String: [BouncedMessage]] = [:]

  init(_ context: CommandContext) {
    self.context = context
  }

  /// Those who did not get it; none for a message that does not lie where sent mail does.
  func recipients(of message: ShownMessage) -> [FailedRecipient] {
    guard let found = message.found else {
      return recipients(of: message.message, in: message.path)
    }
    guard found.hasTag([BounceTag.bounced]), let account = account(of: message.path) else {
      return []
    }
    return recipients(of: found.id, account)
  }

  /// The same of a message of that file.
  func recipients(of message: Message, in path: Path?) -> [FailedRecipient] {
    guard let path, let id = message.header.messageID?.octets, let account = account(of: path),
      let sent = try? account.sentMail(), isIn(sent.maildir, path)
    else { return [] }
    return recipients(of: id, account)
  }

  private func account(of path: Path?) -> Account? {
    guard let path else { return nil }
    return configuration?.accounts.holder(of: (try? FileSystem.realPath(path)) ?? path)
  }

  private func recipients(of id: [UInt8], _ account: Account) -> [FailedRecipient] {
    guard let configuration else { return [] }
    let bounced = known[account.name] ?? messages(of: account, configuration)
    known[account.name] = bounced
    return bounced.first { $0.id == id }?.recipients ?? []
  }

  private func isIn(_ maildir: Path, _ path: Path) -> Bool {
    let folder = path.parent.parent
    return ((try? FileSystem.realPath(folder)) ?? folder)
      == ((try? FileSystem.realPath(maildir)) ?? maildir)
  }

  private func messages(of account: Account, _ configuration: Configuration) -> [BouncedMessage] {
    let triage = Triage(configuration, stateHome: Environment.stateHome)
    return (try? triage.bouncedMessages(in: account)) ?? []
  }
}

/// What people and programs are told of a recipient who did not get a message.
extension FailedRecipient {
  /// The address, the status and the words of the server, in a line.
  var line: String {
    let reason = [status, words.isEmpty ? nil : words].compactMap { $0 }
      .map { Printable.text($0, limit: 300) }.joined(separator: " ")
    let address = Printable.text(address, limit: 254)
    return reason.isEmpty ? address : "\(address): \(reason)"
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("address", octets: address)
    if let status { line.add("status", octets: status) }
    if !words.isEmpty { line.add("reason", octets: words) }
    return line
  }
}
