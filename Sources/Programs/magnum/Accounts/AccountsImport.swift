internal import AccountImport
internal import MailModel
internal import CommandLine
internal import Configuration
internal import Octets
internal import Platform
internal import Terminal

/// `magnum accounts import`: accounts of other programs become accounts of the configuration.
struct AccountsImport {
  /// What its options ask for.
  struct Options {
    var isPrinting = false
    var isConfirmed = false
  }

  let options: Options
  let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "import",
      abstract: "Add the accounts of mbsync, offlineimap and msmtp to the configuration.",
      discussion: "Without a file, those in the usual places are read. Nothing in them is run.",
      initial: Options(),
      globals: [.config, .json],
      options: [
        .flag("--print", sets: \.isPrinting, help: "Print the accounts, and write nothing."),
        .flag("--yes", sets: \.isConfirmed, help: "Write them without a question."),
      ],
      operands: .many("file", completion: .files),
      check: { options, _ throws(UsageMistake) in
        guard options.isPrinting, options.isConfirmed else { return }
        throw UsageMistake("--print and --yes do not go together")
      },
      changes: { options, _ in !options.isPrinting },
      run: { options, context in AccountsImport(options: options, context: context).run() }
    )
  }

  private func run() -> ExitStatus {
    do throws(Explanation) {
      let sources = try sources()
      let addition = try Explanation.of { () throws(ConfigurationError) in
        try ConfigurationAddition(explicit: context.globals.config.map { Path(argument: $0) })
      }
      if !options.isPrinting {
        try Explanation.of { () throws(ConfigurationError) in try addition.checkOwner() }
      }
      let report = ImportReport(
        found: try Self.leavingOutKnown(AccountImport(sources.map(\.file)), addition),
        addition: addition
      )
      return try finish(report, sources)
    } catch {
      return context.report(error)
    }
  }

  private func sources() throws(Explanation) -> [ImportSource] {
    guard context.operands.isEmpty else {
      var found: [ImportSource] = []
      for operand in context.operands { found.append(try ImportSource(Path(argument: operand))) }
      return found
    }
    let found = try ImportSource.usual()
    guard !found.isEmpty else {
      throw Explanation(
        .noInput,
        "no configuration of mbsync, offlineimap, msmtp or notmuch in the usual places",
        hint: "name the file: magnum accounts import FILE"
      )
    }
    return found
  }

  // MARK: - What is there already

  /// Leaves out what has the same server and log-in as a configured account; other names for others.
  private static func leavingOutKnown(
    _ found: AccountImport,
    _ addition: ConfigurationAddition
  ) throws(Explanation) -> AccountImport {
    guard let existing = addition.existing, !found.accounts.isEmpty else { return found }
    let text = found.text(directory: addition.shown(addition.directory))
    let new = try Explanation.of { () throws(ConfigurationError) in
      try addition.configuration(of: text)
    }
    var (known, shared) = ([String: String](), [String: String]())
    for account in new.accounts {
      known[account.name] =
        existing.accounts.first {
          $0.server == account.server && $0.user == account.user && $0.maildir == account.maildir
        }?.name
    }
    for account in new.accounts where account.server == nil && known[account.name] == nil {
      shared[account.name] = existing.accounts.first { $0.shares(account.maildir) }?.name
    }
    for sender in new.senders where new.account(named: sender.name) == nil {
      known[sender.name] =
        existing.senders.first {
          $0.server == sender.server && $0.user == sender.user
            && Set(sender.addresses).isSubset(of: $0.addresses)
        }?.name
    }
    let names = existing.accounts.map(\.name) + existing.senders.map(\.name)
    return found.leavingOut(known).leavingOutMail(shared).avoiding(Set(names))
  }

  // MARK: - Showing and writing

  private func finish(
    _ report: ImportReport,
    _ sources: [ImportSource]
  ) throws(Explanation) -> ExitStatus {
    guard !report.text.isEmpty else { return nothing(report) }
    try Explanation.of { () throws(ConfigurationError) in
      _ = try report.addition.configuration(adding: report.text)
    }
    if options.isPrinting {
      show(report, isWritten: false)
      return .success
    }
    guard try isAgreed(report, sources) else {
      context.console.writeNote("nothing is written")
      return .partial
    }
    try AccountAddition(report.addition, report.text, report.passwords).write()
    let place = report.addition.shown(report.addition.path)
    if context.globals.json {
      context.console.print(octets: report.json(isWritten: true).octets)
    } else {
      context.console.writeNote("added \(Self.words(report.found.accounts.count)) to \(place)")
      prove(report)
    }
    return .success
  }

  /// Becomes the sync that changes nothing, where a person sees what it says; otherwise says what to type.
  private func prove(_ report: ImportReport) {
    let names = report.proved
    guard context.console.canAsk, !names.isEmpty else { return report.tellProof(context.console) }
    let words = names.map { ShellWord.quoted($0) }.joined(separator: " ")
    context.console.writeNote(
      "magnum-sync --dry-run \(words): nothing is to be fetched or sent, if all is right"
    )
    context.console.flush()
    let configuration = context.globals.config.map { ["--config", $0] } ?? []
    let line = configuration + ["--dry-run", "--"] + names
    MagnumSync.program.main(line.map { Path(argument: $0).octets })
  }

  private static func words(_ count: Int) -> String {
    switch count {
    case 0: "what concerns searches"
    case 1: "1 account"
    default: "\(count) accounts"
    }
  }

  private func nothing(_ report: ImportReport) -> ExitStatus {
    let isKnown = report.found.remarks.contains { $0.text.hasPrefix("configured already") }
    show(report, isWritten: false)
    guard !isKnown, report.linesForAll == nil else {
      if !context.globals.json { context.console.writeNote("nothing to add") }
      return .success
    }
    return context.report(
      Explanation(
        .data,
        "no account could be made of these files",
        hint: "name files of mbsync, offlineimap or msmtp, or: magnum accounts add ADDRESS"
      )
    )
  }

  private func show(_ report: ImportReport, isWritten: Bool) {
    if context.globals.json {
      context.console.print(octets: report.json(isWritten: isWritten).octets)
    } else {
      context.console.print(octets: Array(report.text.utf8))
      report.tell(context.console)
    }
  }

  private func isAgreed(
    _ report: ImportReport,
    _ sources: [ImportSource]
  ) throws(Explanation) -> Bool {
    if options.isConfirmed {
      if let file = sources.first(where: { !$0.isTrusted }) {
        throw Explanation(
          .configuration,
          place: file.file.name,
          "others could have written this file, so that --yes is not enough",
          hint: "look at it, then chmod go-w it and its directory; or agree at a terminal"
        )
      }
      if !context.globals.json { report.tell(context.console) }
      return true
    }
    guard context.console.canAsk, !context.globals.json else {
      throw Explanation(
        .usage,
        "nobody to ask",
        hint: "--print shows the accounts, --yes adds them"
      )
    }
    show(report, isWritten: false)
    let place = report.addition.shown(report.addition.path)
    return context.console.confirm("Add this to \(place)?")
  }
}

extension Account {
  /// Whether a directory is the account's Maildir, lies in it or around it.
  fileprivate func shares(_ other: Path) -> Bool {
    let (own, other) = (maildir.octets, other.octets)
    return own == other || own.starts(with: other + [ASCII.slash])
      || other.starts(with: own + [ASCII.slash])
  }
}
