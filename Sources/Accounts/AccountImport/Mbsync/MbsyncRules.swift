internal import Octets

/// What a channel of mbsync does, as keys of Magnum.
struct MbsyncRules {
  private(set) var rules = ImportedAccount.Rules()
  private(set) var remarks: [Remark] = []
  private var side: MbsyncChannel.ServerSide

  /// Takes what a channel says, and what holds for all channels.
  init(_ channel: inout MbsyncChannel) {
    side = channel.serverSide
    if let directive = channel.takeDirective("Sync") { takeDirection(directive) }
    rules.create = folderSide(channel.takeDirective("Create"))
    rules.remove = folderSide(channel.takeDirective("Remove"))
    takeExpunge(channel.takeDirective("Expunge"))
    if let state = channel.takeDirective("SyncState"), !Self.isFound(state.value) {
      let text =
        "looked for beside the mail and in ~/.mbsync and ~/.local/state/isync only; messages are "
        + "recognised by their contents, and flags that differ are merged"
      remarks.append(Remark(state, .approximated, text))
    }
    for word in ["MaxMessages", "MaxSize"] {
      guard let limit = channel.takeDirective(word), limit.value != "0" else { continue }
      let set = DirectiveSet([limit])
      remarks += DirectiveNotes.mbsyncChannel.remarks(on: set)
    }
  }

  private static func isFound(_ state: String) -> Bool {
    let place = MbsyncFolders.trimmed(state)
    return state == "*" || ["~/.mbsync", "~/.local/state/isync"].contains(place)
  }

  // MARK: - Direction

  private mutating func takeDirection(_ directive: Directive) {
    let words = Set(directive.arguments.map { $0.lowercased() })
    if words.isEmpty || !words.isDisjoint(with: ["all", "full"]) { return }
    guard words != ["none"] else {
      (rules.direction, rules.onRemoteDelete) = ("pull", "keep")
      let text = "there is no direction that does nothing; pull never changes the server"
      return remarks.append(Remark(directive, .approximated, text))
    }
    rules.direction = direction(words)
    keepWhatIsNotRemoved(words)
    let plain: Set = ["pull", "push", "pullall", "pushall", "pullfull", "pushfull"]
    guard !words.isSubset(of: plain) else { return }
    let text =
      "new messages and flags always travel together, in the directions of sync.direction"
    remarks.append(Remark(directive, .approximated, text))
  }

  /// What is gone on one side stays on the other where mbsync was not to remove it.
  private mutating func keepWhatIsNotRemoved(_ words: Set<String>) {
    let (fromServer, toServer) = side == .far ? ("pull", "push") : ("push", "pull")
    if rules.direction != "push", !Self.removes(fromServer, words) { rules.onRemoteDelete = "keep" }
    if rules.direction != "pull", !Self.removes(toServer, words) { rules.onLocalDelete = "keep" }
  }

  /// Whether removals travel in a direction.
  ///
  /// Words for directions select rows, and words for kinds of changes select columns; no word of one sort stands for all of it.
  /// Where one word names both, each other word selects all of its row or column.
  private static func removes(_ direction: String, _ words: Set<String>) -> Bool {
    let (directions, removals): (Set, Set) = (["pull", "push"], ["delete", "gone"])
    let isRemoving = !words.isDisjoint(with: removals)
    let compounds = words.filter { word in
      directions.contains { word.hasPrefix($0) && word != $0 }
    }
    guard compounds.isEmpty else {
      return isRemoving || words.contains(direction)
        || compounds.contains { word in
          (removals.union(["all", "full"])).contains { word == direction + $0 }
        }
    }
    let isMeant = words.isDisjoint(with: directions) || words.contains(direction)
    return isMeant && (isRemoving || words.isSubset(of: directions))
  }

  private func direction(_ words: Set<String>) -> String? {
    let isPull = words.contains { $0.hasPrefix("pull") }
    let isPush = words.contains { $0.hasPrefix("push") }
    guard isPull != isPush else { return nil }
    // Pull is from far to near, wherever the server is.
    return isPull == (side == .far) ? "pull" : "push"
  }

  // MARK: - Sides

  /// What create and remove take; `none`, as mbsync has it, where nothing is said.
  private func folderSide(_ directive: Directive?) -> String {
    let words = Set(directive?.arguments.map { $0.lowercased() } ?? [])
    let far = words.contains { ["far", "master", "both", "yes"].contains($0) }
    let near = words.contains { ["near", "slave", "both", "yes"].contains($0) }
    let (remote, local) = side == .far ? (far, near) : (near, far)
    return remote && local ? "both" : remote ? "remote" : local ? "local" : "none"
  }

  private mutating func takeExpunge(_ directive: Directive?) {
    let sides = folderSide(directive)
    rules.expunge = sides == "both" || sides == "remote" ? "all" : "never"
    guard let directive, sides != "none" else { return }
    let text =
      sides == "local"
      ? "expunge = \"never\": a file goes when its message goes from the server"
      : "a file that is removed has its message moved to Trash; on-local-delete = \"expunge\" "
        + "removes it for good"
    remarks.append(Remark(directive, .approximated, text))
  }
}
