import Glibc

/// What may become of an instance.
struct Outcome {
  var places: Set<String?>
  /// How many more there may be, and where.
  var extra = 0
  var extraPlaces: Set<String> = []
  /// Whether files of it may be left alone (rule 9).
  var isApart = false
  var anyRevision = false
}

extension Model {
  func outcome(_ token: Token, _ instance: Instance) -> Outcome {
    var places = places(instance)
    if token.instances.count > 1 { places.formUnion(withCopies(token, instance, places)) }
    let isQuiet = instance.events.isEmpty && instance.base != nil
    var names: Set<String?> = []
    for place in places { names.formUnion(renamed(place, isCertain: isQuiet)) }
    // Rule 9: it may count as a move of all that was in the folder.
    if let start = instance.start, rotatedInRun.contains(start), !instance.events.isEmpty {
      names.formUnion(self.names(start).map { $0 })
    }
    var result = Outcome(places: names)
    addEdits(token, instance, &result)
    addUnrecorded(token, instance, &result)
    addRaces(instance, &result)
    addSaved(instance, &result)
    addShownTwice(instance, &result)
    addUnrecognised(token, instance, &result)
    addAmbiguity(token, instance, &result)
    for place in result.extraPlaces {
      result.extraPlaces.formUnion(renamed(place, isCertain: false).compactMap { $0 })
    }
    return result
  }

  /// Rule 8.
  private func addEdits(_ token: Token, _ instance: Instance, _ result: inout Outcome) {
    let edits = instance.sides(.edit)
    // A copy may be of the text of before.
    if token.instances.contains(where: { !$0.sides(.edit).isEmpty && $0 !== instance }) {
      result.anyRevision = true
    }
    guard !edits.isEmpty else { return }
    let isRemoved = !instance.sides(.remove, .expunge).isEmpty
    if isRemoved || instance.sides.count > 1 || isAmbiguous { result.anyRevision = true }
    let others = edits.count == 1 ? instance.sides.subtracting(edits) : instance.sides
    let visited = Set(instance.events.compactMap(\.to)).union(
      [instance.start, "Trash"].compactMap { $0 }
    )
    if !others.isEmpty || edits.count > 1 {
      result.extra += instance.events.count { $0.kind == .edit }
      result.extraPlaces.formUnion(result.places.compactMap { $0 })
      result.extraPlaces.formUnion(visited)
    } else if !instance.placing.isEmpty, wasCut || diskWasFull {
      result.extra += 1  // the old text may have reached a place on the way
      result.extraPlaces.formUnion(visited)
      result.anyRevision = true
    }
    // Without a Message-ID nothing tells that a file which went elsewhere is another text of the message.
    let isNewFile =
      JudgeMessage.isNameless(token.kind) || !instance.sides(.mutt).isEmpty
      || instance.events.contains { $0.detail == "replace" || $0.detail == "new" }
    if !instance.sides(.mutt, .move).isEmpty, isNewFile {
      // From there it may have been moved on.
      result.extra += 1
      result.extraPlaces.formUnion(instance.events.compactMap(\.to) + ["Trash"])
      result.anyRevision = true
    }
  }

  private func addUnrecorded(_ token: Token, _ instance: Instance, _ result: inout Outcome) {
    for event in instance.events where event.kind == .mutt && isUnrecorded(instance, event) {
      // It was fetched again, and either may have been moved since.
      result.extra += 1
      result.extraPlaces.formUnion(instance.visited.union([event.box]))
    }
    if token.instances.count > 1, instance.events.contains(where: { $0.kind == .mutt }) {
      result.extra += 1
      result.extraPlaces.insert("Trash")
    }
  }

