internal import Octets

/// The names of agents and rules, which stand in records, and of agents as directories, too.
package enum PlainName {
  /// Why a name cannot be one; nil where it can: 1 to 32 of a–z, 0–9 and `-`.
  package static func objection(to name: String) -> String? {
    let isPlain = name.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || ASCII.isDigit($0) || $0 == ASCII.minus
    }
    return isPlain && (1...32).contains(name.utf8.count)
      ? nil : "must be 1 to 32 of the characters a-z, 0-9 and \"-\""
  }
}
