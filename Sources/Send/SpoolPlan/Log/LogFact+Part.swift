extension LogFact {
  /// What a fact says of some recipients only, by the numbers that they have in an entry of their own; `nil` where it says
  /// nothing of them, nor of the message as a whole.
  func limited(to recipients: [Int]) -> LogFact? {
    switch self {
    case .sending(let numbers): Self.part(numbers, recipients).map { .sending($0) }
    case .accepted(let numbers, let words):
      Self.part(numbers, recipients).map { .accepted($0, words) }
    case .refused(let numbers, let words):
      Self.part(numbers, recipients).map { .refused($0, words) }
    case .deferred(let numbers, let until, let words):
      Self.part(numbers, recipients).map { .deferred($0, until: until, words) }
    case .unanswered(let numbers, let until, let words):
      Self.part(numbers, recipients).map { .unanswered($0, until: until, words) }
    case .unsent(let numbers, let words): Self.part(numbers, recipients).map { .unsent($0, words) }
    case .failed, .retried, .reported, .held, .released, .approved: self
    case .split, .replaced, .begun, .done, .postponed, .rejected, .undone: nil
    case .discarded, .undiscarded, .cancelling, .uncancelled, .cancelled, .seen: nil
    }
  }

  private static func part(_ numbers: [Int], _ recipients: [Int]) -> [Int]? {
    let part = recipients.indices.filter { numbers.contains(recipients[$0]) }
    return part.isEmpty ? nil : part
  }
}

extension Progress {
  /// The log of an entry of their own that some recipients get: what happened to them so far.
  ///
  /// The copy is made once for all who get the same message: by the entry of those who have it.
  ///
  /// - Parameters:
  ///   - log: the log of the entry that they are split off.
  ///   - recipients: their numbers there.
  ///   - id: the name of that entry.
  ///   - now: the time, in seconds since 1970.
  /// - Returns: the records.
  package func part(
    of log: [LogRecord],
    for recipients: [Int],
    of id: EntryID,
    now: Int64
  ) -> [LogRecord] {
    let known = log.compactMap { record in
      record.fact.limited(to: recipients).map { LogRecord($0, at: record.time) }
    }
    guard !steps.isEmpty, hasCopyElsewhere else { return known }
    return known + [Self.copyElsewhere(id, now)]
  }

  /// What the log of an entry says of which the copy is the business of another one.
  package static func copyElsewhere(_ id: EntryID, _ now: Int64) -> LogRecord {
    LogRecord(.done([0], [UInt8]("as part of ".utf8) + id.octets), at: now)
  }
}
