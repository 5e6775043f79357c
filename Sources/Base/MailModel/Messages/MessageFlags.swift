internal import Octets

/// What a message is marked with: system flags, and the keywords that only the server can keep.
package struct MessageFlags: Hashable, Sendable {
  /// The flags that a file name shows too.
  package var system: SystemFlags
  /// Other keywords as the server spells them, sorted by octets, none twice, `$Forwarded` not among them.
  package private(set) var keywords: [[UInt8]]

  /// Flags with the given keywords, which may come in any order; `$Forwarded` is the flag that a file name shows as `P`.
  package init(_ system: SystemFlags = [], keywords: [[UInt8]] = []) {
    guard keywords.contains(where: Self.isForwarded) else {
      self.system = system
      self.keywords = keywords.count < 2 ? keywords : Self.sorted(keywords)
      return
    }
    self.system = system.union(.forwarded)
    self.keywords = Self.sorted(keywords.filter { !Self.isForwarded($0) })
  }

  private static func isForwarded(_ keyword: [UInt8]) -> Bool {
    keyword.equalsCaseless("$Forwarded")
  }

  /// The marks of both, for messages that have no common base.
  package func union(_ other: Self) -> Self {
    Self(system.union(other.system), keywords: keywords + other.keywords)
  }

  /// Without the system flags that are not among `flags`.
  package func intersection(_ flags: SystemFlags) -> Self {
    Self(system.intersection(flags), keywords: keywords)
  }

  /// The marks that both have.
  package func intersection(_ other: Self) -> Self {
    Self(
      system.intersection(other.system),
      keywords: keywords.filter(other.keywords.contains)
    )
  }

  private static func sorted(_ keywords: [[UInt8]]) -> [[UInt8]] {
    Set(keywords).sorted { $0.lexicographicallyPrecedes($1) }
  }
}
