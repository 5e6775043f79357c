internal import Threads

/// The files of each message together, as a first build makes documents of them, in 16 octets a message at most.
struct MessageGroups: Sendable {
  /// The files, those of one id side by side, the latest of each id with ``last``.
  private let places: [UInt32]
  /// Where in ``places`` each group begins.
  private let starts: [UInt32]
  private let threads: [ThreadID]

  /// Marks the last file of a group.
  private static let last: UInt32 = 1 << 31

  /// The groups of files, those of earlier messages first, so that the documents of newest messages lie side by side.
  init(_ messages: ThreadTable) {
    var places = messages.places.map { UInt32($0) }
    places.sort {
      let (one, other) = (messages.id(Int($0)), messages.id(Int($1)))
      return one == other ? messages.precedes(Int($0), Int($1)) : one < other
    }
    var starts: [UInt32] = []
    for place in places.indices
    where place == 0 || messages.id(Int(places[place - 1])) != messages.id(Int(places[place])) {
      starts.append(UInt32(place))
    }
    starts.sort { messages.precedes(Int(places[Int($0)]), Int(places[Int($1)])) }
    threads = starts.map { messages.name(Int(places[Int($0)])) }
    for place in places.indices
    where place + 1 == places.count
      || messages.id(Int(places[place + 1])) != messages.id(Int(places[place]))
    {
      places[place] |= Self.last
    }
    self.places = places
    self.starts = starts
  }

  /// How many there are.
  var count: Int { starts.count }

  /// The numbers of the files of a group, the earliest first.
  func files(_ group: Int) -> some Collection<Int> {
    let start = Int(starts[group])
    let end = places[start...].firstIndex { $0 >= Self.last } ?? start
    return places[start...end].lazy.map { Int($0 & ~Self.last) }
  }

  /// The thread of a group.
  func thread(_ group: Int) -> ThreadID { threads[group] }
}
