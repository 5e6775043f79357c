package import Configuration
package import MailModel
package import Platform
internal import Query
internal import Threads

/// The index of one Maildir, as searches see it: it takes no lock and waits for no writer.
package struct IndexReader: Sendable {
  package let place: IndexPlace

  /// What `account:` is held against; nil for a Maildir without an account.
  package let account: String?

  /// The language whose forms of words are found too, as Xapian knows it; nil for none.
  package let stemming: String?

  /// The servers whose verdicts `auth:` is about.
  package let servers: TrustedServers

  /// Whether a beginning may stand for any number of words: an error about too many tells of all mail that is indexed.
  package var hasNoWordLimit = false

  /// A reader of the index at a place; nothing is read yet.
  package init(
    _ place: IndexPlace,
    account: String? = nil,
    stemming: String? = "english",
    servers: TrustedServers = .none
  ) {
    self.place = place
    self.account = account
    self.stemming = stemming
    self.servers = servers
  }

  /// A reader of the index of an account; nothing is read yet.
  ///
  /// - Throws: ENOENT where the Maildir is missing.
  package init(of account: Account, stemming: String? = "english") throws(SystemError) {
    self.init(
      try IndexPlace.of(account.maildir),
      account: account.name,
      stemming: stemming,
      servers: account.verdictServers
    )
  }

  /// How often to start over where writers overtake a reader.
  private static let attempts = 8

  /// Reads from the index as it is now.
  ///
  /// - Parameter body: may be called several times, since writers may overtake it; what it gives the last time counts.
  /// - Returns: what the body gives.
  /// - Throws: `notThere` where there is no index; what the body throws.
  package func read<Result>(
    _ body: (IndexSnapshot) throws(IndexError) -> Result
  ) throws(IndexError) -> Result {
    var attempt = 1
    while true {
      do throws(IndexError) {
        return try body(
          try IndexSnapshot(
            place,
            account: account,
            stemming: stemming,
            servers: servers,
            wordLimit: hasNoWordLimit ? .max : Schema.wordLimit
          )
        )
      } catch {
        attempt += 1
        guard attempt <= Self.attempts, isOvertaken(error) else { throw error }
      }
    }
  }

  /// Whether a failure is that of a generation which is being replaced, or of a version that is no longer there.
  ///
  /// Where writers are at work, so may be what looks like damage; what is damaged stays so.
  private func isOvertaken(_ error: IndexError) -> Bool {
    switch error {
    case .modified, .damaged: true
    case .notThere: (try? place.currentGeneration()) != nil
    case .system, .locked, .newer, .older, .full, .tooManyWords, .pattern, .interrupted, .failed:
      false
    }
  }
}

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
