package import MailModel
package import MailStore
internal import Platform
package import SyncPlan

// The mailboxes as a whole.
extension MemoryStore {
  package func list() throws(SyncFailure) -> ServerListing {
    server.noteRoundTrip()
    let mailboxes = server.read { $0.mailboxes }
    let listsStatus = server.abilities.listsStatus
    return ServerListing(
      mailboxes.sorted { $0.key < $1.key }.map { name, mailbox in
        ServerMailbox(
          name: MailboxName(wire: Array(name.utf8)),
          delimiter: UInt8(ascii: "/"),
          attributedRole: mailbox.use == "\\Trash" ? .trash : nil,
          status: listsStatus ? status(mailbox) : nil
        )
      }
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
    server.noteRoundTrip()
    var found: [MailboxName: ServerMailbox.Status] = [:]
    for name in names { found[name] = (try? mailbox(named: name)).map(status) }
    return found
  }

  package func serverIDs(of names: [MailboxName]) throws(SyncFailure) -> [MailboxName: [UInt8]] {
    guard server.abilities.tellsMailboxIDs else { return [:] }
    server.noteRoundTrip()
    var found: [MailboxName: [UInt8]] = [:]
    for name in names { found[name] = (try? mailbox(named: name)).map { Array($0.id.utf8) } }
    return found
  }

  package func create(_ name: MailboxName) throws(SyncFailure) -> CreationOutcome {
    server.noteRoundTrip()
    guard (try? mailbox(named: name)) == nil else { return .existed }
    let text = Self.text(name)
    try attempt { () throws(SystemError) in try server.change { $0.make(text) } }
    return .made
  }

  package func create(
    for role: MailboxRole,
    under names: [MailboxName]
  ) throws(SyncFailure) -> MailboxName? {
    guard let name = names.first else { return nil }
    _ = try create(name)
    return name
  }

  package func rename(
    _ renames: [(from: MailboxName, to: MailboxName)],
    back: [(from: MailboxName, to: MailboxName)]
  ) throws(SyncFailure) -> Set<MailboxName> {
    server.noteRoundTrip()
    var accepted: Set<MailboxName> = []
    for (from, to) in renames + back {
      let (old, new) = (Self.text(from), Self.text(to))
      let isDone = try attempt { () throws(SystemError) in
        try server.change { content in
          guard content.mailboxes[new] == nil,
            let mailbox = content.mailboxes.removeValue(forKey: old)
          else { return false }
          content.mailboxes[new] = mailbox
          return true
        }
      }
      if isDone { accepted.insert(to) }
    }
    return accepted
  }

  package func delete(_ name: MailboxName) throws(SyncFailure) -> ServerReply? {
    server.noteRoundTrip()
    let text = Self.text(name)
    try attempt { () throws(SystemError) in try server.change { $0.mailboxes[text] = nil } }
    return nil
  }

  package func unsubscribe(_ name: MailboxName) throws(SyncFailure) {}

  package func samples(
    _ wanted: [MailboxName: [UInt32]]
  ) throws(SyncFailure) -> [MailboxName: [UInt32: RemoteMessage]] {
    server.noteRoundTrip()
    var found: [MailboxName: [UInt32: RemoteMessage]] = [:]
    for (name, uids) in wanted {
      guard let mailbox = try? mailbox(named: name) else { continue }
      for uid in uids { found[name, default: [:]][uid] = mailbox.messages[uid]?.described(uid) }
    }
    return found
  }
}
