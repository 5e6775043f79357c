extension Model {
  /// Begins anew from what is there, once it is judged.
  func beginAnew(_ sides: Sides) {
    var byToken: [String: [String: [Entry]]] = [:]
    for (side, found) in sides.entries {
      for entry in found {
        if let token = entry.token { byToken[token, default: [:]][side, default: []].append(entry) }
      }
    }
    for (name, token) in tokens { beginAnew(name, token, byToken[name] ?? [:]) }
    if removesHere || removesThere {
      for box in sideOnly.keys where isSettled(box, sides) { sideOnly[box] = nil }
    }
    renames = []
    rotatedInRun = []
    isAmbiguous = false
    wereRecordsLost = false
    renumbered = []
    diskWasFull = false
    wasCut = false
    wasPartial = false
    wasExcluding = false
    wasExpunging = false
    wasOneWay = false
  }

  /// Whether a mailbox stands everywhere, or nowhere.
  private func isSettled(_ box: String, _ sides: Sides) -> Bool {
    Set(self.sides.map { sides.boxes[$0]?.contains(box) ?? false }).count == 1
  }

  private func beginAnew(_ name: String, _ token: Token, _ there: [String: [Entry]]) {
    let found = there[Self.server] ?? []
    token.isRestored = false
    token.isHereAlone = found.isEmpty
    let hasMoved = token.instances.contains { instance in
      !instance.sides(.move, .mutt, .remove, .expunge, .edit).isEmpty
        || instance.born.map { $0.side != Self.server } ?? false
    }
    if hasMoved { token.hasMoved = true }
    if found.contains(where: \.isMarked) {
      token.isTainted = true  // rule 13
      token.mayBeGone = true
    }
    let apart = Set(sideOnly.keys).union(odd)
    if there.values.joined().contains(where: { apart.contains($0.box) }) { token.isTainted = true }
    if token.isTainted {
      guard let entry = there.sorted(by: { $0.key < $1.key }).first?.value.first else {
        tokens[name] = nil
        return
      }
      token.instances = [Instance(entry.box, entry.letters)]
      return
    }
    guard let first = found.first else {
      tokens[name] = nil
      return
    }
    token.instances = found.map { Instance($0.box, $0.letters, $0.keywords) }
    token.isFuzzy = false
    let revisions = Set(found.map(\.revision))
    if revisions.count > 1 { token.isTainted = true } else { token.revision = first.revision }
    token.oldRevisions = revisions.subtracting([token.revision])
  }
}
