internal import MailModel
internal import Maildir

/// A message that came, with its file as rules have left it so far.
struct ArrivedFile {
  let arrival: Arrival
  /// What its copies have in common.
  let identity: UInt64
  let id: [UInt8]
  let subject: [UInt8]
  /// Where it came to.
  let first: TargetFile
  var file: TargetFile
  /// Other files of the message.
  let others: [TargetFile]
  /// The rules that find it, and which of them moves it.
  var decision = RuleDecision()
  /// Whether it waits for a program that had no time left for it.
  var isWaiting = false
  /// The rules that did something to it.
  var rules: [String] = []
  /// Whether rules had it put out of the way.
  var isQuiet = false
  /// Whether a step could not be taken.
  var hasFailed = false

  var target: Target {
    Target(id: id, subject: subject, identity: identity, files: [file])
  }

  /// Takes in that steps were taken.
  mutating func apply(_ steps: some Sequence<ActStep>) {
    for step in steps {
      guard case .place(let from, let to) = step.change else { continue }
      let (on, off) = (to.flags.subtracting(from.flags), from.flags.subtracting(to.flags))
      let name = file.file.name
      let renamed = name.with(flags: name.flags.union(on).subtracting(off))
      file = TargetFile(
        account: file.account,
        folder: to.folder,
        file: ScannedFile(name: renamed, subdirectory: .cur)
      )
    }
  }
}

extension PlannedAct.Step {
  /// Steps of a file that also mark its message as sorted, unless it is marked; none where there are none.
  static func marking(_ steps: [Self], of file: TargetFile, _ tags: TagReader) -> [Self] {
    guard let last = steps.last, !tags.tags(of: file).contains(where: RuleMark.isOne) else {
      return steps
    }
    let step = last.step
    func marked(_ change: ActStep.Change) -> Self {
      Self(
        step: ActStep(account: step.account, id: step.id, base: step.base, change),
        seen: last.seen,
        message: last.message
      )
    }
    if case .tags(let place, let added, let removed) = step.change {
      let change = ActStep.Change.tags(
        of: place,
        adding: added + [RuleMark.keyword],
        removing: removed
      )
      return steps.dropLast() + [marked(change)]
    }
    let place = step.target ?? file.place
    return steps + [marked(.tags(of: place, adding: [RuleMark.keyword], removing: []))]
  }
}
