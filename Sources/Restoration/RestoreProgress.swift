/// What became of the files of a mailbox in this run, over all connections.
final class RestoreProgress {
  /// Connections that may break while one file is sent: over the first of them others were sent with it.
  private static let patience = 3

  /// Those that were sent, whether the server answered or not.
  var sent: Set<Int> = []
  /// Those that the server refused.
  var refused: Set<Int> = []
  /// Those that were not what was read of them any more when they were to be sent.
  var lost: Set<Int> = []
  /// How many files the server took or refused.
  var answers = 0
  /// How many connections broke while a file was sent that was not answered for.
  private var breaks: [Int: Int] = [:]

  /// Whether a file is not to be sent again.
  func isSettled(_ index: Int) -> Bool { refused.contains(index) || lost.contains(index) }

  /// Whether a connection broke while it was sent: it is sent alone from then on, so that others go on.
  func isSuspect(_ index: Int) -> Bool { breaks[index] != nil }

  /// The connection broke while these were sent together.
  ///
  /// - Returns: what is not to be sent again, since no connection outlasts it; nil where nothing is given up.
  func noteBreak(over indices: [Int]) -> Int? {
    for index in indices { breaks[index, default: 0] += 1 }
    guard indices.count == 1, let index = indices.first, !lost.contains(index),
      breaks[index, default: 0] >= Self.patience
    else { return nil }
    refused.insert(index)
    answers += 1
    return index
  }
}
