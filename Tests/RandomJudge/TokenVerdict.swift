/// The judgement over the messages of one token, by what each side has of it.
struct TokenVerdict {
  private let model: Model
  private let token: Token
  private var there: [String: [Entry]]

  init(_ model: Model, _ token: Token, _ there: [String: [Entry]]) {
    self.model = model
    self.token = token
    self.there = there
  }

  /// All that is known of the token, for people.
  var story: String {
    var lines = there.sorted { $0.key < $1.key }.map { side, found in
      "\(side): " + (found.isEmpty ? "nothing" : found.map(\.description).joined(separator: ", "))
    }
    for instance in token.instances {
      let origin = instance.base ?? "made: \(instance.born.map(\.description) ?? "?")"
      let places = model.outcome(token, instance).places.map { $0 ?? "nowhere" }.sorted()
      lines.append(
        "was in \(origin) [\(String(instance.letters.sorted()))], then \(instance.events); may be in \(places)"
      )
    }
    return "\n    " + lines.joined(separator: "\n    ")
  }

  mutating func judge() throws {
    // Rule 11: what lies in a folder whose mailbox was deleted is not counted, unless there is one of its name again.
    let left = Set(model.sideOnly.filter { !$0.value.contains(Model.server) }.keys)
      .subtracting((there[Model.server] ?? []).map(\.box))
    let touched = token.instances.filter { !$0.sides.isEmpty }
    let emptied = left.intersection(touched.compactMap(\.base))
    // It may have been fetched there before it went on.
    let visited = touched.flatMap(\.visited).flatMap { model.names($0) }
    if has(in: emptied.union(left.intersection(visited))) { token.isTainted = true }
    let areRemoved = touched.contains { instance in
      instance.placing.last.map {
        [.remove, .expunge].contains($0.kind) && emptied.contains($0.box)
      } ?? false
    }
    if areRemoved {
      token.isTainted = true
      token.mayBeGone = true
    }
    if isGivenUp {
      token.isTainted = true
      token.mayBeGone = true
    }
    there = there.mapValues { $0.filter { !emptied.contains($0.box) } }
    let outcomes = token.instances.map { model.outcome(token, $0) }
    noteFuzziness()
    let least = least(outcomes)
    let most = there.values.map(\.count).max() ?? 0
    if token.isTainted {
      if least > 0, !token.mayBeGone, most == 0 { throw Failure(.lost, token.name, story) }
      return
    }
    if outcomes.contains(where: \.isApart) { token.isTainted = true }
    let aside = Set(model.sideOnly.keys)
    if outcomes.contains(where: { !aside.isDisjoint(with: $0.places.compactMap { $0 }) }) {
      token.isTainted = true
      if least > 0, most == 0 { throw Failure(.lost, token.name, story) }
      return
    }
    if most < least { throw Failure(.lost, token.name, story) }
    try judgeDoubles(outcomes, most)
    if token.instances.contains(where: { !$0.events.isEmpty && !aside.isDisjoint(with: $0.visited) }
    ) {
      token.isTainted = true  // rule 11: its move may wait until the folder is there again
      return
    }
    try judgeTexts(outcomes, least)
    if token.isTainted { return }
    if !token.isFuzzy { try judgePlaces(outcomes) }
    if let instance = token.instances.first, token.instances.count == 1,
      let entry = there[Model.server]?.first, there[Model.server]?.count == 1
    {
      try judgeFlags(instance, entry)
    }
  }

  /// Whether it was only in mailboxes and folders which were removed where removals are carried to the other side.
  private var isGivenUp: Bool {
    guard model.removesHere || model.removesThere else { return false }
    let places = token.instances.flatMap { instance in
      model.sides.compactMap { instance.place(on: $0) }
    }
    let areKnown = token.instances.allSatisfy { instance in
      instance.base != nil || instance.sides.contains { $0 != Model.server }
    }
    if areKnown, !places.isEmpty, places.allSatisfy({ model.sideOnly[$0] != nil }) { return true }
    return !token.instances.isEmpty && token.instances.allSatisfy(isRemovedAside)
  }

  /// Whether it was removed from a folder that was removed then on the same side, and moved by no other: a run between may have
  /// taken the message there, and it went with its mailbox.
  private func isRemovedAside(_ instance: Instance) -> Bool {
    guard let last = instance.placing.last, last.kind == .remove,
      let left = model.sideOnly[last.box]
    else { return false }
    return !left.contains(last.side) && instance.placingSides == [last.side]
  }

  private func has(in boxes: Set<String>) -> Bool {
    there.values.joined().contains { boxes.contains($0.box) }
  }

  private func least(_ outcomes: [Outcome]) -> Int {
    let least = outcomes.count { !$0.places.contains(nil) }
    guard token.isFuzzy else { return least }
    // Which of the copies was removed cannot be told.
    let removals = token.instances.flatMap(\.events)
      .count { $0.kind == .remove || $0.kind == .expunge }
    return min(least, max(0, token.instances.count - removals - (isMet ? 1 : 0)))
  }

  /// Which file is which cannot be told where a copy has the name or the folder of its original, or as new a name, and one
  /// of them moved on both sides.
  private func noteFuzziness() {
    let bases = Set(token.instances.compactMap(\.base))
    let isRenamed = token.instances.contains { !$0.sides(.mutt).isEmpty }
    let isCopied = token.instances.contains { instance in
      guard let born = instance.born else { return false }
      if born.detail == "same" || isRenamed && born.detail == "new" { return true }
      return born.kind == .copy && born.to.map(bases.contains) ?? false
    }
    if isCopied, token.instances.contains(where: { $0.placingSides.count > 1 }) || isMet {
      token.isFuzzy = true
    }
  }

