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
  }

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
    guard let directive = set.take("Account") else { return store }
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
    var account = ImportedAccount(name: group.account.name, origins: [name])
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
    remarks += takeRules(group, into: &account)
    remarks += takeMailboxes(group, folders, isGmail: access.isGmail, into: &account)
    return (account, remarks)
  }

  private func isAbsolute(_ path: String) -> Bool { path.hasPrefix("/") || path.hasPrefix("~/") }

  private func takeStore(
    _ store: MbsyncFile.Section,
    into account: inout ImportedAccount
  ) -> [Remark] {
    var set = store.set
    let trash = set.take("Trash")
    let prefix = set.take("Path")?.value ?? ""
    if let trash { account.roles["trash"] = MbsyncPatterns.decoded(prefix + trash.value) }
    if set.take("Account") == nil {
      // What such a store says of the server was named with the server.
      _ = try? MbsyncServer(store, &set)
    }
    return DirectiveNotes.mbsyncServer.remarks(on: set)
  }

  private func takeRules(_ group: Group, into account: inout ImportedAccount) -> [Remark] {
    var remarks: [Remark] = []
    for (index, channel) in group.channels.enumerated() {
      var channel = channel
      let rules = MbsyncRules(&channel)
      remarks += rules.remarks + DirectiveNotes.mbsyncChannel.remarks(on: channel.set)
      if index == 0 {
        account.sync = rules.sync
      } else if rules.sync != account.sync {
        account.sync = rules.sync.careful(with: account.sync)
        let text = "channels of one account differ: the one that changes least counts for all"
        remarks.append(Remark(channel.head, .approximated, text))
      }
    }
    return remarks
  }

  // MARK: - Mailboxes

  private func takeMailboxes(
    _ group: Group,
    _ folders: MbsyncFolders,
    isGmail: Bool,
    into account: inout ImportedAccount
  ) -> [Remark] {
    var remarks: [Remark] = []
    var include: [String] = []
    var exclude: [String] = []
    for channel in group.channels {
      var store = channel.imapStore.set
      let prefix = store.take("Path")
      let found = mailboxes(of: channel, prefix: prefix?.value ?? "")
      include += found.include.filter { !include.contains($0) }
      exclude += found.exclude.filter { !exclude.contains($0) }
      remarks += self.remarks(on: channel, found, prefix, folders)
    }
    // What one channel leaves out, another may have.
    account.sync.exclude = exclude.filter { !include.contains($0) }
    account.sync.include = include.contains("*") ? [] : include
    account.sync.allMail = isGmail && include.contains(where: Self.isLabel)
    let isMoved = folders.isInboxMovedWithOthers && group.channels.contains { !$0.patterns.isEmpty }
    if !isMoved, include.contains(where: { MbsyncPatterns.covers($0, "INBOX") }),
      let remark = folders.inboxRemark
    {
      remarks.append(remark)
    }
    return remarks
  }

  private func mailboxes(of channel: MbsyncChannel, prefix: String) -> MbsyncPatterns {
    let box = channel.server.box
    guard !channel.patterns.isEmpty else {
      let name = box.isEmpty ? "INBOX" : box
      let isInbox = name.utf8.equalsCaseless("INBOX".utf8)
      return MbsyncPatterns([isInbox ? "INBOX" : name], prefix: isInbox ? "" : prefix)
    }
    return MbsyncPatterns(channel.patterns, prefix: prefix + box)
  }

  private func remarks(
    on channel: MbsyncChannel,
    _ found: MbsyncPatterns,
    _ prefix: Directive?,
    _ folders: MbsyncFolders
  ) -> [Remark] {
    var remarks: [Remark] = []
    let box = String(channel.local.box.dropFirst(folders.directory.count))
    if !found.lost.isEmpty, let line = channel.patternLine {
      let names = found.lost.joined(separator: ", ")
      remarks.append(
        Remark(line, .approximated, "exclude wins over include: left out are \(names)")
      )
    }
    if channel.patterns.isEmpty {
      let name = found.include.first ?? "INBOX"
      let folder = MbsyncPatterns.decoded(box)
      if let remark = folders.remark(channel.head, mailbox: name, isAt: folder) {
        remarks.append(remark)
      }
      return remarks
    }
    if let remark = folders.beginningRemark { remarks.append(remark) }
    if let prefix, !prefix.value.isEmpty {
      let text = "folders here have the whole names of the mailboxes, \(prefix.value) included"
      remarks.append(Remark(prefix, .approximated, text))
    } else if !box.isEmpty, box != channel.server.box {
      remarks.append(folders.remark(channel.head, beginning: box))
    } else if channel.server.box != box {
      let text = "folders have the names of the mailboxes, \(channel.server.box) included"
      remarks.append(Remark(channel.head, .approximated, text))
    }
    return remarks
  }

  /// Whether it names one of the mailboxes that only show what lies in others.
  private static func isLabel(_ pattern: String) -> Bool {
    pattern.hasPrefix("[G") && !pattern.contains("*") && !pattern.contains("%")
  }

  // MARK: - What is left

  /// Accounts and stores that no channel has a use for.
  private func unused() -> [Remark] {
    let used = accountsUsed()
    return file.sections.compactMap { section in
      guard section.kind == .account, !used.contains(section.name) else { return nil }
      return Remark(section.head, .notImported, "no channel syncs it with a Maildir")
    }
  }

  private func accountsUsed() -> Set<String> {
    let channels = file.sections.filter { $0.kind == .channel }
    let stores = Set(
      channels.flatMap { $0.set.rest.compactMap { MbsyncChannel.Place($0.value)?.store } }
    )
    var used: Set<String> = []
    for section in file.sections where section.kind == .imapStore {
      var set = section.set
      guard stores.contains(section.name), let account = set.take("Account") else { continue }
      used.insert(account.value)
    }
    return used
  }
}

extension ImportedAccount.Sync {
  /// Of two ways to sync, what changes least.
  func careful(with other: Self) -> Self {
    var result = self
    if direction != other.direction { result.direction = "pull" }
    if create != other.create { result.create = "none" }
    if remove != other.remove { result.remove = "none" }
    if expunge != other.expunge { result.expunge = "never" }
    result.onLocalDelete = onLocalDelete ?? other.onLocalDelete
    result.onRemoteDelete = onRemoteDelete ?? other.onRemoteDelete
    return result
  }
}
