internal import Octets

/// What distinguishes one Maildir from its map.
struct LocalDifference {
  let mailbox: UInt64
  /// Whether the mailbox is for drafts.
  let isDrafts: Bool
  /// The file of each message that has one, by base name.
  let present: OctetTable<LocalFile>
  /// Messages whose file the scan lacks, and which the server still has.
  let absent: [BaseRecord]
  /// Messages that are missing on both sides.
  let missing: [BaseRecord]
  /// Files that the map does not know and that are no orphans, in the order of the scan.
  let added: [LocalFile]

  init(_ snapshot: MailboxSnapshot, _ remote: RemoteIndex) {
    mailbox = snapshot.mailbox
    isDrafts = snapshot.role == .drafts
    var files = OctetTable<LocalFile>(minimumCapacity: snapshot.local.count)
    for file in snapshot.local { files[file.name] = file }
    var known = OctetSet(minimumCapacity: snapshot.base.count)
    for record in snapshot.base { known.insert(record.name) }
    let fileless = snapshot.base.filter { files[$0.name] == nil }
    absent = fileless.filter { !remote.isGone($0.uid) }
    missing = fileless.filter { remote.isGone($0.uid) }
    added = snapshot.local.filter {
      !known.contains($0.name) && !snapshot.orphans.contains($0.name)
    }
    present = files
  }

  /// The added files as places to which a message may have moved.
  var places: [Place] {
    added.map { Place(mailbox: mailbox, file: $0) }
  }
}
