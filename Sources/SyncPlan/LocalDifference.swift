/// What distinguishes one Maildir from its map.
struct LocalDifference {
  let mailbox: UInt64
  /// The file of each message that has one, by base name.
  let present: [[UInt8]: LocalFile]
  /// Messages whose file the scan lacks, and which the server still has.
  let absent: [BaseRecord]
  /// Files that the map does not know and that are no orphans, in the order of the scan.
  let added: [LocalFile]

  init(_ snapshot: MailboxSnapshot, _ remote: RemoteIndex) {
    mailbox = snapshot.mailbox
    var files: [[UInt8]: LocalFile] = [:]
    files.reserveCapacity(snapshot.local.count)
    for file in snapshot.local { files[file.name] = file }
    var known = Set<[UInt8]>(minimumCapacity: snapshot.base.count)
    for record in snapshot.base { known.insert(record.name) }
    absent = snapshot.base.filter { files[$0.name] == nil && !remote.isGone($0.uid) }
    added = snapshot.local.filter {
      !known.contains($0.name) && !snapshot.orphans.contains($0.name)
    }
    present = files
  }

  /// The added files as places to which a message may have moved.
  var places: [MoveMatcher.Place] {
    added.map { MoveMatcher.Place(mailbox: mailbox, file: $0) }
  }
}
