internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import SpoolPlan
internal import Terminal
internal import Triage

/// One command: finds the message, shows what is to be done, asks, does it, and remembers it.
struct UnsubscribeTask {
  let options: UnsubscribeCommand.Options
  let context: CommandContext
  let configuration: Configuration

  let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  var console: Console { context.console }

  init(_ options: UnsubscribeCommand.Options, _ context: CommandContext) throws(Explanation) {
    (self.options, self.context) = (options, context)
    configuration = try context.neededConfiguration()
  }

  func leaveList() throws(Explanation) -> ExitStatus {
    let (header, target, finder) = try message()
    guard let file = target.files.first else { throw Self.noOffer }
    let account = file.account
    let verdict = SenderVerdict(of: header, by: account.verdictServers, decoder)
    let isJunk = target.files.contains { file in
      AccountFolders(file.account).mayBe(file.folder, for: .junk)
    }
    guard let offer = UnsubscribeOffer(header, verdict, isJunk: isJunk),
      let list = UnsubscribedLists.name(of: header, decoder)
    else { throw Self.noOffer }
    let way = try UnsubscribeWay(offer.way, header, account, options, configuration, decoder)
    var line = UnsubscribeLine(account: account.name, list: list, way: way, offer)
    if options.isDryRun || !way.isDone {
      return print(line, done: false)
    }
    if !context.globals.json { show(line) }
    guard try isConfirmed(line) else {
      console.writeNote("nothing is done")
      return .partial
    }
    let result = try way.carryOut()
    remember(result.record, line, target, finder)
    line.state = "done"
    if let queued = result.queued {
      let delivery = QueuedDelivery(context, queued.dispatch)
      let outcome = delivery.attempt(queued.entry, queued.schedule)
      line.entry = "\(queued.entry.id)"
      line.state = ComposeLine.state(outcome)
      line.why = ComposeLine.words(outcome)
    }
    return print(line, done: true)
  }

  static let noOffer = Explanation(
    .data,
    "the message offers no way to unsubscribe",
    hint: "it has no usable field List-Unsubscribe; its text may name one"
  )

  /// The one message, with all of its files.
  private func message() throws(Explanation) -> (Header, Target, TargetFinder) {
    let edit = try TagEdit(["+unsubscribed"])
    let finder = try TargetFinder(
      configuration,
      accounts: context.globals.accounts,
      now: Clock.now()
    )
    defer { for reason in finder.leftOut { context.report(reason) } }
    let targets = try finder.targets(context.operands, for: .tag(edit))
    guard let target = targets.first, targets.count == 1 else {
      throw Explanation(
        .data,
        "\(targets.count) messages are named, and one is wanted",
        hint: "name it by its id: or file"
      )
    }
    let path = target.files.lazy.compactMap { MessageFile($0.path).currentPath() }.first
    guard let path else {
      throw Explanation(.partial, "the file of the message is gone")
    }
    let found = try MessageFinder(configuration, report: { [context] in context.report($0) })
      .one(file: path)
    return (found.message.header, target, finder)
  }

  // MARK: Asking

  private func show(_ line: UnsubscribeLine) {
    for text in line.lines { console.writeNote(text) }
  }

  /// Whether a person agrees, once more where something speaks against it.
  ///
  /// - Throws: that no person can be asked, and the options do not say it.
  private func isConfirmed(_ line: UnsubscribeLine) throws(Explanation) -> Bool {
    let canAsk = console.canAsk && !context.globals.json
    if !canAsk {
      guard options.isConfirmed else {
        throw Explanation(
          .usage,
          "a person has to confirm this",
          hint: "--yes does it, --dry-run prints what would be done"
        )
      }
      if let doubt = line.doubts.first, !options.isUnverified {
        throw Explanation(
          .usage,
          doubt.text,
          hint: "magnum show prints it; --unverified beside --yes unsubscribes all the same"
        )
      }
    }
    if !options.isConfirmed, !console.confirm("unsubscribe?") { return false }
    guard !line.doubts.isEmpty, !(options.isConfirmed && options.isUnverified) else { return true }
    for doubt in line.doubts { console.writeNote("\(context.name): \(doubt.text)") }
    return console.confirm("unsubscribe all the same?")
  }

  // MARK: Remembering

  /// Notes the list, then tags the message; where this fails it is asked for once more at most.
  private func remember(
    _ result: String,
    _ line: UnsubscribeLine,
    _ target: Target,
    _ finder: TargetFinder
  ) {
    do throws(SystemError) {
      try UnsubscribedLists().add(
        UnsubscribedLists.Entry(
          time: Clock.now(),
          account: line.account,
          list: line.list,
          way: line.word,
          result: result
        )
      )
    } catch {
      context.report("the list is not remembered: \(error.description)")
    }
    do throws(Explanation) {
      let triage = Triage(configuration, stateHome: Environment.stateHome)
      let edit = try TagEdit(["+unsubscribed"])
      let plan = try triage.plan(.tag(edit), [target], finder)
      let words = ["unsubscribe"] + context.operands
      let tagged = try triage.carryOut(plan, command: [UInt8](words.joined(separator: " ").utf8))
      for reason in tagged.unindexed { context.report(reason) }
    } catch {
      var explanation = error
      explanation.what = "the message is not tagged: \(error.what)"
      context.report(explanation)
    }
  }

  // MARK: Printing

  private func print(_ line: UnsubscribeLine, done: Bool) -> ExitStatus {
    if context.globals.json {
      console.print(octets: line.json.octets)
    } else if !done {
      for text in line.lines { console.print(text) }
      for doubt in line.doubts { console.writeNote("\(context.name): \(doubt.text)") }
      if !line.way.isDone, !options.isDryRun {
        console.writeNote("\(context.name): nothing is done; open the address in a browser")
      }
    } else if !context.globals.quiet {
      console.print(line.outcome)
    }
    if done, let why = line.why {
      context.report(place: line.account, "\(line.state): \(Printable.text(why))")
    }
    return line.status(isDryRun: options.isDryRun)
  }
}
