internal import MailStore
internal import RestorePlan

/// What became of the files of a mailbox in this run, over all connections.
final class RestoreProgress {
  /// Those that were sent, whether the server answered or not.
  var sent: Set<Int> = []
  /// Those that the server refused.
  var refused: Set<Int> = []
  /// Those that had changed since they were read when they were to be sent.
  var lost: Set<Int> = []
  /// Those whose message is in another mailbox, with its name for people.
  var elsewhere: [Int: String] = [:]
  /// Over which files connections broke.
  private(set) var attempts = TransferAttempts<Int>()

  /// Takes up over which of the files the server hung up in an earlier run.
  func recall(_ breaking: Set<WireDigest>, of files: [RestoredFile]) {
    guard !breaking.isEmpty else { return }
    let known = files.indices.filter { breaking.contains(files[$0].digest) }
    attempts = TransferAttempts(givenUpBefore: Set(known))
  }

  /// The files in their order, those last over which the server hung up in an earlier run.
  func ordered(_ indices: [Int]) -> [Int] {
    let last = indices.filter(attempts.wasGivenUpBefore)
    return last.isEmpty ? indices : indices.filter { !attempts.wasGivenUpBefore($0) } + last
  }

  /// Whether a file is not to be sent again.
  func isSettled(_ index: Int) -> Bool {
    refused.contains(index) || lost.contains(index) || elsewhere[index] != nil
  }

  /// The server took or refused these.
  func noteAnswers(to indices: [Int]) { attempts.noteAnswers(to: indices) }

  /// The connection broke while these were sent together; what was sent alone is given up at once where `isFinal`.
  ///
  /// - Returns: what is not to be sent again, since no connection outlasts it; nil where nothing is given up.
  func noteBreak(over indices: [Int], isFinal: Bool) -> Int? {
    attempts.noteBreak(over: indices, isFinal: isFinal)
    guard indices.count == 1, let index = indices.first, !lost.contains(index),
      attempts.isGivenUp(index)
    else { return nil }
    refused.insert(index)
    return index
  }
}
