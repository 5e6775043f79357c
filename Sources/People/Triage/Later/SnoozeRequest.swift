internal import Configuration
internal import Correspondence
package import MailModel
internal import Maildir
internal import Octets
package import Platform

/// What `magnum snooze` records of messages beside the act that moves them.
package struct SnoozeRequest: Sendable {
  /// The most seconds until messages come back: two years.
  package static let limit: Int64 = 2 * 366 * 86_400

  private let due: Int64
  private let stateHome: Path

  /// - Parameters:
  ///   - due: when messages come back, in seconds since 1970.
  ///   - now: the time, in seconds since 1970.
  ///   - stateHome: where it is recorded.
  /// - Throws: that this is too far away.
  package init(until due: Int64, now: Int64, _ stateHome: Path) throws(Explanation) {
    guard due - now <= Self.limit else {
      throw Explanation(.usage, "the time is more than two years away")
    }
    (self.due, self.stateHome) = (due, stateHome)
  }

  /// Refuses messages in folders that nothing comes back from.
  ///
  /// - Throws: that one lies in Trash, Junk, Drafts or Sent.
  package func check(_ targets: [Target], _ finder: TargetFinder) throws(Explanation) {
    for file in targets.flatMap(\.files) {
      let folders = finder.folders(of: file.account)
      guard try folders.isAside(file.folder) else { continue }
      throw Explanation(
        .data,
        place: file.path.display,
        "a message in \(folders.name(file.folder)) cannot be snoozed",
        hint: "move it first: magnum move"
      )
    }
  }

  /// Records when the messages come back; durable on return.
  ///
  /// - Parameters:
  ///   - targets: the messages, with the files that are snoozed.
  ///   - act: the number of the act that moves them; 0 where they lie there already.
  /// - Throws: why that cannot be recorded.
  package func record(_ targets: [Target], act: Int) throws(Explanation) {
    var names = FolderFiles()
    for target in targets {
      for seen in target.files {
        // One that is gone is reported by the act.
        guard let file = names.current(seen) else { continue }
        let entry = LaterEntry(
          kind: .snooze,
          due: due,
          base: file.file.name.base,
          id: target.id.isEmpty ? SnoozedFolder.id(of: file.path) : target.id,
          text: SnoozedFolder.text(of: file.path) ?? [],
          act: act
        )
        let store = LaterStore(of: file.account.name, in: stateHome)
        try explaining(.cannotCreate) { () throws(SystemError) in try store.write(entry) }
      }
    }
  }
}
