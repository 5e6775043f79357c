internal import Carriage
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MailModel
internal import Octets
internal import Platform
internal import SearchIndex
internal import SyncState
internal import Syncing
internal import Terminal

/// `magnum export`: messages as files of their own.
struct ExportCommand {
  private let options: ExportOptions
  private let context: CommandContext
  private let now = Clock.now()

  /// More octets than these are not written without a question, where a person can be asked.
  private static let unaskedLimit: UInt64 = 200_000_000

  static var command: CommandDefinition {
    CommandDefinition(
      "export",
      abstract: "Write messages to an mbox, .eml files, a new Maildir, as JSON, or as a page.",
      discussion:
        "Files, a query as in magnum-query(7), or - for lines with files, id: or thread: on "
        + "standard input. See magnum-export(1).",
      initial: ExportOptions(),
      globals: [.config, .account, .json, .quiet],
      options: ExportOptions.table,
      operands: .many(
        "file-or-query",
        minimum: 1,
        completion: .namesOrFiles(.terms),
        mayBeginWithDash: true
      ),
      check: { (options, line) throws(UsageMistake) in try options.check(line) },
      changes: { options, _ in options.fetches && !options.isDryRun },
      run: { options, context in ExportCommand(options: options, context: context).exportMail() }
    )
  }

  private func exportMail() -> ExitStatus {
    Interruption.shared.watchSignals()
    return context.reporting { () throws(Explanation) in try exportMessages() }
  }

  private var isToOutput: Bool { options.place == "-" }

  private func exportMessages() throws(Explanation) -> ExitStatus {
    let configuration = try context.configuration(isNeeded: false)
    let accounts = try configuration.accounts(named: context.globals.accounts)
    let selection = ExportSelection(context, options, configuration, accounts, now: now)
    let (items, set) = try selection.items()
    guard !items.isEmpty else {
      throw Explanation(
        .partial,
        place: context.operands.joined(separator: " "),
        "no such file, and no message found"
      )
    }
    if isToOutput, options.format == .eml, items.count > 1 {
      throw Explanation(
        .data,
        "\(items.count) messages found; standard output takes one as .eml",
        hint: "--format mbox writes several, and --output DIRECTORY a file for each"
      )
    }
    if options.isDryRun {
      printPlan(items)
      return .success
    }
    guard isConfirmed(items) else {
      context.console.writeNote("nothing is written")
      return .partial
    }
    if options.fetches { try fetchWhole(items, configuration) }
    let export = MailExport(
      options.format,
      to: isToOutput ? nil : options.place.map { Path(argument: $0) },
      force: options.isForced,
      hintWhereTaken: "--force replaces a file, and adds to a directory what it lacks",
      keepsFolders: !options.wholeThread,
      accounts,
      set,
      renderer: renderer,
      progress: { [context] counts in
        context.console.drawFooter(["\(HumanFormat.count(counts.exported)) messages written"])
      },
      leaveOut: { [context] item, flaw in
        context.report(
          place: item.display,
          "left out: \(flaw.text)",
          hint: flaw == .partial ? "--fetch fetches the attachments first" : nil
        )
      }
    )
    defer { context.console.drawFooter([]) }
    let counts = try export.writeMessages(items)
    show(counts)
    return counts.left > 0 ? .partial : .success
  }

  private var renderer: any ExportRenderer {
    var wishes = ProtectionLook.Options(verifies: nil, decrypts: nil)
    wishes.followsConfiguration = false
    let protection = ProtectionLook(wishes, context, isOnTerminal: false)
    return options.format == .html
      ? MessagePage(protection, SenderLook(context), BounceLook(context))
      : ExportedLine(protection, now: now)
  }

  // MARK: What is said

  private func printPlan(_ items: [ExportItem]) {
    let size = items.reduce(0) { $0 + $1.size }
    if context.globals.json {
      var line = JSONLine()
      line.add("version", 1)
      line.add("messages", items.count)
      line.add("octets", size)
      return context.console.print(octets: line.octets)
    }
    guard !context.globals.quiet else { return }
    context.console.print(
      "\(Self.messages(items.count)) (\(HumanFormat.bytes(size))) would be written"
    )
  }

  private static func messages(_ count: Int) -> String {
    count == 1 ? "1 message" : "\(HumanFormat.count(count)) messages"
  }

  private func isConfirmed(_ items: [ExportItem]) -> Bool {
    let size = items.reduce(0) { $0 + $1.size }
    guard size > Self.unaskedLimit, !options.isConfirmed, context.console.canAsk else {
      return true
    }
    return context.console.confirm(
      "write \(Self.messages(items.count)) (\(HumanFormat.bytes(size)))?"
    )
  }

  private func show(_ counts: ExportCounts) {
    context.console.drawFooter([])
    guard !isToOutput else { return }
    if context.globals.json {
      var line = JSONLine()
      line.add("version", 1)
      line.add("exported", counts.exported)
      line.add("there", counts.there)
      line.add("left", counts.left)
      line.add("octets", counts.octets)
      return context.console.print(octets: line.octets)
    }
    guard !context.globals.quiet else { return }
    var parts = ["\(Self.messages(counts.exported)) written"]
    if counts.there > 0 { parts.append("\(HumanFormat.count(counts.there)) already there") }
    if counts.left > 0 { parts.append("\(HumanFormat.count(counts.left)) left out") }
    context.console.print(parts.joined(separator: ", "))
  }

  /// Has the messages fetched whole whose attachments are only on the server.
  private func fetchWhole(
    _ items: [ExportItem],
    _ configuration: Configuration
  ) throws(Explanation) {
    let partial = PartialFiles(configuration.accounts)
    var files: [(file: MessageFile, account: Account)] = []
    for item in items {
      let path: Path?
      switch item.place {
      case .file(let file): path = file.currentPath()
      case .named(let named): path = named
      case .archived, .read: path = nil
      }
      guard let path, let finding = try? partial.finding(file: path), finding == .partial,
        let account = MessageFile(path).account(in: configuration), account.server != nil
      else { continue }
      files.append((MessageFile(path), account))
    }
    guard !files.isEmpty else { return }
    let fetch = try AttachmentsFetch(files, configuration, context)
    try fetch.fetchAttachments(reportedAs: .text(.quiet))
  }
}