  /// Whether a copy was made where another side moved a message to: the two may be one (rule 10).
  private var isMet: Bool {
    token.instances.contains { copy in
      guard let born = copy.born, born.kind == .copy else { return false }
      return token.instances.contains { other in
        other !== copy && other.placing.contains { $0.to == born.to && $0.side != born.side }
      }
    }
  }

  private func judgeDoubles(_ outcomes: [Outcome], _ count: Int) throws {
    let most =
      outcomes.reduce(0) { $0 + ($1.places == [nil] ? 0 : 1) + $1.extra }
      + (isExchange || isRemovalSaved ? 1 : 0)
    guard count > most else { return }
    // Rule 10: files in Sent beyond the first.
    let isSentCopy =
      (there[Model.server]?.count ?? 0) <= most
      && there.values.allSatisfy { found in
        found.count - found.count { $0.box == "Sent" } + 1 <= most
      }
    guard isSentCopy else { throw Failure(.double, token.name, story) }
    token.isTainted = true
  }

  /// Which of several copies was removed on one side and which was flagged, edited or moved on another cannot be told (rule 6).
  private var isRemovalSaved: Bool {
    let events = token.instances.flatMap(\.events)
    return token.isFuzzy
      && events.contains { removal in
        (removal.kind == .remove || removal.kind == .expunge)
          && events.contains {
            $0.side != removal.side
              && [.flag, .keyword, .edit, .move, .mutt].contains($0.kind)
          }
      }
  }

  /// Where of two files of one name one was moved here, and the message of the other removed, the one that is left may be
  /// taken for the one that was moved: both are kept then.
  ///
  /// So is one whose message the server lost, where the other one was removed here: it may have been moved there.
  private var isExchange: Bool {
    guard token.sharesNames else { return false }
    let sides = { (kinds: Event.Kind...) in
      token.instances.reduce(into: Set<String>()) { sides, instance in
        for kind in kinds { sides.formUnion(instance.sides(kind)) }
      }
    }
    let movers = sides(.move, .mutt).subtracting([Model.server])
    let (removers, losers) = (sides(.remove).subtracting([Model.server]), sides(.expunge, .move))
    return !movers.isEmpty && !sides(.remove, .expunge).isEmpty
      || !removers.isEmpty && losers.contains(Model.server)
  }

  private func judgeTexts(_ outcomes: [Outcome], _ least: Int) throws {
    let all = there.values.flatMap { $0 }
    for entry in all {
      let isKnown = entry.revision == token.revision || token.oldRevisions.contains(entry.revision)
      guard isKnown, entry.has(token.kind) else {
        throw Failure(.stale, token.name, "other octets" + story)
      }
    }
    let isLatest = { (entry: Entry) in entry.revision == token.revision }
    if !outcomes.contains(where: \.anyRevision), !all.allSatisfy(isLatest) {
      throw Failure(.stale, token.name, story)
    }
    let isRemoved = token.instances.contains { !$0.sides(.remove, .expunge).isEmpty }
    if least > 0, token.revision > 1, !isRemoved, !all.contains(where: isLatest) {
      throw Failure(.stale, token.name, "the latest text is nowhere" + story)
    }
  }

  private func judgePlaces(_ outcomes: [Outcome]) throws {
    for (side, found) in there.sorted(by: { $0.key < $1.key }) where !found.isEmpty {
      guard Fitting(outcomes).fits(found.map(\.box)) else {
        throw Failure(.misplaced, token.name, "on \(side)" + story)
      }
    }
  }

  private func judgeFlags(_ instance: Instance, _ entry: Entry) throws {
    // Without a Message-ID nothing tells that what the server moved, and changed, is the message.
    if model.changesMessages, JudgeMessage.isNameless(token.kind), !instance.placing.isEmpty {
      return
    }
    for letter in MessageFile.known.sorted() {
      let isSet = entry.letters.contains(letter)
      guard model.flags(instance, letter).contains(isSet) else {
        throw Failure(.flags, token.name, "\(letter)" + story)
      }
    }
    let touched = instance.events.filter { $0.kind == .keyword }.map {
      String($0.detail.dropFirst())
    }
    for word in entry.keywords.union(instance.keywords).union(touched).sorted() {
      guard model.keyword(instance, word).contains(entry.keywords.contains(word)) else {
        throw Failure(.flags, token.name, word + story)
      }
    }
  }
}

/// Whether each message can be one of the instances.
private struct Fitting {
  private var slots: [Set<String>] = []
  private var taken: [Int: Int] = [:]
  private var boxes: [String] = []

  init(_ outcomes: [Outcome]) {
    for outcome in outcomes.sorted(by: { !$0.places.contains(nil) && $1.places.contains(nil) }) {
      slots.append(Set(outcome.places.compactMap { $0 }))
    }
    for outcome in outcomes {
      slots += Array(repeating: outcome.extraPlaces, count: outcome.extra)
    }
  }

  func fits(_ boxes: [String]) -> Bool {
    var copy = self
    copy.boxes = boxes
    return boxes.indices.allSatisfy { index in
      var seen: Set<Int> = []
      return copy.place(index, &seen)
    }
  }

  private mutating func place(_ index: Int, _ seen: inout Set<Int>) -> Bool {
    for number in slots.indices where !seen.contains(number) && slots[number].contains(boxes[index])
    {
      seen.insert(number)
      guard let other = taken[number] else {
        taken[number] = index
        return true
      }
      if place(other, &seen) {
        taken[number] = index
        return true
      }
    }
    return false
  }
}
