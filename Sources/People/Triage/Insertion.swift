package import Configuration
internal import Correspondence
package import MailModel
internal import Maildir
package import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// A message of another program put into a folder as it is, with flags and tags.
package struct Insertion {
  private let configuration: Configuration
  private let account: Account
  private let directory: Path
  private let flags: SystemFlags
  private let tags: TagEdit

  /// An insertion into a folder of an account.
  ///
  /// - Parameters:
  ///   - configuration: the accounts.
  ///   - account: the one that gets the message.
  ///   - folder: the folder by its name; one that is not there may be what it has for drafts, sent mail and the like.
  ///   - isMaking: whether a folder is made that is not there.
  ///   - words: tags with their signs; of those that say where a message is, `draft` counts alone.
  /// - Throws: that there is no such folder; a word that is no tag.
  package init(
    _ configuration: Configuration,
    _ account: Account,
    folder: [UInt8],
    making isMaking: Bool,
    _ words: [String]
  ) throws(Explanation) {
    self.configuration = configuration
    self.account = account
    let folders = AccountFolders(account)
    guard let found = try Self.find(folder, folders, making: isMaking) else {
      throw Explanation(
        .cannotCreate,
        place: account.name,
        "there is no folder \(Printable.text(folder, limit: 200))",
        hint: "--create-folder makes it"
      )
    }
    directory = folders.tree.path(of: found)
    let isDraft = words.contains { $0.lowercased() == "+draft" }
    tags = try TagEdit(words.filter { !Self.isPlace($0) })
    // What people are writing themselves is read.
    let own: SystemFlags = isDraft ? [.draft, .seen] : []
    flags = tags.marks.on.union(own).subtracting(tags.marks.off)
  }

  /// Whether a tag says where or what a message is: that is told by its folder, and by itself.
  private static func isPlace(_ word: String) -> Bool {
    ["inbox", "sent", "draft", "trash", "spam"].contains(word.dropFirst().lowercased())
  }

  private static func find(
    _ name: [UInt8],
    _ folders: AccountFolders,
    making isMaking: Bool
  ) throws(Explanation) -> [UInt8]? {
    if name.isEmpty || name.equalsCaseless("INBOX") { return folders.inbox }
    if let found = try folders.existing(name) { return found }
    for role in [MailboxRole.drafts, .sent, .archive, .junk, .trash]
    where RoleFinder.isName(name, of: role) || name.equalsCaseless([UInt8](role.rawValue.utf8)) {
      if let found = try folders.folder(for: role) { return found }
      let usual = role.rawValue.prefix(1).uppercased() + role.rawValue.dropFirst()
      return isMaking ? try folders.make([UInt8](usual.utf8)) : nil
    }
    return isMaking ? try folders.make(name) : nil
  }

  /// Puts the message there; durable on return.
  ///
  /// - Returns: why searches do not find it yet, or its tags are not set; nil where all is done.
  /// - Throws: why it is not there.
  package func insert(_ message: any OctetSource) throws(Explanation) -> Explanation? {
    try PartialFiles(configuration.accounts).checkWhole(message, "not put into another folder")
    let delivery = FolderDelivery(to: directory, of: account, flags: flags, suffix: ".inserted")
    let placed = try delivery.place(try delivery.write(message))
    guard !tags.added.isEmpty else { return placed.unindexed }
    // By then the message is there: it must not be put there again.
    do throws(Explanation) {
      let verb = TriageVerb.tag(
        try TagEdit(tags.added.map { "+" + String(decoding: $0, as: UTF8.self) })
      )
      let finder = try TargetFinder(configuration, accounts: [account.name], now: Clock.now())
      let targets = try finder.targets([placed.file.display], for: verb)
      let triage = Triage(configuration, stateHome: Environment.stateHome)
      let command = [UInt8](("insert " + tags.words.joined(separator: " ")).utf8)
      _ = try triage.carryOut(try triage.plan(verb, targets, finder), command: command)
      return placed.unindexed
    } catch {
      return error
    }
  }
}
