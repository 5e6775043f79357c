internal import Octets

/// What the server says it can do (RFC 9051 §7.2.2).
package struct Capabilities: Sendable, Hashable {
  /// The names, letters made large, in the order of the server.
  package let words: [[UInt8]]

  /// The capabilities with these names, in any case.
  package init(_ words: [[UInt8]] = []) {
    self.words = words.map { $0.map(ASCII.uppercased) }
  }

  /// Whether nothing is known: not asked yet, or forgotten because it may have changed.
  package var isEmpty: Bool { words.isEmpty }

  /// Whether the server offers this, in any case: `IDLE`, `AUTH=PLAIN`.
  package func contains(_ name: StaticString) -> Bool {
    words.contains { $0.equalsCaseless(name) }
  }

  /// Whether the server offers this, in any case.
  package func contains(_ name: some Collection<UInt8>) -> Bool {
    words.contains { $0.equalsCaseless(name) }
  }

  /// The largest message that APPEND takes in any mailbox, in octets (RFC 7889); `nil` when the
  /// server does not say.
  package var appendLimit: UInt64? {
    let words = words.filter { $0.startsCaseless(with: "APPENDLIMIT=") }
    var cursor = Cursor(words.first?.dropFirst(12) ?? [])
    let limit = cursor.decimal()
    return cursor.isAtEnd ? limit : nil
  }

  /// The SASL mechanisms offered as `AUTH=…` (RFC 9051 §6.2.2), letters large.
  package var mechanisms: [[UInt8]] {
    words.filter { $0.startsCaseless(with: "AUTH=") }.map { [UInt8]($0.dropFirst(5)) }
  }
}
