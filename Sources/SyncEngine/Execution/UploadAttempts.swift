internal import Platform

/// Over which uploads of a run connections broke: a server that hangs up over one message is to get all others.
///
/// What was being sent when a connection broke is sent alone over the next one, behind the others. What breaks the third is left
/// to the next run.
final class UploadAttempts: Sendable {
  /// A file, by its mailbox and base name.
  struct File: Hashable, Sendable {
    let mailbox: UInt64
    let name: [UInt8]
  }

  private struct Counts: Sendable {
    var breaks: [File: Int] = [:]
    var answered: Set<File> = []
    var givenUp = 0
  }

  /// Connections that may break while one file is sent: over the first of them others may have been sent with it.
  private static let limit = 3

  /// So many files may be given up before the server counts as one that takes nothing.
  private static let givenUpLimit = 3

  private let counts = Monitor(Counts())

  /// How many files were answered for, each once, or given up, as long as these are few: a server that goes on in between is not
  /// down.
  var answers: Int {
    counts.withLock { $0.answered.count + min($0.givenUp, Self.givenUpLimit) }
  }

  /// Whether a connection broke while it was sent.
  func isSuspect(_ file: File) -> Bool { counts.withLock { $0.breaks[file] != nil } }

  /// Whether it is not to be sent again.
  func isGivenUp(_ file: File) -> Bool {
    counts.withLock { $0.breaks[file, default: 0] >= Self.limit }
  }

  /// The server took or refused these.
  func noteAnswers(to files: [File]) {
    counts.withLock { counts in
      counts.answered.formUnion(files)
      for file in files { counts.breaks[file] = nil }
    }
  }

  /// The connection broke while these were sent together; only one that was sent alone is given up for it.
  func noteBreak(over files: [File]) {
    counts.withLock { counts in
      for file in files {
        let isLast = counts.breaks[file, default: 0] + 1 >= Self.limit
        if !isLast || files.count == 1 { counts.breaks[file, default: 0] += 1 }
        if isLast, files.count == 1 { counts.givenUp += 1 }
      }
    }
  }
}
