/// Values by octets, such as file names: what `[[UInt8]: Value]` is, but fast with many entries.
public struct OctetTable<Value>: Sequence {
  @usableFromInline
  var storage: [OctetKey: Value]

  /// A table of nothing, with room for so many entries.
  @inlinable
  public init(minimumCapacity: Int = 0) {
    storage = Dictionary(minimumCapacity: minimumCapacity)
  }

  /// The value of these octets; nil where there is none, and to take it away.
  @inlinable
  public subscript(octets: [UInt8]) -> Value? {
    @inline(__always)
    get { storage[OctetKey(octets: octets)] }
    @inline(__always)
    set { storage[OctetKey(octets: octets)] = newValue }
  }

  /// The number of entries.
  @inlinable
  public var count: Int { storage.count }
  /// Whether there is no entry.
  @inlinable
  public var isEmpty: Bool { storage.isEmpty }
  /// The octets that have values, in no order.
  @inlinable
  public var keys: [[UInt8]] { storage.keys.map(\.octets) }
  /// The values, in no order.
  @inlinable
  public var values: [OctetKey: Value].Values { storage.values }

  /// The entries, in no order.
  @inlinable
  public func makeIterator() -> Iterator {
    Iterator(storage: storage.makeIterator())
  }

  /// Gives one entry after another.
  public struct Iterator: IteratorProtocol {
    @usableFromInline
    var storage: [OctetKey: Value].Iterator

    @inlinable
    init(storage: [OctetKey: Value].Iterator) {
      self.storage = storage
    }

    /// The next entry; nil after the last.
    @inlinable
    @inline(__always)
    public mutating func next() -> (key: [UInt8], value: Value)? {
      guard let entry = storage.next() else { return nil }
      return (key: entry.key.octets, value: entry.value)
    }
  }
}

extension OctetTable: Equatable where Value: Equatable {}
extension OctetTable: Hashable where Value: Hashable {}
extension OctetTable: Sendable where Value: Sendable {}

/// Octets as a key: hashed and compared as a whole, many times as fast as an array, which takes one octet at a time.
///
/// Public, as are the table and the set: what is `package` is not specialised in other modules, which costs half of the
/// time of a run over a large mailbox.
public struct OctetKey: Hashable, Sendable {
  /// What is hashed and compared.
  public let octets: [UInt8]

  /// A key of these octets.
  @inlinable
  public init(octets: [UInt8]) {
    self.octets = octets
  }

  /// Whether the octets are the same, eight at a time.
  @inlinable
  public static func == (first: OctetKey, second: OctetKey) -> Bool {
    first.octets.withUnsafeBytes { one in
      second.octets.withUnsafeBytes { other in
        guard one.count == other.count else { return false }
        var index = 0
        while index + 8 <= one.count {
          let words = (
            one.loadUnaligned(fromByteOffset: index, as: UInt64.self),
            other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          )
          guard words.0 == words.1 else { return false }
          index += 8
        }
        while index < one.count {
          guard one[index] == other[index] else { return false }
          index += 1
        }
        return true
      }
    }
  }

  /// Hashes all octets in one piece.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    octets.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
