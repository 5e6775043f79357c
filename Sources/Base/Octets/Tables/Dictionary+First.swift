extension Dictionary {
  /// The pairs; of several with one key, the first.
  @inlinable
  package init(first pairs: some Sequence<(Key, Value)>) {
    self.init(pairs, uniquingKeysWith: { first, _ in first })
  }
}

extension Sequence {
  /// The elements by their keys; of several with one key, the first.
  @inlinable
  package func keyed<Key: Hashable>(by key: (Element) -> Key) -> [Key: Element] {
    Dictionary(first: map { (key($0), $0) })
  }
}
