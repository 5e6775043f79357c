/// Which files of a cache go, so that it does not grow without end.
package enum CacheTrim {
  /// A file of the cache.
  package struct Entry: Hashable, Sendable {
    package let name: [UInt8]
    /// Octets.
    package let size: Int
    /// When it was last used, in nanoseconds since 1970.
    package let time: Int64

    package init(name: [UInt8], size: Int, time: Int64) {
      self.name = name
      self.size = size
      self.time = time
    }
  }

  /// The names of those that go: where all take more than the limit, the ones that were used longest ago, until no more than
  /// `rest` is taken.
  package static func leaving(_ entries: [Entry], limit: Int, rest: Int) -> [[UInt8]] {
    var total = entries.reduce(0) { $0 + $1.size }
    guard total > limit else { return [] }
    var names: [[UInt8]] = []
    for entry in entries.sorted(by: { $0.time < $1.time }) where total > rest {
      total -= entry.size
      names.append(entry.name)
    }
    return names
  }
}
