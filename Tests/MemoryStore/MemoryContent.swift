/// What a server in memory can do.
package struct MemoryAbilities: Hashable, Sendable {
  /// Whether it moves messages in one step.
  package var movesAtOnce = true
  /// Whether it expunges single messages, and names the UIDs that messages get.
  package var hasUIDPlus = true
  /// Whether it keeps modification sequences.
  package var hasModSequences = true
  /// Whether it tells which messages went.
  package var tellsVanished = true
  /// Whether it tells ids of mailboxes.
  package var tellsMailboxIDs = true
  /// Whether its list tells the status of all mailboxes.
  package var listsStatus = true
  /// Whether it tells what mailboxes are for.
  package var tellsUses = true
  /// Whether a mailbox that is renamed keeps its UIDVALIDITY.
  package var keepsValidity = true
  /// Whether its mailboxes are labels of messages, as Gmail's are.
  package var hasLabels = false
  /// Whether all mailboxes are below INBOX, as its NAMESPACE says.
  package var isBelowInbox = false
  /// Whether only STATUS tells UIDNEXT, and opening a mailbox does not.
  package var hidesNext = false
  /// Whether a copy gets another size than the message that it is of.
  package var changesCopies = false
  /// Whether a message that is uploaded gets another header, size and date.
  package var changesUploads = false

  /// What is put before a message that is copied, or that comes from a client, where the server changes it.
  static let (copiedField, receivedField) = ("X-Copied: yes", "X-Received: yes")

  /// All of that.
  package static let addedFields = [copiedField, receivedField]

  /// A server that lacks nothing.
  package init() {}

  /// A server that lacks everything except for what each keeps.
  package static var bare: MemoryAbilities {
    var abilities = MemoryAbilities()
    for path in switches { abilities[keyPath: path] = false }
    abilities.keepsValidity = true
    return abilities
  }

  /// All that can be lacking.
  static var switches: [WritableKeyPath<MemoryAbilities, Bool>] {
    [
      \.movesAtOnce, \.hasUIDPlus, \.hasModSequences, \.tellsVanished, \.tellsMailboxIDs,
      \.listsStatus, \.tellsUses, \.keepsValidity, \.hasLabels, \.isBelowInbox, \.hidesNext,
      \.changesCopies, \.changesUploads,
    ]
  }
}

/// All mail of one user.
package struct MemoryContent: Hashable, Sendable {
  /// The mailboxes by their names on the wire.
  package var mailboxes: [String: MemoryMailbox] = [:]
  /// The next UIDVALIDITY.
  package var nextValidity: UInt32 = 1_000
  /// What the server can do.
  package var abilities = MemoryAbilities()

  /// No mailbox.
  package init() {}

  /// A UIDVALIDITY that no mailbox had yet.
  package mutating func freshValidity() -> UInt32 {
    nextValidity += 1
    return nextValidity
  }

  /// Makes a mailbox; whatever has the name goes.
  package mutating func make(_ name: String, use: MailboxUse = .none) {
    let validity = freshValidity()
    var mailbox = MemoryMailbox(validity: validity, id: "F\(validity)")
    mailbox.use = use
    mailboxes[name] = mailbox
  }

  /// Whether a mailbox may have the name.
  func allows(_ name: String) -> Bool { !abilities.isBelowInbox || name.hasPrefix("INBOX/") }

  /// Renames a mailbox with all below it, as IMAP does; false where it is not there, or the new name is taken.
  package mutating func rename(_ old: String, to new: String) -> Bool {
    guard mailboxes[old] != nil, mailboxes[new] == nil, allows(new) else { return false }
    let names = mailboxes.keys.filter { $0 == old || $0.hasPrefix(old + "/") }.sorted()
    let renamed = names.map { ($0, new + $0.dropFirst(old.count)) }
    guard renamed.allSatisfy({ mailboxes[$0.1] == nil }) else { return false }
    for (name, other) in renamed {
      var mailbox = mailboxes.removeValue(forKey: name)
      if !abilities.keepsValidity { mailbox?.validity = freshValidity() }
      mailboxes[other] = mailbox
    }
    return true
  }

  /// Moves a message, or copies it; gives its new UID, nil where there is no such message or mailbox.
  @discardableResult
  package mutating func transfer(
    _ uid: UInt32,
    from source: String,
    to target: String,
    isMove: Bool,
    changing change: ([UInt8]) -> [UInt8] = { $0 }
  ) -> UInt32? {
    guard let message = mailboxes[source]?.messages[uid] else { return nil }
    let new = add(change(message.octets), flags: message.flags, date: message.date, to: target)
    if isMove, new != nil { mailboxes[source]?.expunge(uid) }
    return new
  }

  /// Puts a message into a mailbox; gives its UID, nil where there is no such mailbox.
  ///
  /// Where mailboxes are labels, it is that of the message of these octets which is there already; and in those for removed
  /// messages and for junk it loses all other labels.
  package mutating func add(
    _ octets: [UInt8],
    flags: Set<String>,
    date: Int64,
    to name: String
  ) -> UInt32? {
    guard abilities.hasLabels else {
      return mailboxes[name]?.add(octets, flags: flags, date: date)
    }
    if let use = mailboxes[name]?.use, [.trash, .junk].contains(use) {
      for other in mailboxes.keys where other != name {
        for uid in uids(of: octets, in: other) { mailboxes[other]?.expunge(uid) }
      }
    }
    guard var mailbox = mailboxes[name] else { return nil }
    let shared = mailboxes.values.lazy.flatMap(\.messages.values).first { $0.octets == octets }
    let all = flags.union(shared?.flags.subtracting(Self.own) ?? [])
    let uid = uids(of: octets, in: name).first ?? mailbox.add(octets, flags: [], date: date)
    mailbox.change(uid, adding: all)
    replace(name, with: mailbox)
    return uid
  }

  /// The flags that a label has of its own.
  private static let own: Set<String> = ["\\Deleted"]

  /// Puts a changed mailbox in place of what it was.
  ///
  /// Where mailboxes are labels, what became of a message's flags is so in all of them.
  package mutating func replace(_ name: String, with mailbox: MemoryMailbox) {
    let before = mailboxes[name]
    mailboxes[name] = mailbox
    guard abilities.hasLabels, let before else { return }
    for message in mailbox.messages.values where message.modSequence > before.modSequence {
      let flags = message.flags.subtracting(Self.own)
      for other in mailboxes.keys where other != name {
        for uid in uids(of: message.octets, in: other) {
          let old = mailboxes[other]?.messages[uid]?.flags.subtracting(Self.own) ?? []
          mailboxes[other]?.change(uid, adding: flags, removing: old.subtracting(flags))
        }
      }
    }
  }

  private func uids(of octets: [UInt8], in name: String) -> [UInt32] {
    mailboxes[name]?.messages.filter { $0.value.octets == octets }.map(\.key).sorted() ?? []
  }
}

/// What a mailbox is for (RFC 6154), as the server says.
package enum MailboxUse: String, Hashable, Sendable, CaseIterable {
  case none, sent, drafts, trash, junk
}