  /// Rule 4: where the disk was full, or a copy was half of a move, it may be in two places.
  ///
  /// So it may where two clients moved it at one moment, or where the folder went that it was moved out of.
  private func addRaces(_ instance: Instance, _ result: inout Outcome) {
    let isHalfDone = diskWasFull || wasCut && !hasMove
    let isOpen = isHalfDone || instance.start.map { sideOnly[$0] != nil } ?? false
    // A copy goes by the name of its mailbox, and a run that was killed does not tell which one had that name.
    let isStray =
      isHalfDone
      && instance.placing.contains { event in renames.contains { $0.old == event.to } }
    guard isRaced(instance) || isStray || isOpen && instance.placingSides.count > 1 else { return }
    let races = instance.events.count { $0.side == Self.server && $0.kind == .move && $0.isInRun }
    // Where both come together, the copy, the message and the file may each go their own way.
    let sides = isHalfDone ? instance.placingSides.count - 1 : 0
    result.extra += max(1, races, sides) + (isHalfDone && races > 0 ? 1 : 0)
    result.extraPlaces.formUnion(result.places.compactMap { $0 })
    result.extraPlaces.formUnion(instance.events.compactMap(\.to))
    if let start = instance.start { result.extraPlaces.insert(start) }
    if isStray { result.extraPlaces.insert("Trash") }
  }

  /// Rule 5, for each machine on which it was moved.
  private func addSaved(_ instance: Instance, _ result: inout Outcome) {
    let moves = instance.placing.filter { $0.side != Self.server && $0.to != nil }
    let machines = Set(moves.map(\.side))
    guard machines.count > 1, instance.sides(.expunge).contains(Self.server) else { return }
    result.extra += machines.count - 1
    result.extraPlaces.formUnion(moves.compactMap(\.to))
  }

  /// What the server moved stands twice on a machine, where a run saw only the mailbox that it went to: who moves or removes the
  /// one file need not mean the other.
  private func addShownTwice(_ instance: Instance, _ result: inout Outcome) {
    let isMoved = instance.placing.contains { $0.side == Self.server && $0.kind == .move }
    let own = instance.placing.filter { $0.side != Self.server }
    let areRelated = own.count > 1 || own.contains { $0.kind == .remove }
    // What went to a mailbox that is not mirrored, or came out of it, is not looked for there.
    guard isMoved && wasPartial && areRelated || wasExcluding && !own.isEmpty else { return }
    result.extra += 1
    result.extraPlaces.formUnion(own.compactMap(\.to) + ["Trash"])
    if wasExcluding {
      result.extraPlaces.formUnion(
        result.places.compactMap { $0 } + [instance.start].compactMap { $0 }
      )
    }
  }

  /// Where the server changes what it is given, what one machine put somewhere else is another message to the others.
  ///
  /// What these did to it they did to one that is gone. A draft, or a message without a Message-ID, whose upload nobody answered
  /// for may be there twice for the same reason.
  private func addUnrecognised(_ token: Token, _ instance: Instance, _ result: inout Outcome) {
    guard changesMessages else { return }
    let own = instance.placing.filter { $0.side != Self.server && $0.to != nil }
    let areAlone = own.allSatisfy { instance.sides.subtracting([$0.side]).isEmpty }
    if !areAlone { result.extra += own.count }
    let isDraft =
      instance.letters.contains("D")
      || instance.visited.union([instance.start].compactMap { $0 }).contains("Drafts")
    let isSent = instance.base == nil || !own.isEmpty || !instance.sides(.edit).isEmpty
    let isUnknown = isDraft || JudgeMessage.isNameless(token.kind)
    if isUnknown, isSent, wasCut || diskWasFull { result.extra += 1 + own.count }
    guard result.extra > 0 else { return }
    if let start = instance.start { result.extraPlaces.insert(start) }
    result.extraPlaces.formUnion(result.places.compactMap { $0 } + instance.visited)
  }

  private static let isStrict = getenv("MAGNUM_JUDGE_STRICT") != nil

  /// Whether two clients moved it at one moment: a mailbox may have been read before, the other after.
  private func isRaced(_ instance: Instance) -> Bool {
    // What is gone from where a flag was set is kept there (rule 6), though it was fetched where it went.
    let isSaved = instance.events.contains { $0.side != Self.server && $0.detail == "+F" }
    let isMoved = instance.placing.contains {
      $0.side == Self.server && $0.kind == .move && $0.isInRun
    }
    if isSaved || !isMoved { return isMoved }
    return !(hasMove && Self.isStrict)
      && instance.placing.contains { $0.side != Self.server }
  }

