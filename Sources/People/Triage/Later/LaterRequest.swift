internal import Configuration
internal import Correspondence
package import MailModel
internal import Maildir
internal import Octets
package import Platform

/// What `magnum snooze` and `magnum remind` record of messages beside the act that moves or tags them.
package struct LaterRequest: Sendable {
  /// The most seconds until then: two years.
  package static let limit: Int64 = 2 * 366 * 86_400

  /// What is done then.
  package let kind: LaterEntry.Kind
  /// When, in seconds since 1970; nil where it is no longer to be done.
  private let due: Int64?
  private let stateHome: Path

  /// - Parameters:
  ///   - kind: what is done then.
  ///   - due: when, in seconds since 1970.
  ///   - now: the time, in seconds since 1970.
  ///   - stateHome: where it is recorded.
  /// - Throws: that this is too far away.
  package init(
    _ kind: LaterEntry.Kind,
    at due: Int64,
    now: Int64,
    _ stateHome: Path
  ) throws(Explanation) {
    guard due - now <= Self.limit else {
      throw Explanation(.usage, "the time is more than two years away")
    }
    (self.kind, self.due, self.stateHome) = (kind, due, stateHome)
  }

  /// Takes back what was recorded; `stateHome` is where that is.
  package init(cancelling kind: LaterEntry.Kind, _ stateHome: Path) {
    (self.kind, due, self.stateHome) = (kind, nil, stateHome)
  }

  /// Refuses messages in folders that nothing comes back from, or to which no answer can be waited for.
  ///
  /// - Throws: that one lies in Trash, Junk, Drafts or Sent, or is no sent one.
  package func check(_ targets: [Target], _ finder: TargetFinder) throws(Explanation) {
    guard due != nil else { return }
    switch kind {
    case .snooze: try checkSnoozed(targets, finder)
    case .remind: try checkSent(targets, finder)
    }
  }

  private func checkSent(_ targets: [Target], _ finder: TargetFinder) throws(Explanation) {
    for target in targets {
      guard let file = try sentFile(of: target) else {
        throw Explanation(
          .data,
          place: "id:\(Printable.text(target.id))",
          "it is no sent message, to which an answer could come",
          hint: "magnum snooze puts a message out of sight until a time"
        )
      }
      guard file.account.isIndexed, !target.id.isEmpty else {
        throw Explanation(
          .data,
          place: file.path.display,
          file.account.isIndexed ? "it has no Message-ID" : "the account has no index"
        )
      }
    }
  }

  private func sentFile(of target: Target) throws(Explanation) -> TargetFile? {
    let tags = TagReader()
    for file in target.files where try AccountFolders(file.account).isSent(file, tags) {
      return file
    }
    return nil
  }

  private func checkSnoozed(_ targets: [Target], _ finder: TargetFinder) throws(Explanation) {
    let tags = TagReader()
    for file in targets.flatMap(\.files) {
      let folders = finder.folders(of: file.account)
      if try folders.isLabelled(file.folder), try tags.isOwn(file) {
        throw Explanation(
          .data,
          place: file.path.display,
          "a draft, or an own message that is not in the inbox, cannot be snoozed"
        )
      }
      guard try folders.isAside(file.folder) else { continue }
      throw Explanation(
        .data,
        place: file.path.display,
        "a message in \(folders.name(file.folder)) cannot be snoozed",
        hint: "move it first: magnum move"
      )
    }
  }

  /// Records what is to be done; durable on return.
  ///
  /// - Parameters:
  ///   - targets: the messages, with the files that are meant.
  ///   - act: the number of the act that moves or tags them; 0 where they lie there already.
  /// - Throws: why that cannot be recorded.
  package func record(_ targets: [Target], act: Int) throws(Explanation) {
    guard let due else { return try remove(targets) }
    var names = FolderFiles()
    for target in targets {
      let sent = try sentFile(of: target)
      let files = kind == .snooze ? target.files : [sent].compactMap(\.self)
      for seen in files {
        // One that is gone is reported by the act.
        guard let file = names.current(seen) else { continue }
        let entry = LaterEntry(
          kind: kind,
          due: due,
          base: file.file.name.base,
          id: target.id.isEmpty ? Target.id(of: file.path) : target.id,
          text: SnoozedFolder.text(of: file.path) ?? [],
          act: act
        )
        let store = LaterStore(of: file.account.name, in: stateHome)
        try explaining(.cannotCreate) { () throws(SystemError) in try store.write(entry) }
      }
    }
  }

  private func remove(_ targets: [Target]) throws(Explanation) {
    let ids = Set(targets.map(\.id))
    for name in Set(targets.flatMap(\.files).map(\.account.name)) {
      let store = LaterStore(of: name, in: stateHome)
      try explaining(.cannotCreate) { () throws(SystemError) in
        for item in try store.items() where item.entry.kind == kind && ids.contains(item.entry.id) {
          try store.remove(item)
        }
      }
    }
  }

  /// Records that an answer to a message is waited for that is being sent; durable on return.
  ///
  /// - Parameters:
  ///   - id: its Message-ID, without its brackets.
  ///   - account: the account that sends it.
  /// - Throws: why that cannot be recorded.
  package func record(sent id: [UInt8], of account: String) throws(Explanation) {
    guard let due else { return }
    let entry = LaterEntry(kind: .remind, due: due, base: id, id: id, text: [], act: 0)
    let store = LaterStore(of: account, in: stateHome)
    try explaining(.cannotCreate) { () throws(SystemError) in try store.write(entry) }
  }
}
