internal import MailModel
internal import Octets

/// What distinguishes one Maildir from its map.
struct LocalDifference {
  let mailbox: UInt64
  /// Whether the mailbox is for drafts.
  let isDrafts: Bool
  /// Messages whose file the scan lacks, and which the server still has.
  let absent: [BaseRecord]
  /// Messages that are missing on both sides.
  let missing: [BaseRecord]
  /// Files that the map does not know and that are not detached, in the order of the scan.
  let added: [LocalFile]

  /// Detached files, of which an absent message may turn out to be the owner.
  let detached: [LocalFile]

  /// Records whose files are those of other messages.
  private let superseded: Set<UInt32>
  private let files: [LocalFile]
  /// Where each base name stands among the files.
  private let positions: OctetTable<Int>
  /// The UIDs of the messages whose files are not here, by the base names of these.
  private let fileless: OctetTable<UInt32>

  init(_ snapshot: MailboxSnapshot, _ remote: RemoteIndex, superseded: Set<UInt32>) {
    self.superseded = superseded
    mailbox = snapshot.mailbox
    isDrafts = snapshot.role == .drafts
    files = snapshot.local
    var positions = OctetTable<Int>(minimumCapacity: files.count)
    for (position, file) in files.enumerated() { positions[file.name] = position }
    var isKnown = [Bool](repeating: false, count: files.count)
    var absent: [BaseRecord] = []
    var missing: [BaseRecord] = []
    var fileless = OctetTable<UInt32>()
    for record in snapshot.base {
      if superseded.contains(record.uid) {
        missing.append(record)
        continue
      }
      if let position = positions[record.name] {
        isKnown[position] = true
        continue
      }
      fileless[record.name] = record.uid
      if remote.isGone(record.uid) {
        missing.append(record)
      } else {
        absent.append(record)
      }
    }
    self.absent = absent
    self.missing = missing
    self.positions = positions
    self.fileless = fileless
    let unknown = zip(files, isKnown).filter { !$1 }.map(\.0)
    let isDetached = { (file: LocalFile) in
      file.isDetached || snapshot.detached.contains(file.name)
    }
    detached = unknown.filter(isDetached)
    added = unknown.filter { !isDetached($0) }
  }

  /// The file of that base name; nil where there is none.
  func file(of name: [UInt8]) -> LocalFile? {
    positions[name].map { files[$0] }
  }

  /// The file of a message; nil where there is none, or where it is another message's.
  func file(of record: BaseRecord) -> LocalFile? {
    superseded.contains(record.uid) ? nil : file(of: record.name)
  }

  /// Whether a file has that base name, or the record of a message other than `own` whose file is not here: no two
  /// records may name one file.
  func isTaken(_ name: [UInt8], own: UInt32? = nil) -> Bool {
    file(of: name) != nil || fileless[name].map { $0 != own } ?? false
  }

  /// The added files as places to which a message may have moved.
  var places: [Place] {
    added.map { Place(mailbox: mailbox, file: $0) }
  }
}
