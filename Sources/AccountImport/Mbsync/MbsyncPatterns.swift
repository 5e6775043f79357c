internal import Octets

/// What mbsync's patterns let through, as include and exclude.
///
/// In mbsync the last pattern that fits counts; in Magnum exclude wins. Names are in modified UTF-7 there.
struct MbsyncPatterns {
  private(set) var include: [String] = []
  private(set) var exclude: [String] = []
  /// Patterns that are let in again after one that keeps them out, which exclude cannot say.
  private(set) var lost: [String] = []

  /// Takes patterns in their order, each with what stands before all names of the store.
  init(_ patterns: [String], prefix: String) {
    for pattern in patterns {
      let isNegative = pattern.hasPrefix("!")
      let text = prefix + (isNegative ? String(pattern.dropFirst()) : pattern)
      let name = Self.decoded(text)
      if isNegative {
        include.removeAll { $0 == name }
        if !exclude.contains(name) { exclude.append(name) }
      } else {
        admit(name)
      }
    }
  }

  private mutating func admit(_ name: String) {
    exclude.removeAll { Self.covers(name, $0) }
    if exclude.contains(where: { Self.covers($0, name) }) {
      lost.append(name)
    } else if !include.contains(name) {
      include.append(name)
    }
  }

  /// Whether all that the other fits is fitted by the pattern: exact where the other has no wildcards.
  static func covers(_ pattern: String, _ other: String) -> Bool {
    fits(Array(pattern.utf8)[...], Array(other.utf8)[...])
  }

  private static func fits(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    // The last place to try a wildcard again from; one is enough, since the later one can take over.
    var pattern = pattern
    var name = name
    var again: (pattern: ArraySlice<UInt8>, name: ArraySlice<UInt8>, stops: Bool)?
    while true {
      if let first = pattern.first, first == ASCII.asterisk || first == ASCII.percent {
        pattern = pattern.dropFirst()
        again = (pattern, name, first == ASCII.percent)
      } else if let first = pattern.first, first == name.first {
        pattern = pattern.dropFirst()
        name = name.dropFirst()
      } else if pattern.isEmpty, name.isEmpty {
        return true
      } else if let last = again, let skipped = last.name.first,
        !last.stops || (skipped != ASCII.slash && skipped != ASCII.asterisk)
      {
        name = last.name.dropFirst()
        pattern = last.pattern
        again = (last.pattern, name, last.stops)
      } else {
        return false
      }
    }
  }

  /// A name as people read it; one that is no modified UTF-7 stays as it is.
  static func decoded(_ name: String) -> String {
    ModifiedUTF7.decode(name.utf8).flatMap { String(validating: $0, as: UTF8.self) } ?? name
  }
}
