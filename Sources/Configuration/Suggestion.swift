/// Finds what was probably meant.
package enum Suggestion {
  /// What to say about a name that is no key of its section; `nil` when nothing comes near it.
  static func remedy(
    for name: String,
    in section: KeySection,
    below parents: [String]
  ) -> String? {
    let keys = ConfigurationKey.all
    let own = keys.filter { $0.section == section }.map(\.name) + section.sections
    if let key = keys.first(where: { $0.name == name }), let place = place(of: key, from: parents) {
      return "it belongs into [\(place)]"
    }
    if let ours = otherNames[name.lowercased()], own.contains(ours) {
      return "\"\(ours)\" is its name here"
    }
    if let near = nearest(to: name, among: own) { return "did you mean \"\(near)\"?" }
    guard let near = nearest(to: name, among: keys.map(\.name)),
      let key = keys.first(where: { $0.name == near }), let place = place(of: key, from: parents)
    else { return nil }
    return "did you mean \"\(near)\" in [\(place)]?"
  }

  /// The section that a key belongs to, named as seen from the section it was found in.
  private static func place(of key: ConfigurationKey, from parents: [String]) -> String? {
    let account = parents.first == "defaults" ? ["defaults"] : Array(parents.prefix(2))
    switch key.section {
    case .root: return nil
    case .account: return parents.isEmpty ? "account.NAME" : KeyName.text(account)
    case .roles, .sync:
      let base = parents.isEmpty ? "account.NAME" : KeyName.text(account)
      return base + "." + key.section.rawValue
    }
  }

  /// The candidate with the fewest slips from the word, the first of equals; `nil` if none is near.
  ///
  /// Near is a third of the word's length, one slip at least.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let limit = max(1, word.count / 3)
    let rated = candidates.map { (name: $0, distance: distance(word, $0)) }
    let best = rated.min { $0.distance < $1.distance }
    return best.flatMap { $0.distance <= limit ? $0.name : nil }
  }

  /// How many characters must be added, left out, replaced, or swapped with the next.
  static func distance(_ first: String, _ second: String) -> Int {
    let first = Array(first.lowercased())
    let second = Array(second.lowercased())
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for row in first.indices {
      var current = [row + 1]
      for column in second.indices {
        let same = first[row] == second[column]
        var best = min(last[column] + (same ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      beforeLast = last
      last = current
    }
    return last[second.count]
  }

  /// What other programs call the same thing.
  static let otherNames: [String: String] = [
    "channel": "account",
    "email": "address",
    "from": "address",
    "host": "imap",
    "server": "imap",
    "tunnel": "imap-command",
    "path": "maildir",
    "inbox": "maildir",
    "username": "user",
    "login": "user",
    "pass": "password",
    "passcmd": "password-command",
    "passwordeval": "password-command",
    "remotepasseval": "password-command",
    "certificatefile": "tls-ca-file",
    "tls_trust_file": "tls-ca-file",
    "tls_fingerprint": "tls-fingerprint",
    "cert_fingerprint": "tls-fingerprint",
    "patterns": "include",
    "folders": "include",
    "maxconnections": "connections",
    "maxage": "window",
  ]
}
