internal import Configuration
internal import MailModel
internal import Maildir
internal import Octets
internal import SyncState

/// Finds the folders to which a verb moves or copies messages of each account.
struct Destinations {
  /// Where messages go.
  struct Destination {
    let account: Account
    let folder: [UInt8]
  }

  private let verb: TriageVerb
  private let accounts: [Account]
  private let folders: (Account) -> AccountFolders
  private var known: [String: Destination] = [:]

  init(
    _ verb: TriageVerb,
    _ accounts: [Account],
    _ folders: @escaping (Account) -> AccountFolders
  ) {
    self.verb = verb
    self.accounts = accounts
    self.folders = folders
  }

  /// Where messages of an account go.
  ///
  /// - Throws: that it has no folder for them, or that no sync would take them there.
  mutating func destination(from account: Account) throws(Explanation) -> Destination {
    if let known = known[account.name] { return known }
    let found = try find(from: account)
    let there = folders(found.account)
    let name = there.tree.naming.name(of: found.folder)
    let direction = found.account.settings(ofFolder: found.folder).direction
    if found.account.server != nil, found.account.sync.pushes, direction == .pull {
      throw Explanation(
        .data,
        place: found.account.name,
        "\(Printable.text(name)) is only pulled, so that no sync would move a message there"
      )
    }
    if found.account.name != account.name, direction == .pull {
      throw Explanation(
        .data,
        place: found.account.name,
        "the account is only pulled, so that no sync would send it a message"
      )
    }
    if found.account.server != nil, !found.account.sync.selects(there.names.forms(of: name)) {
      throw Explanation(
        .data,
        place: found.account.name,
        "\(Printable.text(name)) is not mirrored, so that no sync would move a message there"
      )
    }
    known[account.name] = found
    return found
  }

  /// Whether a name is that of no folder, neither of the account nor of another one, so that it can be one of a label.
  func isLabel(_ name: String, of account: Account) throws(Explanation) -> Bool {
    let isOfOther = accounts.contains {
      $0.name != account.name && name.hasPrefix($0.name + "/")
    }
    guard !isOfOther else { return false }
    return try folders(account).existing([UInt8](name.utf8)) == nil
  }

  /// The folder of the account itself where it has one of that name, else that of the account that the name begins with.
  private func find(from account: Account) throws(Explanation) -> Destination {
    let own = folders(account)
    if let found = try verb.target(in: own) { return Destination(account: account, folder: found) }
    switch verb {
    case .move(let name), .copy(let name):
      for other in accounts where other.name != account.name && name.hasPrefix(other.name + "/") {
        let rest = [UInt8](name.utf8.dropFirst(other.name.utf8.count + 1))
        if let found = try folders(other).existing(rest) {
          return Destination(account: other, folder: found)
        }
      }
    case .read, .unread, .flag, .unflag, .archive, .delete, .junk, .notjunk, .expunge, .tag,
      .snooze, .unsnooze:
      break
    }
    return Destination(account: account, folder: try missing(own))
  }

  /// A folder for a role is made where no server has another name for it.
  private func missing(_ folders: AccountFolders) throws(Explanation) -> [UInt8] {
    let account = folders.account
    switch verb {
    case .move(let name), .copy(let name):
      throw Explanation(
        .data,
        place: account.name,
        "there is no folder \(Printable.text(name.utf8, limit: 200))",
        hint: try suggestion(name, folders)
      )
    default: break
    }
    let role = verb.role?.rawValue ?? ""
    let name = role.prefix(1).uppercased() + role.dropFirst()
    if let named = verb.role.flatMap({ account.roles[$0] }) { return try folders.make(named) }
    // The first message that is snoozed has the mailbox made on the server, too.
    let isMade = account.server == nil || verb == .snooze && account.sync.create.includesRemote
    if isMade { return try folders.make([UInt8](name.utf8)) }
    throw Explanation(
      .partial,
      place: account.name,
      "there is no folder \(name)",
      hint:
        "name the mailbox in [account.\(account.name).roles], as \(role) = \"\(name)\"; one that is not there is made"
    )
  }

  private func suggestion(
    _ name: String,
    _ folders: AccountFolders
  ) throws(Explanation) -> String? {
    let names = try folders.all().map(folders.name)
    return Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" }
  }
}
