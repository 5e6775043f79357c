/// Octet strings one behind the other in one piece of memory: each has a number, and is found by its key, with which it
/// begins.
///
/// For names of files, of which there are a hundred thousand: an array for each takes twice the memory, and counts
/// references at each look.
package struct OctetPool: Sendable {
  private struct Entry {
    let start: Int
    let count: UInt32
    let keyCount: UInt32
  }

  private var octets: [UInt8] = []
  private var entries: [Entry] = []
  /// A power of two of places, at least half of them free.
  ///
  /// Each has the hash of a key in its upper half, and the number of its string plus one in the lower. A free place is 0.
  private var slots: [UInt64]

  /// A pool of nothing, with room for so many strings.
  package init(minimumCapacity: Int = 0) {
    slots = Array(repeating: 0, count: Self.slotCount(for: minimumCapacity))
    entries.reserveCapacity(minimumCapacity)
  }

  /// The number of strings: their numbers are those below it.
  package var count: Int { entries.count }

  /// Adds a string unless one of its key is there, which keeps its place.
  ///
  /// - Returns: the number of the string of that key, and whether it was added.
  package mutating func insert(
    _ string: UnsafeRawBufferPointer,
    keyCount: Int
  ) -> (number: Int, isNew: Bool) {
    grow()
    let key = UnsafeRawBufferPointer(rebasing: string[..<keyCount])
    let hash = Self.hash(key)
    let slot = slot(of: key, hash)
    if slots[slot] != 0 { return (Self.number(slots[slot]), false) }
    slots[slot] = Self.mark(hash, entries.count)
    return (add(string, keyCount), true)
  }

  /// Adds a string, which is the one of its key from now on.
  ///
  /// - Returns: its number, and whether another string had the key before.
  @discardableResult
  package mutating func append(
    _ string: UnsafeRawBufferPointer,
    keyCount: Int
  ) -> (number: Int, isKnown: Bool) {
    grow()
    let key = UnsafeRawBufferPointer(rebasing: string[..<keyCount])
    let hash = Self.hash(key)
    let slot = slot(of: key, hash)
    let isKnown = slots[slot] != 0
    slots[slot] = Self.mark(hash, entries.count)
    return (add(string, keyCount), isKnown)
  }

  /// The string of that key; nil where there is none.
  package func number(of key: UnsafeRawBufferPointer) -> Int? {
    guard !entries.isEmpty else { return nil }
    let found = slots[slot(of: key, Self.hash(key))]
    return found == 0 ? nil : Self.number(found)
  }

  /// The string of that key; nil where there is none.
  package func number(of key: [UInt8]) -> Int? {
    key.withUnsafeBytes { number(of: $0) }
  }

  /// Lends the octets of a string.
  package func withOctets<Result>(
    _ number: Int,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let entry = entries[number]
    return try octets.withUnsafeBytes { octets in
      try body(Self.part(octets, entry.start, entry.count))
    }
  }

  /// Lends the key of a string.
  package func withKey<Result>(
    _ number: Int,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let entry = entries[number]
    return try octets.withUnsafeBytes { octets in
      try body(Self.part(octets, entry.start, entry.keyCount))
    }
  }

  // MARK: Places

  private mutating func add(_ string: UnsafeRawBufferPointer, _ keyCount: Int) -> Int {
    let entry = Entry(
      start: octets.count,
      count: UInt32(string.count),
      keyCount: UInt32(keyCount)
    )
    octets.append(contentsOf: string)
    entries.append(entry)
    return entries.count - 1
  }

  private static func part(
    _ octets: UnsafeRawBufferPointer,
    _ start: Int,
    _ count: UInt32
  ) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: octets[start..<(start + Int(count))])
  }

  /// Where the key stands among the slots, or the free place where it would.
  private func slot(of key: UnsafeRawBufferPointer, _ hash: UInt32) -> Int {
    octets.withUnsafeBytes { octets in
      let mask = slots.count - 1
      var slot = Int(hash) & mask
      while slots[slot] != 0 {
        if slots[slot] >> 32 == UInt64(hash), isKey(Self.number(slots[slot]), key, octets) {
          return slot
        }
        slot = (slot + 1) & mask
      }
      return slot
    }
  }

  private func isKey(
    _ number: Int,
    _ key: UnsafeRawBufferPointer,
    _ octets: UnsafeRawBufferPointer
  ) -> Bool {
    let entry = entries[number]
    guard Int(entry.keyCount) == key.count else { return false }
    return OctetScan.isEqual(Self.part(octets, entry.start, entry.keyCount), key)
  }

  private mutating func grow() {
    let wanted = Self.slotCount(for: entries.count + 1)
    guard wanted > slots.count else { return }
    var larger = [UInt64](repeating: 0, count: wanted)
    for value in slots where value != 0 {
      var slot = Int(value >> 32) & (wanted - 1)
      while larger[slot] != 0 { slot = (slot + 1) & (wanted - 1) }
      larger[slot] = value
    }
    slots = larger
  }

  private static func slotCount(for count: Int) -> Int {
    var slots = 16
    while slots < 2 * count { slots *= 2 }
    return slots
  }

  private static func mark(_ hash: UInt32, _ number: Int) -> UInt64 {
    UInt64(hash) << 32 | UInt64(number + 1)
  }

  private static func number(_ mark: UInt64) -> Int {
    Int(mark & 0xFFFF_FFFF) - 1
  }

  // MARK: Hashes

  /// Another one in each run, so that no one who chooses names can have them meet in one place.
  private static let seed: UInt64 = {
    var hasher = Hasher()
    hasher.combine(0)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }()

  private static func hash(_ key: UnsafeRawBufferPointer) -> UInt32 {
    var state = seed ^ UInt64(key.count)
    var index = 0
    while index &+ 8 <= key.count {
      state = mix(state ^ key.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index &+= 8
    }
    var rest: UInt64 = 0
    while index < key.count {
      rest = rest << 8 | UInt64(key[index])
      index &+= 1
    }
    return UInt32(truncatingIfNeeded: mix(state ^ rest))
  }

  @inline(__always)
  private static func mix(_ word: UInt64) -> UInt64 {
    let (high, low) = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return high ^ low
  }
}
