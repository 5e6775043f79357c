internal import Query
internal import Threads

extension IndexReader {
  /// The threads of messages as searches name them, by Message-ID without angle brackets; without those that are not in
  /// the index.
  ///
  /// - Throws: `notThere` where there is no index.
  package func threads(of ids: [[UInt8]]) throws(IndexError) -> [[UInt8]: String] {
    try read { (snapshot) throws(IndexError) in
      var threads: [[UInt8]: String] = [:]
      for id in ids {
        let found = try snapshot.threadIDs(.exact(.id, id), .newestFirst, limit: 1).first
        threads[id] = found?.id.description
      }
      return threads
    }
  }

  /// Those of some messages, by Message-ID without angle brackets, whose thread is muted.
  ///
  /// - Throws: `notThere` where there is no index.
  package func muted(of ids: [[UInt8]]) throws(IndexError) -> Set<[UInt8]> {
    try read { (snapshot) throws(IndexError) in
      let muted = Query.exact(.tag, Query.muted)
      guard try snapshot.count(muted) > 0 else { return [] }
      var found: Set<[UInt8]> = []
      for id in ids where try snapshot.count(.and([.exact(.id, id), .thread(muted)])) > 0 {
        found.insert(id)
      }
      return found
    }
  }
}
