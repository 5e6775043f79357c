internal import Octets

/// Makes accounts of an mbsyncrc.
struct MbsyncImport {
  private(set) var accounts: [ImportedAccount] = []
  private(set) var remarks: [Remark] = []
  private let file: MbsyncFile
  private let name: String

  init(_ source: ForeignFile) {
    file = MbsyncFile(source)
    name = source.name
    remarks = file.remarks + DirectiveNotes.mbsyncGlobal.remarks(on: unusedGlobal)
    for group in groups() { add(group) }
    remarks += unused()
  }

  /// What stands outside of all sections and is not for channels.
  private var unusedGlobal: DirectiveSet {
    var set = file.global
    _ = set.takeAll(["Create", "Remove", "Expunge", "Sync", "SyncState", "MaxMessages", "MaxSize"])
    return set
  }

  /// The channels that sync the same account with the same Maildirs.
  private struct Group {
    let account: MbsyncFile.Section
    var channels: [MbsyncChannel]
    var patterns: Int { channels.reduce(0) { $0 + $1.patternCount } }
  }

  /// All patterns of an account are compared with each other; hostile files have more.
  private static let patternLimit = 300

  private mutating func groups() -> [Group] {
    var groups: [Group] = []
    for section in file.sections where section.kind == .channel {
      do throws(ImportProblem) {
        let channel = try MbsyncChannel(section, in: file)
        let account = try account(of: channel.imapStore)
        let place = groups.firstIndex { group in
          group.account.head == account.head
            && group.channels[0].maildirStore.head == channel.maildirStore.head
        }
        let count = place.map { groups[$0].patterns } ?? 0
        guard count + channel.patternCount <= Self.patternLimit else {
          let text = "the account has more than \(Self.patternLimit) mailboxes and patterns"
          throw ImportProblem(Remark(channel.head, .notImported, text))
        }
        if let place {
          groups[place].channels.append(channel)
        } else {
          groups.append(Group(account: account, channels: [channel]))
        }
      } catch {
        remarks.append(error.remark)
      }
    }
    return groups
  }

  /// The section with host and user: the account of a store, or the store itself.
  private func account(of store: MbsyncFile.Section) throws(ImportProblem) -> MbsyncFile.Section {
    var set = store.set
    guard let directive = set.takeLast("Account") else { return store }
    guard let section = file.section(.account, directive.value) else {
      throw ImportProblem(Remark(directive, .notImported, "no such IMAPAccount"))
    }
    return section
  }

  private mutating func add(_ group: Group) {
    do throws(ImportProblem) {
      let (account, found) = try imported(group)
      accounts.append(account)
      // Channels of one account tend to say the same.
      var said: Set<String> = []
      for remark in found where said.insert("\(remark.directive ?? "")\n\(remark.text)").inserted {
        if !remarks.contains(remark) { remarks.append(remark) }
      }
    } catch {
      remarks.append(error.remark)
    }
  }

  // MARK: - One account

  private func imported(_ group: Group) throws(ImportProblem) -> (ImportedAccount, [Remark]) {
    var account = ImportedAccount(name: accountName(of: group), origins: [name])
    var server = group.account.set
    let access = try MbsyncServer(group.account, &server)
    account.imap = access.access
    if let user = access.access.user, AddressSyntax.isAddress(user) { account.address = user }
    var remarks = access.remarks
    let store = group.channels[0].maildirStore
    let folders = MbsyncFolders(store, in: MbsyncChannel.directory(of: group.channels))
    guard let maildir = folders.maildir, isAbsolute(maildir) else {
      throw ImportProblem(Remark(store.head, .notImported, "Path and Inbox have to be absolute"))
    }
    // Before all that is to be moved: it would be moved into another account's Maildir.
    if let other = ImportedAccount.first(in: accounts, sharing: maildir) {
      throw ImportProblem(Remark(group.account.head, .notImported, other.sharing))
    }
    account.maildir = maildir
    account.isMaildirPlusPlus = folders.isMaildirPlusPlus
    remarks += folders.remarks
    if group.account.kind == .account { remarks += DirectiveNotes.mbsyncServer.remarks(on: server) }
    for head in Set(group.channels.map(\.imapStore.head.line)).sorted() {
      let channels = group.channels.filter { $0.imapStore.head.line == head }
      remarks += takeStore(channels[0].imapStore, into: &account)
    }
    let mailboxes = MbsyncMailboxes(group.channels, folders)
    mailboxes.fill(&account, isGmail: access.isGmail)
    remarks += takeRules(group, mailboxes, into: &account) + mailboxes.remarks
    account.duties = remarks.filter { [.secret, .toDo].contains($0.kind) }
    return (account, remarks)
  }

