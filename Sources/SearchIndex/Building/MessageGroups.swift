internal import Threads

/// The files of each message together, as a first build makes documents of them.
struct MessageGroups: Sendable {
  private let messages: ThreadTable
  /// The files, those of one id side by side.
  private let places: [UInt32]
  /// Where in ``places`` each group begins.
  private let starts: [UInt32]

  /// The groups of files, those of earlier messages first, so that the documents of newest messages lie side by side.
  init(_ messages: ThreadTable) {
    self.messages = messages
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
    self.places = places
    self.starts = starts
  }

  /// How many there are.
  var count: Int { starts.count }

  /// The numbers of the files of a group, the earliest first.
  func files(_ group: Int) -> some Collection<Int> {
    let start = Int(starts[group])
    let id = messages.id(Int(places[start]))
    return places[start...].prefix { messages.id(Int($0)) == id }.lazy.map { Int($0) }
  }

  /// The thread of a group.
  func thread(_ group: Int) -> ThreadID { messages.name(Int(places[Int(starts[group])])) }
}
