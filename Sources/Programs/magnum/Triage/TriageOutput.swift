internal import CommandLine
internal import Configuration
internal import Glibc
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import Terminal
internal import Triage

extension CommandContext {
  /// Says that a tag stays on this machine.
  func report(local tag: [UInt8]) {
    report(
      "the tag \"\(Printable.text(tag, limit: 60))\" stays on this machine: no server can hold it",
      hint: "servers hold tags of ASCII without spaces and ( ) { % * \" \\"
    )
  }
}

/// What is printed about an act: one line, or as JSON a line for each step.
struct TriageOutput {
  private let word: String
  private let past: String
  private let context: CommandContext
  private let trees: [String: FolderTree]
  /// The rules that a step of the act comes from, by its number from 0.
  var rules: (Int) -> [String] = { _ in [] }

  private var console: Console { context.console }

  /// - Parameters:
  ///   - word: the word of the command.
  ///   - past: what was done, behind the number of messages.
  ///   - configuration: the accounts.
  ///   - context: where it is printed.
  init(
    _ word: String,
    _ past: String,
    _ configuration: Configuration,
    _ context: CommandContext
  ) {
    (self.word, self.past) = (word, past)
    self.context = context
    trees = Dictionary(
      first: configuration.accounts.map {
        ($0.name, FolderTree(root: $0.maildir, layout: $0.layout))
      }
    )
  }

  /// Says what a dry run found.
  func printPlanned(_ plan: PlannedAct) {
    for step in plan.steps.map(\.step) {
      if context.globals.json {
        console.print(octets: line(step, act: nil, state: "planned").octets)
      } else {
        console.print(text(step))
      }
    }
    if !context.globals.json, !context.globals.quiet {
      console.writeNote("\(count(plan.messages)) in all")
      let incomplete = plan.incomplete.count
      if incomplete > 0 { console.writeNote("\(count(incomplete)) to be fetched whole before") }
    }
  }

  /// Says what is not as it should be about an act that was cut short before, and is finished now.
  func reportFinished(_ result: Triage.Result) {
    if let remainder = result.remainder { context.report(remainder.explanation) }
    reportUnindexed(result)
  }

  private func reportUnindexed(_ result: Triage.Result) {
    guard !context.globals.quiet else { return }
    for reason in result.unindexed { context.report(reason) }
  }

  /// Says what was done, and gives the status to exit with.
  func print(_ result: Triage.Result, unchanged: Int = 0) -> ExitStatus {
    if let earlier = result.earlier { context.report(earlier.explanation) }
    guard let act = result.act?.act else {
      if !context.globals.json, !context.globals.quiet {
        let verb = unchanged == 1 ? "is" : "are"
        console.print("nothing to do: \(count(unchanged)) \(verb) so already")
      }
      return .success
    }
    let failed = Dictionary(uniqueKeysWithValues: result.failed)
    let (left, skipped) = (Set(result.left), Set(result.skipped))
    if context.globals.json {
      for (number, step) in act.steps.enumerated() {
        let state =
          failed[number] != nil
          ? "failed"
          : left.contains(number) ? "gone" : skipped.contains(number) ? "skipped" : "done"
        var line = line(step, act: act.number, state: state)
        line.add(rules: rules(number))
        console.print(octets: line.octets)
      }
    } else if !context.globals.quiet {
      console.print("\(count(result.messages)) \(past)  (\(act.number))")
    }
    for (number, error) in result.failed {
      report(error, at: text(act.steps[number]))
    }
    reportUnindexed(result)
    for number in result.left {
      context.report(place: text(act.steps[number]), "the file is no longer there")
    }
    return result.failed.isEmpty && result.left.isEmpty ? .success : .partial
  }

  private func report(_ error: SystemError, at place: String) {
    guard error.code == EEXIST, let path = error.path else {
      return context.report(place: place, error.description)
    }
    context.report(
      place: place,
      "not moved: \(path.display) has another file of this name",
      hint: "rename or remove one of the two"
    )
  }

  /// Says what becomes of copies that a server has: an undo of them is a removal to it.
  func reportRemnants(_ remnants: UndoPlan.Remnants) {
    guard !context.globals.json, !context.globals.quiet else { return }
    for (count, fate) in [
      (remnants.inTrash, "which the next sync moves to Trash there"),
      (remnants.onServer, "which it keeps, since removals are not passed on"),
    ] where count > 0 {
      let copies = count == 1 ? "1 copy" : "\(count) copies"
      console.writeNote("the server has \(copies) already, \(fate)")
    }
  }

  private func count(_ number: Int) -> String { number == 1 ? "1 message" : "\(number) messages" }

  private func folder(_ account: String, _ place: FilePlace) -> [UInt8] {
    trees[account]?.naming.name(of: place.folder) ?? place.folder
  }

  /// Where a message is, and which.
  func text(_ step: ActStep) -> String {
    let name = step.id.isEmpty ? Printable.text(step.base) : "id:\(Printable.text(step.id))"
    return "\(step.account)/\(Printable.text(folder(step.account, step.origin)))  \(name)"
  }

  /// What a step changes: `+S -F`, `to Archive`.
  func change(_ step: ActStep) -> String {
    guard let target = step.target else { return "deleted" }
    let (old, new) = (step.origin.flags, target.flags)
    var words: [String] = []
    for (sign, flags) in [("+", new.subtracting(old)), ("-", old.subtracting(new))]
    where !flags.isEmpty {
      words.append(sign + String(decoding: flags.characters, as: UTF8.self))
    }
    switch step.change {
    case .copy, .export: words.append("copied")
    case .tags(_, let added, let removed):
      words += added.map { "+\(Printable.text($0))" } + removed.map { "-\(Printable.text($0))" }
    case .place, .removal: break
    }
    if step.targetAccount != step.account {
      let name = Printable.text(folder(step.targetAccount, target))
      words.append("to \(step.targetAccount)/\(name)")
    } else if target.folder != step.origin.folder {
      words.append("to \(Printable.text(folder(step.account, target)))")
    }
    return words.joined(separator: " ")
  }

  /// A step as JSON.
  func line(_ step: ActStep, act: Int?, state: String) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    if let act { line.add("act", act) }
    line.add("command", word)
    line.add("state", state)
    line.add("account", step.account)
    if !step.id.isEmpty { line.add("id", octets: step.id) }
    line.add("folder", octets: folder(step.account, step.origin))
    let isElsewhere = step.targetAccount != step.account
    if isElsewhere { line.add("toAccount", step.targetAccount) }
    if let target = step.target, isElsewhere || target.folder != step.origin.folder {
      line.add("to", octets: folder(step.targetAccount, target))
    }
    return line
  }
}

extension JSONLine {
  /// Adds the rules by which a message is changed; nothing where it is by none.
  mutating func add(rules: [String]) {
    if !rules.isEmpty { add("rules", rules) }
  }
}
