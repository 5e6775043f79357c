// The same in many mailboxes, which a run does in one flight.
extension Generator {
  /// The next steps: as a rule one, or none where what was chosen cannot be done now.
  func steps() -> [String] {
    guard chance.happens(0.08) else { return [step()].compactMap(\.self) }
    let side = chance.one([Model.server] + world.machines.flatMap { [$0.name, $0.name] })
    let verb = chance.one(["flag", "flag", "new", "move", "move", "gather", "remove", "remove"])
    let place = target(side)
    return boxes(side).filter { $0 != "Drafts" }
      .compactMap { allowed(burst(side, verb, in: $0, gatheringIn: place)) }
  }

  /// `gather` moves messages of all mailboxes to one of them, `move` each somewhere.
  private func burst(
    _ side: String,
    _ verb: String,
    in box: String,
    gatheringIn place: String?
  ) -> String? {
    let isThere = side == Model.server
    if verb == "new" {
      let word = isThere ? "append" : "new"
      return "\(side) \(word) \(token()) \(Step.word(box)) \(letters()) \(kind())"
    }
    let found = messages(side, [box])
    guard !found.isEmpty, chance.happens(0.8) else { return nil }
    let what = "\(chance.one(found).token) \(Step.word(box))"
    switch verb {
    case "flag": return "\(side) flag \(what) \(change())"
    case "gather":
      guard let place, place != Step.word(box) else { return nil }
      return "\(side) move \(what) \(place)"
    case "move": return target(side, box).map { "\(side) move \(what) \($0)" }
    default: return "\(side) \(isThere ? "expunge" : "remove") \(what)"
    }
  }
}
