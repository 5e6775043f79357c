internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MIME
internal import Octets
internal import Platform
internal import SpoolPlan
internal import Triage

/// Finds what the receiving server of an account said of the senders of its messages, and what other mail tells of them.
final class SenderLook {
  private let context: CommandContext
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
  /// A configuration that is missing or wrong knows of no server.
  private(set) lazy var configuration = try? context.configuration(isNeeded: false)
  /// The lists that were left.
  private lazy var left = (try? UnsubscribedLists().all()) ?? []
  /// By the name of an account; nil for one without an index or sent mail.
  private var histories: [String: AddressHistory?] = [:]

  init(_ context: CommandContext) {
    self.context = context
  }

  /// The verdict on a message; nil where nothing is known, or its file lies in no account that believes a server.
  func verdict(on message: ShownMessage) -> SenderVerdict? {
    verdict(on: message.message.header, at: message.path)
  }

  /// The verdict on the message of a header in that file.
  func verdict(on header: Header, at path: Path?) -> SenderVerdict? {
    guard let path, let account = holder(of: path),
      var verdict = SenderVerdict(of: header, by: account.verdictServers, decoder)
    else { return nil }
    if verdict.kind != .pass, isNewAddress(header, account) { verdict.add(.newAddress) }
    let isKnown = header.first("Authentication-Results") != nil || !verdict.marks.isEmpty
    return isKnown ? verdict : nil
  }

  /// When the list of a message was left, in seconds since 1970; nil where it was not before the message was written.
  func unsubscribed(_ header: Header, at path: Path?) -> Int64? {
    guard let path, !left.isEmpty, let date = header.date?.seconds,
      let list = UnsubscribedLists.name(of: header, decoder), let account = holder(of: path)
    else { return nil }
    return UnsubscribedLists.lastTime(list, in: account.name, before: date, of: left)
  }

  /// What people are told of that.
  static func remark(unsubscribed moment: Int64) -> String {
    let day = Timestamp.octets(moment + Int64(LocalTime.offset(at: moment))).prefix(10)
    return "[list: unsubscribed on \(String(decoding: day, as: UTF8.self))]"
  }

  private func holder(of path: Path) -> Account? {
    let accounts = configuration?.accounts ?? []
    return accounts.holder(of: (try? FileSystem.realPath(path)) ?? path)
      ?? accounts.holder(of: path)
  }

  private func isNewAddress(_ header: Header, _ account: Account) -> Bool {
    let senders = header.mailboxes("From", decoder)
    guard let sender = senders.first, senders.count == 1, let date = header.date?.seconds,
      let configuration, !OwnAddresses(of: configuration).contains(sender),
      let history = history(of: account)
    else { return false }
    return (try? history.isNewAddress(sender, at: date)) ?? false
  }

  private func history(of account: Account) -> AddressHistory? {
    if let known = histories[account.name] { return known }
    let sent = try? account.sentMail()
    let history = sent.flatMap { try? AddressHistory(of: account, sent: $0) }
    histories[account.name] = .some(history)
    return history
  }
}
