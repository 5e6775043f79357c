package import MailModel
package import MailStore
internal import Platform
package import SyncPlan

// The mailboxes as a whole.
extension MemoryStore {
  package func list() throws(SyncFailure) -> ServerListing {
    asked = [:]
    return try server.request { () throws(SyncFailure) in
      let mailboxes = server.read { $0.mailboxes }
      // A name that only has others below it is listed too, and holds no messages.
      let levels = Set(mailboxes.keys.flatMap(Self.levels)).subtracting(mailboxes.keys)
      let listed =
        mailboxes.map(entry)
        + levels.map { name in
          ServerMailbox(
            name: MailboxName(wire: Array(name.utf8)),
            delimiter: UInt8(ascii: "/"),
            isSelectable: false
          )
        }
      return ServerListing(
        listed.sorted { $0.name.wire.lexicographicallyPrecedes($1.name.wire) },
        namespaces: ServerNamespaces(
          personal: Array((server.abilities.isBelowInbox ? "INBOX/" : "").utf8)
        ),
        rules: naming
      )
    }
  }

  /// The names above a name.
  private static func levels(_ name: String) -> [String] {
    let words = name.split(separator: "/", omittingEmptySubsequences: false)
    return words.indices.dropFirst().map { words[..<$0].joined(separator: "/") }
  }

  private func entry(_ name: String, _ mailbox: MemoryMailbox) -> ServerMailbox {
    let abilities = server.abilities
    return ServerMailbox(
      name: MailboxName(wire: Array(name.utf8)),
      delimiter: UInt8(ascii: "/"),
      attributedRole: abilities.tellsUses ? MailboxRole(mailbox.use) : nil,
      status: abilities.listsStatus ? status(mailbox) : nil
    )
  }

  private func status(_ mailbox: MemoryMailbox) -> ServerMailbox.Status {
    ServerMailbox.Status(
      identity: identity(mailbox),
      uidNext: mailbox.uidNext,
      messages: UInt32(mailbox.messages.count),
      modSequence: server.abilities.hasModSequences ? mailbox.modSequence : nil
    )
  }

  package func status(
    of names: [MailboxName]
  ) throws(SyncFailure) -> [MailboxName: ServerMailbox.Status] {
    asked = [:]
    return try server.request { () throws(SyncFailure) in
      var found: [MailboxName: ServerMailbox.Status] = [:]
      for name in names { found[name] = (try? mailbox(named: name)).map(status) }
      return found
    }
  }

  package func serverIDs(of names: [MailboxName]) throws(SyncFailure) -> [MailboxName: [UInt8]] {
    asked = [:]
    guard server.abilities.tellsMailboxIDs else { return [:] }
    return try server.request { () throws(SyncFailure) in
      var found: [MailboxName: [UInt8]] = [:]
      for name in names { found[name] = (try? mailbox(named: name)).map { Array($0.id.utf8) } }
      return found
    }
  }

  package func create(_ name: MailboxName) throws(SyncFailure) -> CreationOutcome {
    asked = [:]
    return try server.request { () throws(SyncFailure) in
      guard (try? mailbox(named: name)) == nil else { return .existed }
      let text = Self.text(name)
      guard server.read({ $0.allows(text) }) else { return .refused(ServerReply(.unspecified)) }
      // Of all that modified UTF-7 can write it takes the ampersand: not control characters.
      guard text.replacing("&-", with: "").firstIndex(of: "&") == nil else {
        return .refused(ServerReply(.unspecified))
      }
      try attempt { () throws(SystemError) in try server.change { $0.make(text) } }
      return .made
    }
  }

  package func create(
    for role: MailboxRole,
    under names: [MailboxName]
  ) throws(SyncFailure) -> MailboxName? {
    for name in names {
      if case .refused = try create(name) { continue }
      return name
    }
    return nil
  }

  package func rename(
    _ renames: [(from: MailboxName, to: MailboxName)],
    back: [(from: MailboxName, to: MailboxName)]
  ) throws(SyncFailure) -> Set<MailboxName> {
    asked = [:]
    var accepted: Set<MailboxName> = []
    for (from, to) in renames + back {
      let (old, new) = (Self.text(from), Self.text(to))
      let isDone = try server.request { () throws(SyncFailure) in
        try attempt { () throws(SystemError) in
          try server.change { $0.rename(old, to: new) }
        }
      }
      if isDone { accepted.insert(to) }
    }
    return accepted
  }

  package func delete(
    _ mailbox: MailboxReference,
    holdingOnly known: Set<UInt32>,
    flagged: Set<UInt32>
  ) throws(SyncFailure) -> DeletionOutcome {
    asked = [:]
    let text = Self.text(mailbox.name)
    return try server.request { () throws(SyncFailure) in
      let found = try self.mailbox(named: mailbox.name)
      let isMeant = found.validity == mailbox.identity.validity
      let isExpected = found.messages.allSatisfy { uid, message in
        known.contains(uid) && (flagged.contains(uid) || !message.flags.contains("\\Flagged"))
      }
      guard found.messages.isEmpty || isMeant && isExpected else { return .holdsOthers }
      try attempt { () throws(SystemError) in try server.change { $0.mailboxes[text] = nil } }
      return .deleted(wasEmpty: found.messages.isEmpty)
    }
  }

  package func unsubscribe(_ name: MailboxName) throws(SyncFailure) {}

  package func samples(
    _ wanted: [MailboxName: [UInt32]]
  ) throws(SyncFailure) -> [MailboxName: [UInt32: RemoteMessage]] {
    try server.request { () throws(SyncFailure) in
      var found: [MailboxName: [UInt32: RemoteMessage]] = [:]
      for (name, uids) in wanted {
        guard let mailbox = try? mailbox(named: name) else { continue }
        for uid in uids { found[name, default: [:]][uid] = mailbox.messages[uid]?.described(uid) }
      }
      return found
    }
  }
}

extension MailboxRole {
  /// The role of a mailbox that is for something; nil for none.
  fileprivate init?(_ use: MailboxUse) {
    switch use {
    case .none: return nil
    case .sent: self = .sent
    case .drafts: self = .drafts
    case .trash: self = .trash
    case .junk: self = .junk
    }
  }
}
