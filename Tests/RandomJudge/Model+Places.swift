// Where a message may be in the end; nil in a set of places stands for nowhere.
extension Model {
  /// Where an instance ends by what one side did with it.
  private func chain(_ instance: Instance, _ side: String) -> Set<String?> {
    let events = instance.placing.filter { $0.side == side }
    guard let last = events.last else { return [instance.start] }
    switch last.kind {
    case .move, .mutt: return [last.to]
    case .expunge: return [nil]
    case .new, .copy, .flag, .keyword, .edit, .remove: break
    }
    if events.count == 1, let base = instance.base {
      guard last.box == base else { return [nil, "Trash"] }
      return Self.purging.contains(last.box) ? [nil] : ["Trash"]
    }
    let seen = Set(events.map(\.box)).union([instance.base].compactMap { $0 })
    let isPurged = instance.base == nil || !seen.isDisjoint(with: Self.purging)
    return isPurged ? [nil, "Trash"] : ["Trash"]
  }

  func places(_ instance: Instance) -> Set<String?> {
    let placing = instance.placing
    guard !placing.isEmpty else { return [instance.start] }
    let sides = instance.placingSides
    var places: Set<String?> = []
    for side in sides { places.formUnion(chain(instance, side)) }
    places.formUnion(saved(instance, placing))
    if wasCut {
      places.formUnion(interrupted(instance, placing, mayBeGone: places.contains(nil)))
    }
    if wasPartial {
      for side in sides { places.formUnion(left(placing.filter { $0.side == side })) }
    }
    if wasExpunging, placing.contains(where: { $0.kind == .remove }) { places.insert(nil) }
    if isRemovedUnfound(instance, placing) { places.insert(instance.start) }
    if places.contains(nil), sides.count > 1, isKept(instance, placing, sides) {
      places.remove(nil)
    }
    if sides.count > 1, placing.contains(where: { $0.side != Self.server && $0.kind == .remove }) {
      places.insert("Trash")
    }
    return places
  }

  /// Where a machine has files that it moved there before it got the message once more, in a run of that mailbox alone, and
  /// moved that too.
  private func left(_ events: [Event]) -> Set<String?> {
    let pairs = zip(events, events.dropFirst())
    return Set(
      pairs.filter { $0.side != Self.server && $0.to != nil && $0.to != $1.box }.map(\.0.to)
    )
  }

  /// Where what another side did may keep a message that was removed (rule 6).
  private func saved(_ instance: Instance, _ placing: [Event]) -> Set<String?> {
    var places: Set<String?> = []
    for removal in placing where removal.kind == .remove || removal.kind == .expunge {
      let isForGood = Self.purging.contains(removal.box) || removal.kind == .expunge
      let saving: Set<Event.Kind> = isForGood ? [.edit, .flag, .keyword] : [.edit]
      let isSaved = instance.events.contains { event in
        event.side != removal.side
          && (saving.contains(event.kind) || event.kind == .flag && event.detail == "+F")
      }
      guard isSaved else { continue }
      // A run may have been between any two steps.
      places.formUnion([instance.start, removal.box] + instance.events.compactMap(\.to))
    }
    return places
  }

  /// Whether another client may have removed an upload before it was looked for, where the server does not tell UIDs: it
  /// is uploaded again, as one that never arrived.
  private func isRemovedUnfound(_ instance: Instance, _ placing: [Event]) -> Bool {
    guard !hasUIDPlus, instance.base == nil, let born = instance.born else { return false }
    return born.side != Self.server
      && placing.contains { $0.side == Self.server && $0.kind == .expunge && $0.isInRun }
  }

  /// What a run that was stopped adds.
  private func interrupted(
    _ instance: Instance,
    _ placing: [Event],
    mayBeGone: Bool
  ) -> Set<String?> {
    var places: Set<String?> = []
    // The run that took a file after its message was stopped: where the message is gone since, the file counts as
    // kept (rule 5).
    if mayBeGone {
      for event in placing where event.side == Self.server && event.kind == .move {
        places.insert(event.to)
      }
    }
    for event in placing where event.kind == .remove && isUnrecorded(instance, event) {
      places.insert(event.box)
    }
    // What of an upload that was cut short was removed is uploaded again.
    if instance.base == nil, instance.born?.side != Self.server { places.insert(instance.start) }
    return places
  }

  /// Whether a run fetched the file since all agreed, which may have been stopped before it wrote that down.
  func isUnrecorded(_ instance: Instance, _ event: Event) -> Bool {
    guard wasCut, event.side != Self.server, event.kind == .remove || event.kind == .mutt else {
      return false
    }
    let own = instance.events.prefix { $0 !== event }.filter { $0.side == event.side }
    let wasHere =
      instance.base == event.box || instance.base == nil && instance.born?.side == event.side
    return !wasHere && !own.contains { $0.to == event.box }
  }

  /// Files of one name are the same file to a program: a copy that took the place of its original, in a move or by being
  /// made there, stands for it.
  ///
  /// A run that was stopped may have moved the original after the server, or removed it where it did not see where that went: then
  /// the copy follows.
  private func isExchanged(_ instance: Instance, _ other: Instance) -> Bool {
    guard let born = instance.born, born.detail == "same" else { return false }
    let hasOwnMove = instance.sides(.move) == [born.side]
    let movers = other.sides(.move, .mutt)
    let isInPlace =
      born.to == other.start
      && (movers.contains(born.side) || wasCut && movers.contains(Self.server))
    if wasCut, wasPartial, movers.contains(Self.server) { return true }
    return (hasOwnMove || isInPlace) && instance.place(on: born.side) == other.start
      && !other.placingSides.subtracting([born.side]).isEmpty
  }

  /// What rule 10 adds for a message of which there are copies.
  func withCopies(_ token: Token, _ instance: Instance, _ places: Set<String?>) -> Set<String?> {
    let others = token.instances.filter { $0 !== instance }
    let copiers = Set(others.compactMap { $0.born?.kind == .copy ? $0.born?.side : nil })
    if !instance.sides(.remove, .expunge).isDisjoint(with: copiers) { return [nil] }
    guard let born = instance.born, born.kind == .copy else { return [] }
    // They may have met before the copy went on.
    let own = instance.visited.union((Array(places) + [instance.start]).compactMap { $0 })
    for other in others {
      let sides = other.placingSides.union([other.born?.side].compactMap { $0 })
      let visited = self.places(other).union(other.events.compactMap(\.to))
      let named = Set(visited.compactMap { $0 }.flatMap { names($0) })
      let meets =
        !sides.subtracting([born.side]).isEmpty
        && !named.isDisjoint(with: own)
      if meets || isExchanged(instance, other) { return [nil] }
    }
    return []
  }

  /// Rule 5: one machine moved it out of where the server removed it for good.
  private func isKept(
    _ instance: Instance,
    _ placing: [Event],
    _ sides: Set<String>
  ) -> Bool {
    let there = placing.filter { $0.side == Self.server }
    let here = placing.filter { $0.side != Self.server }
    let own = instance.base.map(names) ?? []
    return sides.subtracting([Self.server]).count == 1
      && there.allSatisfy { $0.kind == .expunge && $0.box == instance.base } && !there.isEmpty
      && here.allSatisfy { ($0.kind == .move || $0.kind == .mutt) && !own.contains($0.to ?? "") }
  }
}
