/// A set of octets, such as file names: what `Set<[UInt8]>` is, but fast with many members.
public struct OctetSet: Hashable, Sendable, Sequence, ExpressibleByArrayLiteral {
  @usableFromInline
  var storage: Set<OctetKey>

  /// A set of nothing, with room for so many members.
  @inlinable
  public init(minimumCapacity: Int) {
    storage = Set(minimumCapacity: minimumCapacity)
  }

  /// The set of these.
  @inlinable
  public init(_ members: some Sequence<[UInt8]> = []) {
    storage = Set(members.map(OctetKey.init))
  }

  /// The set of these.
  @inlinable
  public init(arrayLiteral members: [UInt8]...) {
    self.init(members)
  }

  /// The number of members.
  @inlinable
  public var count: Int { storage.count }
  /// Whether there is no member.
  @inlinable
  public var isEmpty: Bool { storage.isEmpty }

  /// Whether the octets are a member.
  @inlinable
  public func contains(_ octets: [UInt8]) -> Bool {
    !storage.isEmpty && storage.contains(OctetKey(octets: octets))
  }

  /// Makes the octets a member; gives whether they were none.
  @discardableResult
  @inlinable
  public mutating func insert(_ octets: [UInt8]) -> Bool {
    storage.insert(OctetKey(octets: octets)).inserted
  }

  /// Takes the octets away, if they are a member.
  @inlinable
  public mutating func remove(_ octets: [UInt8]) {
    guard !storage.isEmpty else { return }
    storage.remove(OctetKey(octets: octets))
  }

  /// The members of both.
  @inlinable
  public func union(_ other: OctetSet) -> OctetSet {
    var result = self
    result.storage.formUnion(other.storage)
    return result
  }

  /// The members, in no order.
  @inlinable
  public func makeIterator() -> Iterator {
    Iterator(storage: storage.makeIterator())
  }

  /// Gives one member after another.
  public struct Iterator: IteratorProtocol {
    @usableFromInline
    var storage: Set<OctetKey>.Iterator

    @inlinable
    init(storage: Set<OctetKey>.Iterator) {
      self.storage = storage
    }

    /// The next member; nil after the last.
    @inlinable
    public mutating func next() -> [UInt8]? {
      storage.next()?.octets
    }
  }
}