  /// Rule 9.
  private func addAmbiguity(_ token: Token, _ instance: Instance, _ result: inout Outcome) {
    guard isAmbiguous else { return }
    let boxes = [instance.start] + instance.events.map(\.to)
    let isLost = boxes.contains { renamed($0, isCertain: false).count > 1 }
    guard token.isRestored || isLost || !isPlain(token, instance) else { return }
    for place in instance.events.flatMap({ [$0.box, $0.to] }) + [instance.start] {
      if let place, !place.isEmpty {
        result.places.formUnion(renamed(place, isCertain: false))
      }
    }
    result.places.insert("Trash")
    result.extra += 1 + instance.events.count
    result.extraPlaces.formUnion(result.places.compactMap { $0 })
    result.isApart = true
    if token.isRestored { result.anyRevision = true }
  }

  /// Whether rule 9 leaves nothing open for it: untouched, new, or moved under its name on one machine.
  private func isPlain(_ token: Token, _ instance: Instance) -> Bool {
    if instance.born?.detail == "same" { return false }
    // What the server has of what came from here is not what the file holds.
    if changesMessages, token.hasMoved { return false }
    let placing = instance.events.filter { $0.kind.places || $0.kind == .edit }
    if instance.base == nil { return placing.isEmpty }
    if placing.isEmpty { return true }
    // Neither the records nor the name of the file tell where it was.
    if wereRecordsLost, let start = instance.start,
      renumbered.contains(start) || sideOnly[start] != nil
    {
      return false
    }
    // Nothing tells any more that it was copied for a move, and was to go.
    if wereRecordsLost, wasCut, !hasMove { return false }
    // The name of the file tells where the message was at first.
    if token.hasMoved || Set(placing.map(\.run)).count > 1 { return false }
    // One mailbox may have been matched before, the other after.
    if placing.contains(where: \.isInRun) { return false }
    // To another machine a move is the server's.
    return sides.count == 2 && Set(placing.map(\.side)).count == 1
      && placing.allSatisfy { $0.kind == .move && $0.side != Self.server }
  }

  // MARK: Flags

  /// The values that a flag may have in the end (rule 7).
  func flags(_ instance: Instance, _ letter: Character) -> Set<Bool> {
    let either: Set<Bool> = [true, false]
    let touched = instance.events.filter { $0.kind == .flag && $0.detail.last == letter }
    guard instance.areFlagsKnown else { return either }
    guard let event = touched.last else { return [instance.letters.contains(letter)] }
    let last = event.detail.hasPrefix("+")
    let touching = Set(touched.map(\.side))
    let sides = instance.sides.union([instance.born?.side].compactMap { $0 })
    if isAmbiguous { return either }
    // Set and taken back while a run was at work, which had told the server of the one. What went to a mailbox that is left out
    // is not looked for there.
    if touched.count > 1, touched.contains(where: \.isInRun) { return either }
    if wasExcluding, !instance.placing.isEmpty { return either }
    if sides.count > 1 {
      let isMoved = instance.base == nil || !instance.placing.isEmpty
      // The message takes along what was set on its file, wherever the server moved it.
      let isFollowed =
        instance.base != nil
        && instance.placing.allSatisfy { $0.side == Self.server && $0.kind == .move }
      // An edit may have replaced the text that it was set on.
      let isEdited = !instance.sides(.edit).isEmpty
      if touching.count > 1 || isMoved && !isFollowed || isEdited { return either }
    }
    // The file went with its flags before any run.
    if !instance.sides(.remove).isDisjoint(with: touching) { return either }
    // The upload may have been under way with the flag, or the message fetched where it went, as a new one, and not recorded.
    let mayBeNew = instance.base == nil || wasPartial && wasCut && !instance.placing.isEmpty
    if mayBeNew, !last { return either }
    return [last]
  }

  /// The values that a keyword may have in the end.
  func keyword(_ instance: Instance, _ word: String) -> Set<Bool> {
    let touched = instance.events.filter { $0.kind == .keyword && $0.detail.dropFirst() == word }
    let isMoved = !touched.isEmpty && !instance.placing.isEmpty
    if !instance.areFlagsKnown || !instance.sides(.edit).isEmpty || isMoved {
      return [true, false]
    }
    if let last = touched.last { return [last.detail.hasPrefix("+")] }
    return [instance.keywords.contains(word)]
  }
}
