/// Which name a thread keeps when threads grow, merge or fall apart.
///
/// A thread keeps the name that most of its messages had; of threads that had the same one, the one with the most
/// messages of it. Others get a name made of their oldest message, so that an index made anew, and the index of
/// another account that holds the same thread, arrive at the same name.
package enum ThreadNaming {
  /// The names of threads.
  ///
  /// - Parameters:
  ///   - threads: what ``ThreadPartition`` made of all messages of the threads concerned.
  ///   - members: the messages.
  ///   - previous: the name that each message had; nil for one that is new.
  ///   - isTaken: whether a name belongs to a thread that is not among these.
  /// - Returns: a name for each thread, no two the same.
  /// - Throws: what `isTaken` throws.
  package static func names<Failure: Error>(
    for threads: [[Int]],
    of members: [ThreadMember],
    previous: [ThreadID?],
    isTaken: (ThreadID) throws(Failure) -> Bool
  ) throws(Failure) -> [ThreadID] {
    var names = [ThreadID?](repeating: nil, count: threads.count)
    var used: Set<ThreadID> = []
    for claim in claims(threads, previous) where names[claim.thread] == nil {
      if used.insert(claim.name).inserted { names[claim.thread] = claim.name }
    }
    // A name that no thread keeps is free, but a new thread must not take it: it would look like the old one.
    used.formUnion(previous.compactMap { $0 })
    var result: [ThreadID] = []
    for (number, thread) in threads.enumerated() {
      if let name = names[number] {
        result.append(name)
        continue
      }
      var name = ThreadID(rawValue: thread.first.map { members[$0].id.rawValue } ?? 0)
      while true {
        if !used.contains(name), try !isTaken(name) { break }
        name = ThreadID(rawValue: name.rawValue &* 0x9E37_79B9_7F4A_7C15 &+ 1)
      }
      used.insert(name)
      result.append(name)
    }
    return result
  }

  private struct Claim {
    let thread: Int
    let name: ThreadID
    let votes: Int
  }

  /// Who wants which name, the strongest claim first.
  private static func claims(_ threads: [[Int]], _ previous: [ThreadID?]) -> [Claim] {
    var claims: [Claim] = []
    for (number, thread) in threads.enumerated() {
      var votes: [ThreadID: Int] = [:]
      for place in thread {
        if let name = previous[place] { votes[name, default: 0] += 1 }
      }
      claims += votes.map { Claim(thread: number, name: $0.key, votes: $0.value) }
    }
    return claims.sorted { ($1.votes, $0.name, $0.thread) < ($0.votes, $1.name, $1.thread) }
  }
}
