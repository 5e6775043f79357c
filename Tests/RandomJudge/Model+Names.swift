// What mailboxes and folders may be called by now.
extension Model {
  /// The names that a mailbox or folder may have by now; certain ones followed the only rename there was.
  func renamed(_ place: String?, isCertain: Bool) -> Set<String?> {
    guard let place, !renames.isEmpty else { return [place] }
    // Where both sides renamed it, the server's name counts.
    var found: Set<String> = [place]
    for (old, new) in renames where new == place {
      for (before, other) in renames where before == old { found.insert(other) }
    }
    // A rename that a killed run had carried out is the server's.
    if wasCut, renames.count > 1 { found.formUnion(names(place)) }
    while true {
      let more = Self.following(renames, found).subtracting(found)
      if more.isEmpty { break }
      found.formUnion(more)
    }
    if isCertain, renames.count == 1, found.count > 1 { found.remove(place) }
    return Set(found.map { $0 })
  }

  /// All names that a mailbox or folder had or has, on any side.
  func names(_ box: String) -> Set<String> {
    var found: Set<String> = [box]
    let both = renames + renames.map { ($0.new, $0.old) }
    while true {
      let more = Self.following(both, found).subtracting(found)
      if more.isEmpty { return found }
      found.formUnion(more)
    }
  }

  private static func following(
    _ renames: [(old: String, new: String)],
    _ names: Set<String>
  ) -> Set<String> {
    var found: Set<String> = []
    for (old, new) in renames {
      for name in names where name == old || name.hasPrefix(old + "/") {
        found.insert(new + name.dropFirst(old.count))
      }
    }
    return found
  }

  /// Leaves the folders of a mailbox, and of those below it, where nothing may tell that it was renamed, with words;
  /// `others` are the names of those that exist by now.
  func forgetIdentity(_ box: String, _ sides: Set<String>, besides others: [String], isKept: Bool) {
    if renumbered.contains(box) {
      sideOnly[box] = sides
    } else if !isKept {
      let all = names(box)
      let inner = others.filter { other in all.contains { other.hasPrefix($0 + "/") } }
      for name in inner.reduce(all, { $0.union(names($1)) }) { sideOnly[name] = sides }
      isAmbiguous = true
    }
  }
}
