extension Collection where Element == UInt8 {
  /// Whether both hold the same octets when ASCII letters are compared without regard to case.
  ///
  /// Octets above 127 must be equal: no Unicode case folding happens here.
  @inlinable
  package func equalsCaseless(_ other: some Collection<UInt8>) -> Bool {
    elementsEqual(other) { ASCII.lowercased($0) == ASCII.lowercased($1) }
  }

  /// Whether the octets are those of the literal, ASCII letters compared without regard to case.
  @inlinable
  package func equalsCaseless(_ literal: StaticString) -> Bool {
    literal.withUTF8Buffer { equalsCaseless($0) }
  }

  /// Whether the octets begin with those of the literal, ASCII letters compared caselessly.
  @inlinable
  package func startsCaseless(with literal: StaticString) -> Bool {
    literal.withUTF8Buffer { prefix($0.count).equalsCaseless($0) }
  }
}
