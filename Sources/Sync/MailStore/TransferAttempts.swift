package import MailModel

/// Over which messages of a run connections broke: a server that hangs up over one of them is to get, or to give, all others.
///
/// What was being sent when a connection broke is sent alone over the next one. A message that breaks the third connection is
/// given up in this run, and at once if the server answers with something that is no answer. A message that an earlier run gave
/// up is sent alone at once, and given up where it breaks the first.
package struct TransferAttempts<File: Hashable & Sendable>: Sendable {
  /// Connections that may break while one file is sent: over the first of them others may have been sent with it.
  private static var limit: Int { 3 }

  private var breaks: [File: Int] = [:]
  private var answered: Set<File> = []
  private var givenUp = 0
  private var found = 0
  /// What came, was given up or found in between.
  private var progress = 0
  /// So many files may be given up, or be found, before the server counts as one that takes nothing.
  private let countLimit: Int
  /// How often a connection broke.
  private var breakCount = 0
  private let givenUpBefore: Set<File>

  /// How many connections broke over what was given up in an earlier run.
  package private(set) var expectedBreaks = 0

  /// None was made in this run; earlier ones gave these files up.
  package init(givenUpBefore: Set<File> = [], countLimit: Int = 3) {
    self.givenUpBefore = givenUpBefore
    self.countLimit = countLimit
    for file in givenUpBefore { breaks[file] = Self.limit - 1 }
  }

  /// How many files were answered for, each once, or given up, as long as these are few or were so before: a server that goes on
  /// in between is not down.
  package var answers: Int { answered.count + expectedBreaks + progress }

  /// Whether an earlier run gave it up.
  package func wasGivenUpBefore(_ file: File) -> Bool { givenUpBefore.contains(file) }

  /// The number of breaks, after each of which the next attempt is another one; nil once so many files are given up that the server
  /// takes nothing.
  package var nextAttempt: Int? { givenUp <= countLimit ? breakCount : nil }

  /// Whether the next attempt sends otherwise than that one did.
  package func isOther(than attempt: Int?) -> Bool {
    nextAttempt != nil && nextAttempt != attempt
  }

  /// Whether a connection broke over any that was not answered for since.
  package var hasSuspects: Bool { !breaks.isEmpty }

  /// Whether a connection broke while it was sent.
  package func isSuspect(_ file: File) -> Bool { breaks[file] != nil }

  /// Whether it is not to be sent again.
  package func isGivenUp(_ file: File) -> Bool { breaks[file, default: 0] >= Self.limit }

  /// The server took or refused these.
  package mutating func noteAnswers(to files: [File]) {
    answered.formUnion(files)
    for file in files { breaks[file] = nil }
  }

  /// The connection broke while these were sent together; only one that was sent alone is given up for it, at once where
  /// `isFinal`.
  package mutating func noteBreak(over files: [File], isFinal: Bool = false) {
    breakCount += 1
    let isAlone = files.count == 1
    for file in files {
      let count = isAlone && isFinal ? Self.limit : breaks[file, default: 0] + 1
      let isLast = count >= Self.limit
      if !isLast || isAlone { breaks[file] = count }
      guard isLast, isAlone else { continue }
      if givenUpBefore.contains(file) { expectedBreaks += 1 } else { noteGivenUp() }
    }
  }

  private mutating func noteGivenUp() {
    givenUp += 1
    if givenUp <= countLimit { progress += 1 }
  }

  /// So many others came before the connection broke over one that is left aside from now on.
  package mutating func noteFound(behind count: Int) {
    found += 1
    progress += count + (found <= countLimit ? 1 : 0)
  }
}

/// Messages of a mailbox that are to go to another one.
package struct TransferOrder: Sendable {
  /// The messages.
  package let uids: [UInt32]
  /// The mailbox that they go to.
  package let target: MailboxName
  /// Whether they also stay where they are.
  package let isCopy: Bool

  package init(_ uids: [UInt32], to target: MailboxName, isCopy: Bool = false) {
    self.uids = uids
    self.target = target
    self.isCopy = isCopy
  }
}
