package import MailModel

/// What one command does to messages: durable in the journal before the first of its steps is taken.
package struct Act: Hashable, Sendable {
  /// Its number; those of a user count from 1.
  package let number: Int

  /// When it was asked for, in seconds since 1970.
  package let time: Int64

  /// The words of the command, for people.
  package let command: [UInt8]

  /// The number of the act that it takes back; nil for none.
  package let undoing: Int?

  /// Who asked for it.
  package let origin: ActOrigin

  /// What it does, a step for each file.
  package let steps: [ActStep]

  /// How many files it is about: a file may take several steps.
  package var fileCount: Int {
    let chains = StepChains([self])
    return Set(steps.map(chains.file)).count
  }

  package init(
    number: Int,
    time: Int64,
    command: [UInt8],
    undoing: Int? = nil,
    origin: ActOrigin = .person,
    steps: [ActStep]
  ) {
    self.number = number
    self.time = time
    self.command = command
    self.undoing = undoing
    self.origin = origin
    self.steps = steps
  }
}

/// What an act does to one file.
package struct ActStep: Hashable, Sendable {
  /// What becomes of the file.
  package enum Change: Hashable, Sendable {
    /// It shows other flags, or lies in another folder, or both.
    case place(from: FilePlace, to: FilePlace)
    /// A copy of it, under a base name of its own, lies in another folder.
    case copy(of: FilePlace, to: FilePlace, base: [UInt8])
    /// A copy of it, under a base name of its own, lies in a folder of another account.
    case export(of: FilePlace, account: String, to: FilePlace, base: [UInt8])
    /// It goes for good.
    case removal(of: FilePlace)
    /// Its message gets and loses tags, in the place where the file is.
    case tags(of: FilePlace, adding: [[UInt8]], removing: [[UInt8]])
  }

  /// The account in whose Maildir it lies, and in which all happens to it but an export.
  package let account: String

  /// The Message-ID, without its brackets; empty for none.
  package let id: [UInt8]

  /// The base name of the file.
  package let base: [UInt8]

  /// What becomes of it.
  package let change: Change

  package init(account: String, id: [UInt8], base: [UInt8], _ change: Change) {
    self.account = account
    self.id = id
    self.base = base
    self.change = change
  }

  /// The step that takes this one back; nil where nothing can.
  package var inverse: ActStep? {
    switch change {
    case .place(let from, let to):
      ActStep(account: account, id: id, base: base, .place(from: to, to: from))
    case .copy(_, let to, let copy):
      ActStep(account: account, id: id, base: copy, .removal(of: to))
    case .export(_, let other, let to, let copy):
      ActStep(account: other, id: id, base: copy, .removal(of: to))
    case .tags(let place, let added, let removed):
      ActStep(
        account: account,
        id: id,
        base: base,
        // Rules would find the message once more elsewhere.
        .tags(of: place, adding: removed, removing: added.filter { !RuleMark.isOne($0) })
      )
    case .removal: nil
    }
  }
}

/// Where a file lies, and what it shows.
package struct FilePlace: Hashable, Sendable {
  /// The folder, relative to the root of the account's Maildirs; empty for the root itself.
  package let folder: [UInt8]

  /// The flags in its name.
  package let flags: SystemFlags

  package init(_ folder: [UInt8], _ flags: SystemFlags) {
    self.folder = folder
    self.flags = flags
  }
}

/// An act with what became of it.
package struct RecordedAct: Hashable, Sendable {
  package let act: Act

  /// The name of the journal's file that has it.
  var month: [UInt8] = []

  /// Whether its steps were taken, as far as they could be.
  package internal(set) var isDone = false

  /// The steps, by their numbers from 0, that were not taken: since the file was gone, or as the next two say.
  package internal(set) var left: Set<Int> = []

  /// The steps of those that could not be taken, and why.
  package internal(set) var failed: [Int: [UInt8]] = [:]

  /// The steps of those that were not tried, since one before them of the same message was not taken.
  package internal(set) var skipped: Set<Int> = []

  /// The steps, by their numbers from 0, that the server refused so often: how often.
  package internal(set) var refusals: [Int: Int] = [:]

  /// The steps, by their numbers from 0, that were taken back here since the server refuses them, and why.
  package internal(set) var returned: [Int: [UInt8]] = [:]

  /// The last act that took it back, as a whole or in part, where that is not taken back itself.
  package internal(set) var undoneBy: Int?

  /// The steps, by their numbers from 0, that are taken back by other acts.
  private var undone: Set<Int> = []

  init(_ act: Act) {
    self.act = act
  }

  /// How many files have steps that were not taken.
  package var leftCount: Int { files(of: left).count }

  /// How many of these have steps that could not be taken; the files of the others were gone.
  package var failedCount: Int { files(of: Set(failed.keys)).count }

  private func files(of steps: Set<Int>) -> Set<StepChains.File> {
    let chains = StepChains([act])
    return Set(act.steps.indices.filter(steps.contains).map { chains.file(of: act.steps[$0]) })
  }

  /// The steps that are in effect, as far as the journal knows.
  package var standing: [ActStep] {
    act.steps.indices.filter(isStanding).map { act.steps[$0] }
  }

  private func isStanding(_ number: Int) -> Bool {
    !left.contains(number) && returned[number] == nil && !undone.contains(number)
  }

  /// Takes in what later acts that were to take it back, the newest first, did of that: all but what they tried in vain, or
  /// what was done again.
  ///
  /// What none of them tried was changed since, or goes with what was taken back.
  mutating func take(undoing others: [RecordedAct]) {
    guard let newest = others.first(where: { !$0.standing.isEmpty }) else { return }
    undoneBy = newest.act.number
    let (tried, done) = (Set(others.flatMap(\.act.steps)), Set(others.flatMap(\.standing)))
    for (number, step) in act.steps.enumerated() {
      if let inverse = step.inverse, tried.contains(inverse), !done.contains(inverse) { continue }
      undone.insert(number)
    }
  }
}

extension ActStep {
  /// Whether it only marks a message as sorted, which nothing takes back.
  var isMarkOnly: Bool {
    guard case .tags(_, let added, let removed) = change else { return false }
    return removed.isEmpty && added.allSatisfy(RuleMark.isOne)
  }

  /// Where the file lay before.
  package var origin: FilePlace {
    switch change {
    case .place(let from, _), .copy(let from, _, _), .export(let from, _, _, _): from
    case .removal(let place), .tags(let place, _, _): place
    }
  }

  /// Where it, or its copy, lies after; nil where it is gone.
  package var target: FilePlace? {
    switch change {
    case .place(_, let to), .copy(_, let to, _), .export(_, _, let to, _): to
    case .tags(let place, _, _): place
    case .removal: nil
    }
  }

  /// The account in which it, or its copy, lies after.
  package var targetAccount: String {
    if case .export(_, let other, _, _) = change { other } else { account }
  }

  /// The base name of the file that the step leaves: its own, or that of the copy.
  var result: [UInt8] {
    switch change {
    case .copy(_, _, let base), .export(_, _, _, let base): base
    case .place, .removal, .tags: base
    }
  }
}
