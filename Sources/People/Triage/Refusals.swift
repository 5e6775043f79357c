package import MailModel
internal import Maildir
internal import Platform

/// A file of which the server refuses to take over what it shows.
package struct RefusedFile: Sendable {
  package let account: String
  /// The folder in which it lies, relative to the root of the account's Maildirs.
  package let folder: [UInt8]
  /// Its base name.
  package let base: [UInt8]
  /// What the server said, for people.
  package let words: [UInt8]
  /// Whether it is of no use to ask once more, after so many refusals before this one.
  package let isFinal: @Sendable (_ before: Int) -> Bool

  package init(
    account: String,
    folder: [UInt8],
    base: [UInt8],
    words: [UInt8],
    isFinal: @escaping @Sendable (_ before: Int) -> Bool
  ) {
    self.account = account
    self.folder = folder
    self.base = base
    self.words = words
    self.isFinal = isFinal
  }
}

/// A step that was taken back here, since the server refuses it.
package struct ReturnedStep: Sendable {
  package let act: Act
  package let step: ActStep
  /// What the server said, for people.
  package let words: [UInt8]
}

extension Triage {
  /// How many acts are looked through for the one that a refused file is of.
  private static let refusalDepth = 500

  /// Records what the server refused, and reverts what it will never accept.
  ///
  /// Only of files that an act changed last, and that still show exactly that: changes by other programs are not touched. A
  /// file is put back before the journal says so. If the program is killed in between, the next sync finds both sides alike.
  ///
  /// - Returns: the steps that were taken back.
  /// - Throws: that the journal cannot be read or written.
  package func applyRefusals(_ refused: [RefusedFile]) throws(Explanation) -> [ReturnedStep] {
    guard !refused.isEmpty, hasJournal else { return [] }
    let writer = try writer()
    let acts = try acts(atLeast: Self.refusalDepth)
    var returned: [(file: RefusedFile, act: RecordedAct, number: Int)] = []
    for file in refused {
      guard let (act, number) = Self.last(file, acts) else { continue }
      if file.isFinal(act.refusals[number] ?? 0) {
        returned.append((file, act, number))
      } else {
        try explaining(writer) { (writer) throws(SystemError) in
          try writer.noteRefusal(of: number, of: act, file.words)
        }
      }
    }
    return try takeBack(returned, writer)
  }

  /// The last step that changed a file; nil where that left it elsewhere.
  private static func last(
    _ file: RefusedFile,
    _ acts: [RecordedAct]
  ) -> (act: RecordedAct, step: Int)? {
    for act in acts where act.isDone {
      for (number, step) in act.act.steps.enumerated().reversed()
      where step.targetAccount == file.account && step.result == file.base {
        guard !act.left.contains(number), act.returned[number] == nil,
          step.target?.folder == file.folder
        else { return nil }
        return (act, number)
      }
    }
    return nil
  }

  /// The steps that an act took with the original of a copy in another account.
  private static func departures(of step: ActStep, in act: RecordedAct) -> [Int] {
    guard case .export = step.change else { return [] }
    return act.act.steps.indices.filter { number in
      let other = act.act.steps[number]
      guard case .place = other.change else { return false }
      return other.account == step.account && other.base == step.base
        && !act.left.contains(number) && act.returned[number] == nil
    }
  }

  private func takeBack(
    _ refused: [(file: RefusedFile, act: RecordedAct, number: Int)],
    _ writer: ActJournal.Writer
  ) throws(Explanation) -> [ReturnedStep] {
    guard !refused.isEmpty else { return [] }
    var planner = UndoPlanner(accounts)
    var taker = StepTaker(accounts)
    var done: [(file: RefusedFile, act: RecordedAct, number: Int)] = []
    try explaining(writer) { (_) throws(SystemError) in
      for (file, act, number) in refused {
        // The original of what another account refuses is put back before the copy goes.
        for number in Self.departures(of: act.act.steps[number], in: act) + [number] {
          guard let inverse = try planner.inverse(of: act.act.steps[number]),
            taker.takeStep(inverse.step, seen: inverse.seen) == .taken
          else { break }
          done.append((file, act, number))
        }
      }
      if let failure = try taker.flushChanges().first { throw failure.error }
    }
    updateIndexes(taker.changes)
    try explaining(writer) { (writer) throws(SystemError) in
      for (file, act, number) in done {
        try writer.noteReturn(of: number, of: act, file.words)
      }
    }
    return done.map { file, act, number in
      ReturnedStep(act: act.act, step: act.act.steps[number], words: file.words)
    }
  }

  private func explaining(
    _ writer: ActJournal.Writer,
    _ body: (ActJournal.Writer) throws(SystemError) -> Void
  ) throws(Explanation) {
    do throws(SystemError) {
      try body(writer)
    } catch {
      throw Explanation(.cannotCreate, error.description)
    }
  }
}