  /// The name by which people know the account: that of its one channel, or of the group of its channels.
  private func accountName(of group: Group) -> String {
    if group.channels.count == 1 { return group.channels[0].head.value }
    let channels = Set(group.channels.map(\.head.value))
    let found = file.sections.first { $0.kind == .group && Self.channels(of: $0) == channels }
    return found?.name ?? group.account.name
  }

  /// The channels of a group; a group may name single mailboxes of one.
  private static func channels(of section: MbsyncFile.Section) -> Set<String> {
    let words = section.head.arguments.dropFirst() + section.set.rest.flatMap(\.arguments)
    return Set(words.map { String($0.prefix { $0 != ":" }) })
  }

  private func isAbsolute(_ path: String) -> Bool { path.hasPrefix("/") || path.hasPrefix("~/") }

  private func takeStore(
    _ store: MbsyncFile.Section,
    into account: inout ImportedAccount
  ) -> [Remark] {
    var set = store.set
    let trash = set.takeLast("Trash")
    let names = MbsyncNames(&set)
    if let trash { account.roles["trash"] = names.mailbox(trash.value) }
    if account.sync.namespace == nil { account.sync.namespace = names.namespace }
    if set.takeLast("Account") == nil {
      // What such a store says of the server was named with the server.
      _ = try? MbsyncServer(store, &set)
    }
    return DirectiveNotes.mbsyncServer.remarks(on: set)
  }

  private func takeRules(
    _ group: Group,
    _ mailboxes: MbsyncMailboxes,
    into account: inout ImportedAccount
  ) -> [Remark] {
    var remarks: [Remark] = []
    var channels: [MbsyncDifferences.Channel] = []
    for (channel, patterns) in zip(group.channels, mailboxes.patterns) {
      var channel = channel
      let rules = MbsyncRules(&channel)
      remarks += rules.remarks + DirectiveNotes.mbsyncChannel.remarks(on: channel.set)
      channels.append(MbsyncDifferences.Channel(rules: rules.rules, patterns: patterns))
    }
    let differences = MbsyncDifferences(channels)
    account.sync.rules = differences.rules
    account.mailboxes = differences.mailboxes
    return remarks
  }

  // MARK: - What is left

  /// Accounts and stores that no channel has a use for, and groups, which Magnum does not need.
  private func unused() -> [Remark] {
    let used = accountsUsed()
    let stores = storesUsed()
    return file.sections.compactMap { section in
      switch section.kind {
      case .account where !used.contains(section.name):
        Remark(section.head, .notImported, "no channel syncs it with a Maildir")
      case .imapStore where !stores.contains(section.name),
        .maildirStore where !stores.contains(section.name):
        Remark(section.head, .notImported, "no channel uses it")
      case .group:
        Remark(section.head, .notNeeded, "magnum-sync syncs the accounts that it is given")
      default: nil
      }
    }
  }

  private func storesUsed() -> Set<String> {
    let channels = file.sections.filter { $0.kind == .channel }
    return Set(channels.flatMap { $0.set.rest.compactMap { MbsyncChannel.Place($0.value)?.store } })
  }

  private func accountsUsed() -> Set<String> {
    let stores = storesUsed()
    var used: Set<String> = []
    for section in file.sections where section.kind == .imapStore {
      var set = section.set
      guard stores.contains(section.name), let account = set.takeLast("Account") else { continue }
      used.insert(account.value)
    }
    return used
  }
}
