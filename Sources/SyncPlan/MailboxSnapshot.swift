/// One mailbox at one moment: the base that both sides agreed on, and both sides as they are now.
package struct MailboxSnapshot: Sendable {
  /// The mailbox's own id, fixed when it was first mirrored.
  package var mailbox: UInt64
  /// What the mailbox is for; nil for an ordinary one.
  package var role: Role?
  /// The map's records, no UID twice, no name twice.
  package var base: [BaseRecord]
  /// Base names that were synced once and are neither uploaded nor deleted.
  package var orphans: Set<[UInt8]>
  /// Every message file, no base name twice.
  package var local: [LocalFile]
  /// Whether what the scan lacks is known to be absent (the directories stood still while they were read).
  package var absenceIsProven: Bool
  /// The server's side.
  package var remote: RemoteView
  /// The flags the server keeps (PERMANENTFLAGS); empty for a read-only mailbox.
  package var permanentFlags: SystemFlags
  /// Unknown messages with an older INTERNALDATE (seconds since 1970) are not fetched; nil fetches all.
  package var fetchSince: Int64?
  /// The brake's view of the mailbox.
  package var brake: Brake

  /// A snapshot from its fields.
  package init(
    mailbox: UInt64,
    role: Role? = nil,
    base: [BaseRecord] = [],
    orphans: Set<[UInt8]> = [],
    local: [LocalFile] = [],
    absenceIsProven: Bool = true,
    remote: RemoteView = .unchanged,
    permanentFlags: SystemFlags = .all,
    fetchSince: Int64? = nil,
    brake: Brake = Brake()
  ) {
    self.mailbox = mailbox
    self.role = role
    self.base = base
    self.orphans = orphans
    self.local = local
    self.absenceIsProven = absenceIsProven
    self.remote = remote
    self.permanentFlags = permanentFlags
    self.fetchSince = fetchSince
    self.brake = brake
  }
}
