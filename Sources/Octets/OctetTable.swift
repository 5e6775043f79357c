/// Values by octets, such as file names: what `[[UInt8]: Value]` is, but fast with many entries.
package struct OctetTable<Value>: Sequence {
  @usableFromInline
  var storage: [OctetKey: Value]

  /// A table of nothing, with room for so many entries.
  @inlinable
  package init(minimumCapacity: Int = 0) {
    storage = Dictionary(minimumCapacity: minimumCapacity)
  }

  /// The value of these octets; nil where there is none, and to take it away.
  @inlinable
  package subscript(octets: [UInt8]) -> Value? {
    get { storage[OctetKey(octets: octets)] }
    set { storage[OctetKey(octets: octets)] = newValue }
  }

  /// The number of entries.
  @inlinable
  package var count: Int { storage.count }
  /// Whether there is no entry.
  @inlinable
  package var isEmpty: Bool { storage.isEmpty }
  /// The octets that have values, in no order.
  @inlinable
  package var keys: [[UInt8]] { storage.keys.map(\.octets) }
  /// The values, in no order.
  @inlinable
  package var values: [OctetKey: Value].Values { storage.values }

  /// The entries, in no order.
  @inlinable
  package func makeIterator() -> AnyIterator<(key: [UInt8], value: Value)> {
    var iterator = storage.makeIterator()
    return AnyIterator {
      iterator.next().map { (key: $0.key.octets, value: $0.value) }
    }
  }
}

extension OctetTable: Sendable where Value: Sendable {}
