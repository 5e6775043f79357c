internal import Octets

/// Whose fields Authentication-Results are believed (RFC 8601 §5).
package struct TrustedServers: Hashable, Sendable {
  /// The names by which the receiving server calls itself in them, in lower case; empty where nothing is believed.
  package let names: [[UInt8]]

  /// Fields Received that may stand above such a field: some servers write theirs below their own.
  package let hops: Int

  /// Servers of these names, letters in either case.
  package init(names: [[UInt8]], hops: Int) {
    (self.names, self.hops) = (names.map { $0.map(ASCII.lowercased) }, hops)
  }

  /// None: nothing is believed.
  package static let none = TrustedServers(names: [], hops: 0)

  /// What ``hops`` may be.
  package static let mostHops = 9
}
