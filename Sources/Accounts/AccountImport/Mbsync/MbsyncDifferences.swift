/// The settings of the channels of an account, as rules of the account and of single mailboxes.
struct MbsyncDifferences {
  /// A channel: what it does, and to which mailboxes.
  struct Channel {
    let rules: ImportedAccount.Rules
    let patterns: MbsyncPatterns

    /// Whether it admits all mailboxes.
    var isForAll: Bool { patterns.entries.contains { $0.admits && $0.pattern == "*" } }
  }

  /// What holds for all mailboxes but those that are named.
  private(set) var rules: ImportedAccount.Rules
  /// What holds for some mailboxes alone; the first pattern that fits counts.
  private(set) var mailboxes: [ImportedAccount.Mailbox] = []

  /// Compares channels.
  init(_ channels: [Channel]) {
    rules = Self.common(channels)
    // In mbsync, a later pattern counts before an earlier one. The channel that admits all mailboxes comes last.
    for channel in channels.filter({ !$0.isForAll }) + channels.filter(\.isForAll) {
      add(channel, channels)
    }
  }

  /// What the channel for all other mailboxes does; else what most do, and of `create` and `remove` the common part.
  private static func common(_ channels: [Channel]) -> ImportedAccount.Rules {
    if let all = channels.first(where: \.isForAll) { return all.rules }
    let counts = channels.map { channel in channels.count { $0.rules == channel.rules } }
    let most = counts.max().flatMap(counts.firstIndex)
    var rules = most.map { channels[$0].rules } ?? ImportedAccount.Rules()
    rules.create = commonSide(channels.map(\.rules.create))
    rules.remove = commonSide(channels.map(\.rules.remove))
    return rules
  }

  private static func commonSide(_ sides: [String?]) -> String {
    let all = sides.map { side -> Set<String> in
      side == "both" ? ["local", "remote"] : side == "none" ? [] : [side ?? "none"]
    }
    guard let first = all.first else { return "none" }
    let common = all.reduce(first) { $0.intersection($1) }
    return common.count > 1 ? "both" : common.first ?? "none"
  }

  private mutating func add(_ channel: Channel, _ all: [Channel]) {
    guard channel.rules != rules else { return }
    let entries = channel.patterns.entries
    for entry in entries.allSatisfy(\.admits) ? entries : entries.reversed() {
      let own = entry.admits ? channel.rules : rules
      let difference = Self.difference(own, beside: channel.rules == own ? rules : channel.rules)
      // What is kept out of the channel concerns nothing where no other channel has it.
      let isNeeded = entry.admits || all.contains { $0.patterns.admitAll(of: entry.pattern) }
      guard isNeeded, !mailboxes.contains(where: { $0.pattern == entry.pattern }) else { continue }
      let rules = entry.pattern == "INBOX" ? Self.withoutFolders(difference) : difference
      guard rules != ImportedAccount.Rules() else { continue }
      mailboxes.append(ImportedAccount.Mailbox(pattern: entry.pattern, rules: rules))
    }
  }

  /// The keys in which rules differ; what is nil there is the default.
  private static func difference(
    _ rules: ImportedAccount.Rules,
    beside other: ImportedAccount.Rules
  ) -> ImportedAccount.Rules {
    var difference = ImportedAccount.Rules()
    if rules.direction != other.direction { difference.direction = rules.direction ?? "both" }
    if rules.onLocalDelete != other.onLocalDelete {
      difference.onLocalDelete = rules.onLocalDelete ?? "trash"
    }
    if rules.onRemoteDelete != other.onRemoteDelete {
      difference.onRemoteDelete = rules.onRemoteDelete ?? "follow"
    }
    if rules.expunge != other.expunge { difference.expunge = rules.expunge ?? "trash" }
    if rules.create != other.create { difference.create = rules.create ?? "both" }
    if rules.remove != other.remove { difference.remove = rules.remove ?? "none" }
    return difference
  }

  /// The inbox is always there.
  private static func withoutFolders(_ rules: ImportedAccount.Rules) -> ImportedAccount.Rules {
    var rules = rules
    (rules.create, rules.remove) = (nil, nil)
    return rules
  }
}
