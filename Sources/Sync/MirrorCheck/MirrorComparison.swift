internal import MailModel
internal import Octets
package import SyncPlan

/// Compares one mailbox of a server with what is recorded of it and with its files: a pure function.
package struct MirrorComparison: Sendable {
  /// What differs: by UID, then the files of which nothing is recorded, in their order.
  package private(set) var differences: [MirrorDifference] = []
  /// Messages whose record and file are those of the server, by UID.
  package private(set) var equal: [BaseRecord] = []
  /// Those and the ones that differ in flags or keywords alone: what a deeper check may fetch again, by UID.
  package private(set) var comparable: [BaseRecord] = []
  /// Those of which only header and texts are here, and as they were fetched: they are neither equal nor different, by UID.
  package private(set) var partial: [BaseRecord] = []
  /// Messages that are not mirrored because they are older than the window.
  package private(set) var older = 0
  /// Files that the server lost and that are kept.
  package private(set) var detached = 0
  /// Second copies of sent messages, which are not uploaded.
  package private(set) var copies = 0
  /// Messages that were removed here, and that the server still has.
  package private(set) var going = 0

  private let mailbox: CheckedMailbox

  /// Compares.
  package init(_ mailbox: CheckedMailbox) {
    self.mailbox = mailbox
    let messages = Dictionary(
      mailbox.messages.map { ($0.uid, $0) },
      uniquingKeysWith: { _, last in last }
    )
    var files = OctetTable<CheckedFile>(minimumCapacity: mailbox.files.count)
    for file in mailbox.files { files[file.name] = file }
    for record in mailbox.base.sorted(by: { $0.uid < $1.uid }) {
      compare(record, files[record.name], messages[record.uid])
    }
    compareUnknown(Set(mailbox.base.map(\.uid)))
    compareFiles(OctetSet(mailbox.base.map(\.name)))
  }

  private mutating func compare(
    _ record: BaseRecord,
    _ file: CheckedFile?,
    _ message: RemoteMessage?
  ) {
    switch (file, message) {
    case (nil, nil): add(record, .goneOnBothSides)
    case (nil, _?): add(record, .fileMissing)
    case (_?, nil): add(record, .goneFromServer)
    case (let file?, let message?):
      let before = differences.count
      compareMarks(record, file, message)
      let marks = differences.count
      compareContent(record, file, message)
      if record.completeness.isPartial {
        if differences.count == before { partial.append(record) }
        return
      }
      if differences.count == marks { comparable.append(record) }
      if differences.count == before { equal.append(record) }
    }
  }

  private mutating func compareMarks(
    _ record: BaseRecord,
    _ file: CheckedFile,
    _ message: RemoteMessage
  ) {
    let there = message.flags
    if file.flags != there.system {
      let side = Self.side(file.flags, record.flags.system, there.system)
      add(record, .flags(here: file.flags, there: there.system, changed: side))
    } else if record.flags.system != there.system {
      add(record, .flags(here: file.flags, there: there.system, changed: .both))
    }
    let here = file.keywords(beside: record.flags.keywords)
    if here != there.keywords || record.flags.keywords != there.keywords {
      add(record, .keywords(here: here, there: there.keywords))
    }
  }

  private static func side(
    _ here: SystemFlags,
    _ before: SystemFlags,
    _ there: SystemFlags
  ) -> MirrorDifference.Side {
    if there == before { return .here }
    return here == before ? .server : .both
  }

  private mutating func compareContent(
    _ record: BaseRecord,
    _ file: CheckedFile,
    _ message: RemoteMessage
  ) {
    if let size = message.size, let recorded = record.size, size != recorded {
      add(record, .size(recorded: recorded, there: size))
    }
    if let date = message.date, let recorded = record.date, date != recorded {
      add(record, .date(recorded: recorded, there: date))
    }
    switch file.content {
    case .unreadable(let reason): add(record, .unreadable(reason))
    case .message(let identity, let wireSize):
      // Of some messages servers tell a size that is not that of their octets.
      let isSame = record.identity.map { $0 == identity } ?? !record.size.differs(from: wireSize)
      if !isSame { add(record, .content) }
    }
  }

  /// Messages of which nothing is recorded.
  private mutating func compareUnknown(_ known: Set<UInt32>) {
    let others = mailbox.messages.filter { !known.contains($0.uid) }
    let unknown = others.filter { !mailbox.pendingExpunges.contains($0.uid) }
    going = others.count - unknown.count
    for message in unknown.sorted(by: { $0.uid < $1.uid }) {
      if let since = mailbox.fetchSince, let date = message.date, date < since {
        older += 1
      } else {
        differences.append(MirrorDifference(uid: message.uid, name: nil, .notFetched))
      }
    }
  }

  /// Files of which nothing is recorded.
  private mutating func compareFiles(_ known: OctetSet) {
    let sent = Set(mailbox.isSent ? mailbox.base.compactMap(\.identity?.text) : [])
    for file in mailbox.files where !known.contains(file.name) {
      if file.isDetached || mailbox.detached.contains(file.name) {
        detached += 1
      } else if case .message(let identity, _) = file.content, identity.messageID != 0,
        sent.contains(identity.text)
      {
        copies += 1
      } else {
        differences.append(MirrorDifference(uid: nil, name: file.name, .unknownFile))
      }
    }
  }

  private mutating func add(_ record: BaseRecord, _ kind: MirrorDifference.Kind) {
    differences.append(MirrorDifference(uid: record.uid, name: record.name, kind))
  }
}
