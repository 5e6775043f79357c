package import MailModel
package import Octets

/// Looks for messages that are gone from one mailbox among messages of others, and says what became of those that it finds.
///
/// The server moved such a message, and a run fetched it anew. Who calls it chooses the messages that may be such by when they
/// came; here counts whether they are the same.
package struct SurvivorSearch {
  private var lost: [Sameness.Key: [BaseRecord]] = [:]
  private var absent: [(record: BaseRecord, reference: RemoteReference)] = []
  private var isOfMarked = false
  /// What became of those that were found.
  package private(set) var survivors = OctetTable<Survival>()

  /// Nil where there are none.
  package init?(_ lost: [BaseRecord]) {
    for record in lost {
      for key in Self.keys(record) { self.lost[key, default: []].append(record) }
    }
    guard !self.lost.isEmpty else { return nil }
  }

  /// From now on only those are looked for that were marked as deleted when they were seen last; false where there are none.
  package mutating func narrowToMarked() -> Bool {
    isOfMarked = true
    return lost.values.joined().contains(where: isSought)
  }

  private func isSought(_ lost: BaseRecord) -> Bool {
    survivors[lost.name] == nil && (!isOfMarked || lost.flags.system.contains(.deleted))
  }

  /// Whether the record may be of one of them.
  package func wants(_ record: BaseRecord) -> Bool { matches(record).contains(where: isSought) }

  /// Adds a message of that mailbox, whose Maildir is `directory`, as the one that it may be.
  ///
  /// `flags` are those of its file, nil where that is not there; `isTold` says whether the server is told then: else no later
  /// run would know more.
  package mutating func addMessage(
    _ record: BaseRecord,
    _ flags: SystemFlags?,
    in mailbox: UInt64,
    _ directory: [UInt8],
    isTold: Bool
  ) {
    guard let flags else {
      if isTold { absent.append((record, RemoteReference(mailbox: mailbox, uid: record.uid))) }
      return
    }
    // One that is to go survives nothing.
    if flags.contains(.deleted) { return }
    recordSurvival(record, .file(Survivor(directory: directory, name: record.name)))
  }

  /// Files that are there count before those that are not.
  package mutating func settleAbsent() {
    for (record, reference) in absent { recordSurvival(record, .underWay(reference)) }
    absent = []
  }

  /// One message is one of several that are alike; a file that followed its message is no second one of it.
  private mutating func recordSurvival(_ record: BaseRecord, _ survival: Survival) {
    let lost = matches(record).first { isSought($0) && $0.name != record.name }
    guard let lost else { return }
    survivors[lost.name] = survival
  }

  private func matches(_ record: BaseRecord) -> [BaseRecord] {
    Self.keys(record).flatMap { lost[$0] ?? [] }.filter { Self.isSame($0, record) }
  }

  private static func keys(_ record: BaseRecord) -> [Sameness.Key] {
    Sameness.keys(Trace(record), .movedByServer, atLeast: .likely)
  }

  /// Where either has only parts of the message here, its body is not known.
  private static func isSame(_ lost: BaseRecord, _ found: BaseRecord) -> Bool {
    let isPartial = lost.completeness.isPartial || found.completeness.isPartial
    return Sameness.compare(Trace(lost), Trace(found), .movedByServer).level
      >= (isPartial ? .likely : .certain)
  }
}
