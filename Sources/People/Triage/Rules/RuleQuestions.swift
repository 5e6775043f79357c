internal import Configuration
internal import MailModel
internal import Platform
internal import SyncState

/// How long the programs of rules may work on messages.
package enum RuleAsking: Hashable, Sendable {
  /// They are not run: it is only counted for how many messages they would be.
  case never
  /// Together for as long as a sync waits for them; the other messages wait for the next one.
  case besideSync
  /// For each message as long as one may take.
  case fully

  /// Seconds for all messages together; nil for no limit.
  var seconds: Double? { self == .besideSync ? TestTime.replyTime(60) : nil }
}

/// Decides which rules count for messages: by their queries, which have found them, and by their programs, which are asked here.
///
/// Nothing is locked meanwhile that another command would wait for.
struct RuleQuestions {
  /// A message, and the rules whose queries find it, by their numbers from 0, in their order.
  struct Message: Sendable {
    let file: TargetFile
    let rules: [Int]
  }

  /// Programs that run at the same time, for all accounts of this process together.
  private static let workers = 2
  private static let isBusy = Monitor(false)

  private let rules: [Rule]
  private let asking: RuleAsking
  private let partial: PartialFiles
  private let interruption: Interruption
  private var secondsLeft: Double?
  /// Whether no program was asked yet.
  private var isFresh = true
  private var names = FolderFiles()

  /// For how many messages the program of a rule gave no answer, by the number of the rule, and why for the first of them.
  private(set) var undecided: [Int: (count: Int, words: String)] = [:]
  /// For how many messages it would be run.
  private(set) var unasked: [Int: Int] = [:]

  init(
    _ rules: [Rule],
    _ accounts: [Account],
    _ asking: RuleAsking,
    interruption: Interruption = .shared
  ) {
    (self.rules, self.asking, self.interruption) = (rules, asking, interruption)
    secondsLeft = asking.seconds
    partial = PartialFiles(accounts)
  }

  /// Decides about messages; nil for one that has to wait for another time.
  mutating func decide(_ messages: [Message]) -> [RuleDecision?] {
    let traits = rules.map(\.trait)
    var decisions: [RuleDecision?] = []
    var asked: [Asked] = []
    for (index, message) in messages.enumerated() {
      if message.rules.contains(where: { rules[$0].command != nil }) {
        // Under the name that it has now; of one that is gone no program is asked.
        let file = names.current(message.file)
        asked.append(Asked(index: index, file: file, rules: message.rules))
        decisions.append(nil)
      } else {
        decisions.append(RuleDecision(message.rules, of: traits))
      }
    }
    guard !asked.isEmpty else { return decisions }
    for (index, outcome) in outcomes(of: asked, traits) {
      decisions[index] = outcome.decision
      for (rule, words) in outcome.undecided {
        undecided[rule, default: (count: 0, words: words)].count += 1
      }
      for rule in outcome.unasked { unasked[rule, default: 0] += 1 }
    }
    return decisions
  }

  // MARK: Asking

  private struct Asked: Sendable {
    let index: Int
    /// Nil for one that is gone.
    let file: TargetFile?
    let rules: [Int]
  }

  private struct Outcome: Sendable {
    var decision: RuleDecision? = RuleDecision()
    var undecided: [(rule: Int, words: String)] = []
    var unasked: [Int] = []
  }

  /// What came of it for each message, by its place.
  private mutating func outcomes(
    of asked: [Asked],
    _ traits: [RuleDecision.Trait]
  ) -> [(Int, Outcome)] {
    _ = Self.isBusy.take { isBusy -> Bool? in
      if isBusy { return nil }
      isBusy = true
      return true
    }
    defer { Self.isBusy.update { $0 = false } }
    let start = Clock.monotonicNanoseconds()
    let asker = Asker(
      rules: rules,
      traits: traits,
      asking: asking,
      partial: partial,
      interruption: interruption,
      deadline: secondsLeft.map { Deadline.after(seconds: $0) } ?? .never
    )
    let (next, outcomes) = (Monitor(0), Monitor([(Int, Outcome)]()))
    let isFresh = isFresh
    let work = { @Sendable in
      while let number = Self.takeNumber(next, below: asked.count) {
        Heartbeat.give()
        let outcome = asker.outcome(asked[number], isFirst: isFresh && number < Self.workers)
        outcomes.withLock { $0.append((asked[number].index, outcome)) }
      }
    }
    let count = asking == .never ? 1 : min(Self.workers, asked.count)
    let threads = (1..<count).compactMap { _ in try? Thread.spawn(name: "rules", work) }
    work()
    for thread in threads { thread.join() }
    self.isFresh = false
    let seconds = Double(Clock.monotonicNanoseconds() - start) / 1e9
    secondsLeft = secondsLeft.map { max(0, $0 - seconds) }
    return outcomes.withLock { $0.sorted { $0.0 < $1.0 } }
  }

  private static func takeNumber(_ next: Monitor<Int>, below end: Int) -> Int? {
    next.withLock { number in
      guard number < end else { return nil }
      defer { number += 1 }
      return number
    }
  }

  /// What threads share that ask.
  private struct Asker: Sendable {
    let rules: [Rule]
    let traits: [RuleDecision.Trait]
    let asking: RuleAsking
    let partial: PartialFiles
    let interruption: Interruption
    let deadline: Deadline

    /// Decides about a message.
    ///
    /// One of the first of a run that took all of its time does not wait: it would for ever.
    func outcome(_ message: Asked, isFirst: Bool) -> Outcome {
      var outcome = Outcome()
      for number in message.rules where outcome.decision?.depends(on: traits[number]) == true {
        switch answer(of: number, message.file) {
        case .yes: outcome.decision?.add(number, traits[number])
        case .no: continue
        case .undecided(let words): outcome.undecided.append((number, words))
        case .unasked where asking == .never: outcome.unasked.append(number)
        case .unasked where isFirst && !interruption.isRequested:
          let program = rules[number].command?.program ?? ""
          outcome.undecided.append((number, "\(program) did not end in time"))
        case .unasked: return Outcome(decision: nil)
        }
      }
      return outcome
    }

    private func answer(of number: Int, _ file: TargetFile?) -> RuleCommand.Answer {
      guard let command = rules[number].command else { return .yes }
      guard let file else { return .no }
      guard asking != .never else { return .unasked }
      return command.answer(about: file, partial, until: deadline, interruption)
    }
  }
}

extension RuleQuestions {
  /// What is to be said of programs that gave no answer, in the order of the rules.
  var problems: [(rule: String, problem: Explanation)] {
    undecided.sorted { $0.key < $1.key }.map { number, found in
      let name = rules[number].settings.name
      let messages = found.count == 1 ? "1 message" : "\(found.count) messages"
      return (
        name,
        Explanation(
          .partial,
          place: "rule \(name)",
          "not applied to \(messages): \(found.words)",
          hint: "the program has to exit with 0 for yes, or with 1 for no"
        )
      )
    }
  }
}
