/// The messages of threads by number, in 20 octets each, so that there may be millions of them.
///
/// A message without a place in it is one that could not be read, or is gone.
package struct ThreadTable: Sendable {
  private var ids: [LinkKey]
  private var dates: [Int64]
  /// An earlier message of the thread; itself for the first one; ``absent`` for one that is not there.
  private var parents: [UInt32]

  private static let absent = UInt32.max

  /// A table for so many messages, of which none is there yet.
  init(count: Int) {
    ids = Array(repeating: LinkKey(rawValue: 0), count: count)
    dates = Array(repeating: 0, count: count)
    parents = Array(repeating: Self.absent, count: count)
  }

  /// Adds a message as a thread of its own.
  mutating func add(_ id: LinkKey, _ date: Int64, at place: Int) {
    ids[place] = id
    dates[place] = date
    parents[place] = UInt32(place)
  }

  /// Makes one thread of those of two messages.
  mutating func join(_ one: Int, _ other: Int) {
    let (one, other) = (findFirst(one), findFirst(other))
    if one == other { return }
    if precedes(one, other) { parents[other] = UInt32(one) } else { parents[one] = UInt32(other) }
  }

  private mutating func findFirst(_ place: Int) -> Int {
    var place = place
    while parents[place] != UInt32(place) {
      parents[place] = parents[Int(parents[place])]
      place = Int(parents[place])
    }
    return place
  }

  /// Makes ``first(_:)`` right for all messages.
  mutating func flattenParents() {
    for place in parents.indices where parents[place] != Self.absent {
      parents[place] = UInt32(findFirst(place))
    }
  }

  /// The messages that are there, in ascending order.
  package var places: some Collection<Int> {
    parents.indices.lazy.filter { parents[$0] != Self.absent }
  }

  /// The key of the id of a message.
  package func id(_ place: Int) -> LinkKey { ids[place] }

  /// When a message was written, in seconds since 1970.
  package func date(_ place: Int) -> Int64 { dates[place] }

  /// The earliest message of the thread of one.
  package func first(_ place: Int) -> Int { Int(parents[place]) }

  /// The name of the thread of a message.
  package func name(_ place: Int) -> ThreadID { ThreadID(oldest: ids[first(place)]) }

  /// Whether one comes before another: as ``ThreadMember/precedes(_:)``, those of the same id and date by number.
  package func precedes(_ one: Int, _ other: Int) -> Bool {
    (dates[one], ids[one], one) < (dates[other], ids[other], other)
  }
}
