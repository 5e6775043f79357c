/// How long to wait before a connection that was lost in a run is made anew: longer each time, and from the beginning where
/// the server went on in between.
package struct ReconnectDelays: Sendable {
  private let all: [Double]
  private var left: ArraySlice<Double>
  private var answers = 0
  private var expectedBreaks = 0

  /// The seconds to wait, one for each attempt.
  package init(_ delays: [Double]) {
    all = delays
    left = delays[...]
  }

  /// A connection was lost, after these attempts to upload files, and answers for so many messages that were fetched.
  package mutating func noteLoss<File>(
    after attempts: TransferAttempts<File>,
    besides fetched: Int = 0
  ) {
    let answers = attempts.answers + fetched
    if answers > self.answers { left = all[...] }
    // Nothing is wrong with the server then.
    if attempts.expectedBreaks > expectedBreaks, !all.isEmpty { left = [0] + all }
    (self.answers, expectedBreaks) = (answers, attempts.expectedBreaks)
  }

  /// The seconds to wait before the next attempt; nil where there is to be none.
  package mutating func next() -> Double? { left.popFirst() }
}
