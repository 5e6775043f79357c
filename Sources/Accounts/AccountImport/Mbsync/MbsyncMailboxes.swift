/// Which mailboxes the channels of an account sync, and with which folders.
struct MbsyncMailboxes {
  /// The patterns of each channel, in the order of the channels.
  let patterns: [MbsyncPatterns]
  private(set) var remarks: [Remark] = []
  /// Mailboxes whose folders have other names, with the folders.
  private var mapped: [String: String] = [:]
  private let entries: [MbsyncPatterns.Entry]
  private let folders: MbsyncFolders

  /// Takes the channels of an account and the store of their folders.
  init(_ channels: [MbsyncChannel], _ folders: MbsyncFolders) {
    self.folders = folders
    let names = channels.map { channel in
      var set = channel.imapStore.set
      return MbsyncNames(&set)
    }
    patterns = zip(channels, names).map { MbsyncPatterns($0, $1) }
    entries = MbsyncPatterns.union(patterns)
    for (channel, names) in zip(channels, names) { map(channel, names) }
    remarkInbox(channels)
  }

  /// Writes down what they come to.
  func fill(_ account: inout ImportedAccount, isGmail: Bool) {
    account.sync.folders = mapped
    account.sync.allMail = isGmail && entries.contains { $0.admits && Self.isLabel($0.pattern) }
    let hasExceptions = entries.indices.contains { place in
      entries[place].admits
        && entries[..<place].contains { before in
          !before.admits
            && (MbsyncPatterns.covers(before.pattern, entries[place].pattern)
              || MbsyncPatterns.covers(entries[place].pattern, before.pattern))
        }
    }
    guard !hasExceptions else { return account.sync.include = entries.map(\.text) }
    let include = entries.filter(\.admits).map(\.pattern)
    account.sync.include = include.contains("*") ? [] : include
    account.sync.exclude = entries.filter { !$0.admits }.map(\.pattern)
  }

  private static let ordinary = ["Sent Mail", "Drafts", "Trash", "Bin", "Spam"]

  /// Whether it names one of the mailboxes of Gmail that only show what lies in others.
  private static func isLabel(_ pattern: String) -> Bool {
    pattern.hasPrefix("[G") && !pattern.contains("*") && !pattern.contains("%")
      && !ordinary.contains { pattern.hasSuffix("]/\($0)") }
  }

  // MARK: - Folders

  /// Finds the mailboxes of a channel whose folders have other names.
  private mutating func map(_ channel: MbsyncChannel, _ names: MbsyncNames) {
    let box = MbsyncPatterns.decoded(String(channel.local.box.dropFirst(folders.directory.count)))
    guard !channel.patterns.isEmpty else {
      let mailbox = names.mailbox(channel.server.box.isEmpty ? "INBOX" : channel.server.box)
      return map(mailbox, to: box, channel.head, names)
    }
    if let remark = folders.beginningRemark { remarks.append(remark) }
    var hasWildcard = false
    for pattern in channel.patterns where !pattern.hasPrefix("!") {
      let name = names.decoded(pattern)
      if name.contains("*") || name.contains("%") {
        hasWildcard = true
      } else if folders.beginningRemark == nil {
        map(names.mailbox(channel.server.box + pattern), to: box + name, channel.head, names)
      }
    }
    if hasWildcard { remarkPrefixes(channel, box, names) }
  }

  private mutating func map(
    _ mailbox: String,
    to folder: String,
    _ directive: Directive,
    _ names: MbsyncNames
  ) {
    // The server's prefix is no part of the names of folders.
    let name =
      names.prefix == "INBOX/" && mailbox.hasPrefix("INBOX/")
      ? String(mailbox.dropFirst(6)) : mailbox
    let folder = folder.isEmpty ? "INBOX" : folder
    let isInbox = [folder, mailbox].contains { $0.uppercased() == "INBOX" }
    let isFree = !mapped.values.contains(folder)
    let isName = folder.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty
    }
    if folder == name, folders.beginningRemark == nil { return }
    if !isInbox, isFree, isName, folders.beginningRemark == nil {
      mapped[mailbox] = folder
    } else if let remark = folders.remark(directive, mailbox: name, isAt: folder) {
      remarks.append(remark)
    }
  }

  /// What is to be known where the names of all folders of a channel lack the beginning of those of their mailboxes, or have one
  /// of their own.
  private mutating func remarkPrefixes(
    _ channel: MbsyncChannel,
    _ box: String,
    _ names: MbsyncNames
  ) {
    if let path = names.path {
      let text = "folders here have the whole names of the mailboxes, \(path.value) included"
      remarks.append(Remark(path, .approximated, text))
    } else if !box.isEmpty, box != channel.server.box {
      remarks.append(folders.remark(channel.head, beginning: box))
    } else if channel.server.box != box {
      let text = "folders have the names of the mailboxes, \(channel.server.box) included"
      remarks.append(Remark(channel.head, .approximated, text))
    }
  }

  private mutating func remarkInbox(_ channels: [MbsyncChannel]) {
    let isMoved = folders.isInboxMovedWithOthers && channels.contains { !$0.patterns.isEmpty }
    let hasInbox = entries.contains { $0.admits && MbsyncPatterns.covers($0.pattern, "INBOX") }
    if !isMoved, hasInbox, let remark = folders.inboxRemark { remarks.append(remark) }
  }
}
