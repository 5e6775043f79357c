// What a server or a record may leave out is no number: nothing follows from a comparison with it.
extension Optional where Wrapped: Equatable {
  /// Whether both are known and the same.
  package func equals(_ other: Wrapped?) -> Bool {
    guard let self, let other else { return false }
    return self == other
  }

  /// Whether both are known and not the same.
  package func differs(from other: Wrapped?) -> Bool {
    guard let self, let other else { return false }
    return self != other
  }
}
