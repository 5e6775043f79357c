/// What filters made of attachments in one run.
package struct FilterReport: Hashable, Sendable {
  /// Attachments whose text can be found now.
  package private(set) var texts = 0

  /// How many of these texts were there already, of the same attachment elsewhere or of an earlier index.
  package private(set) var cached = 0

  /// What no text was made of, by filter and by why, in the order in which it was first seen.
  package private(set) var failures: [Failure] = []

  /// Filters that did not run, or stopped, and why, in words.
  package private(set) var stopped: [Stop] = []

  /// Messages with attachments that are left to the next run.
  package var left = 0

  /// Attachments that a filter made no text of.
  package struct Failure: Hashable, Sendable {
    package let filter: TextFilter
    /// Why.
    package let cause: FilterFailure
    /// How many.
    package fileprivate(set) var count: Int
    /// The id of the first message that has one.
    package let message: [UInt8]
  }

  /// A filter that does not run.
  package struct Stop: Hashable, Sendable {
    package let filter: TextFilter
    /// Why.
    package let cause: StopCause
  }

  /// Why a filter does not run.
  package enum StopCause: Hashable, Sendable {
    /// The system refuses to confine it; its words.
    case refused(String)
    /// It cannot be started; the system's words.
    case notStarted(String)
    /// It used more than it may several times in a row.
    case excess
  }

  /// Nothing was done.
  package init() {}

  /// Whether there is nothing to say.
  package var isQuiet: Bool { texts == 0 && failures.isEmpty && stopped.isEmpty }

  /// How many attachments no text was made of.
  package var failed: Int { failures.reduce(0) { $0 + $1.count } }

  /// Counts the text of an attachment.
  package mutating func countText(isCached: Bool) {
    texts += 1
    if isCached { cached += 1 }
  }

  /// Counts an attachment of a message that no text was made of.
  package mutating func count(_ cause: FilterFailure, of filter: TextFilter, in message: [UInt8]) {
    if let place = failures.firstIndex(where: { $0.filter == filter && $0.cause == cause }) {
      failures[place].count += 1
    } else {
      failures.append(Failure(filter: filter, cause: cause, count: 1, message: message))
    }
  }

  /// Says that a filter does not run.
  package mutating func stop(_ filter: TextFilter, _ cause: StopCause) {
    guard !stopped.contains(where: { $0.filter == filter }) else { return }
    stopped.append(Stop(filter: filter, cause: cause))
  }

  /// Whether a filter was stopped.
  package func isStopped(_ filter: TextFilter) -> Bool { stopped.contains { $0.filter == filter } }
}
