/// A set of octets, such as file names: what `Set<[UInt8]>` is, but fast with many members.
package struct OctetSet: Hashable, Sendable, Sequence, ExpressibleByArrayLiteral {
  @usableFromInline
  var storage: Set<OctetKey>

  /// A set of nothing, with room for so many members.
  @inlinable
  package init(minimumCapacity: Int) {
    storage = Set(minimumCapacity: minimumCapacity)
  }

  /// The set of these.
  @inlinable
  package init(_ members: some Sequence<[UInt8]> = []) {
    storage = Set(members.map(OctetKey.init))
  }

  /// The set of these.
  @inlinable
  package init(arrayLiteral members: [UInt8]...) {
    self.init(members)
  }

  /// The number of members.
  @inlinable
  package var count: Int { storage.count }
  /// Whether there is no member.
  @inlinable
  package var isEmpty: Bool { storage.isEmpty }

  /// Whether the octets are a member.
  @inlinable
  package func contains(_ octets: [UInt8]) -> Bool {
    !storage.isEmpty && storage.contains(OctetKey(octets: octets))
  }

  /// Makes the octets a member; gives whether they were none.
  @discardableResult
  @inlinable
  package mutating func insert(_ octets: [UInt8]) -> Bool {
    storage.insert(OctetKey(octets: octets)).inserted
  }

  /// Takes the octets away, if they are a member.
  @inlinable
  package mutating func remove(_ octets: [UInt8]) {
    guard !storage.isEmpty else { return }
    storage.remove(OctetKey(octets: octets))
  }

  /// The members of both.
  @inlinable
  package func union(_ other: OctetSet) -> OctetSet {
    var result = self
    result.storage.formUnion(other.storage)
    return result
  }

  /// The members, in no order.
  @inlinable
  package func makeIterator() -> Iterator {
    Iterator(storage: storage.makeIterator())
  }

  /// Gives one member after another.
  package struct Iterator: IteratorProtocol {
    @usableFromInline
    var storage: Set<OctetKey>.Iterator

    @inlinable
    init(storage: Set<OctetKey>.Iterator) {
      self.storage = storage
    }

    /// The next member; nil after the last.
    @inlinable
    /// The next member; nil at the end.
    package mutating func next() -> [UInt8]? {
      storage.next()?.octets
    }
  }
}
