internal import AccountExport
internal import MailModel
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Octets
internal import Platform
internal import Terminal

/// `magnum accounts export`: another program takes over the mail of an account.
struct AccountsExport {
  /// The programs that can.
  enum Program: String, CaseIterable {
    case mbsync, offlineimap
  }

  /// What its options ask for.
  struct Options {
    var program = Program?.none
  }

  private let context: CommandContext
  private let program: Program

  static var command: CommandDefinition {
    CommandDefinition(
      "export",
      abstract: "Export an account for another program.",
      discussion:
        "Prints a configuration for it, and records in the folders what is on the server.",
      initial: Options(),
      globals: [.config],
      options: [
        .choice("--to", value: "program", sets: \.program, help: "The program to export for.")
      ],
      operands: .one("account", completion: .names(.accounts)),
      check: { options, _ throws(UsageMistake) in
        guard options.program == nil else { return }
        throw UsageMistake("no program is given: --to mbsync or --to offlineimap")
      },
      run: { options, context in
        guard let program = options.program else { return .usage }
        return AccountsExport(context: context, program: program).run()
      }
    )
  }

  private func run() -> ExitStatus {
    context.withConfiguration { (configuration) throws(Explanation) in
      try export(configuration.accounts(named: context.operands)[0])
    }
  }

  private func export(_ account: Account) throws(Explanation) -> ExitStatus {
    // Files get other names, also where it fails in the midst.
    defer {
      if account.isIndexed, let unindexed = IndexNote.scan(account) { context.report(unindexed) }
    }
    do throws(ExportFailure) {
      switch program {
      case .mbsync:
        let export = try MbsyncExport(account)
        let count = try export.write(validity: UInt32(clamping: Clock.now()))
        show(export.configuration.octets, export.configuration.remarks, count)
      case .offlineimap:
        let export = try OfflineIMAPExport(account)
        let count = try export.write()
        show(export.configuration.octets, export.configuration.remarks, count)
      }
      return .success
    } catch {
      throw explanation(error, account.name)
    }
  }

  private func show(_ configuration: [UInt8], _ remarks: [String], _ count: ExportCount) {
    // Also in the file, since what is printed here is gone when it is needed.
    for remark in remarks { context.console.print("# \(remark)") }
    context.console.print(octets: configuration)
    for remark in remarks { context.console.writeNote(remark) }
    if count.detached > 0 {
      context.console.writeNote(
        "\(count.detached) files are here that the server lost; \(program.rawValue) uploads them: "
          + "move what has \",detached\" in its name elsewhere before"
      )
    }
    context.console.writeNote(
      "\(program.rawValue) knows of \(count.messages) messages; run it with this configuration, and Magnum no more"
    )
  }

  private func explanation(_ failure: ExportFailure, _ account: String) -> Explanation {
    let name = Printable.text(account.utf8)
    switch failure {
    case .neverSynced:
      return Explanation(.data, place: name, "was never synced: there is nothing to hand over")
    case .locked:
      return Explanation(
        .tryAgain,
        place: name,
        "is being synced, or its folder cannot be locked",
        hint: "wait for the end of the run, and stop magnum watch"
      )
    case .unreadable(let path):
      return Explanation(
        .data,
        place: path.display,
        "cannot be read",
        hint: "sync the account once more, which makes it anew"
      )
    case .unfinished(let mailbox):
      return Explanation(
        .tryAgain,
        place: "\(name)/\(Printable.text(mailbox))",
        "the outcome of the last run is not known yet",
        hint: "sync the account once more"
      )
    case .partial(let mailbox, let messages):
      return Explanation(
        .data,
        place: "\(name)/\(Printable.text(mailbox))",
        "\(messages) messages are here without their attachments, and the other program would take "
          + "what is here for all of them",
        hint: "remove size-limit from the configuration, and run: magnum-sync \(name)"
      )
    case .losses(let mailbox):
      return Explanation(
        .data,
        place: mailbox.isEmpty ? name : "\(name)/\(Printable.text(mailbox))",
        "so much is gone since the last sync that it may be an accident, and the other program would "
          + "remove it on the other side too",
        hint: "sync the account once more, and do what it says"
      )
    case .sameName(let path):
      return Explanation(
        .data,
        place: path.display,
        "its name is that of another file of the folder but for what other programs write into names",
        hint: "give it a name of its own, and sync the account once more"
      )
    case .unknownDelimiter:
      return Explanation(
        .data,
        place: name,
        "it is not recorded whether a dot divides the names of the server's mailboxes",
        hint: "sync the account once more"
      )
    case .ownSettings(let pattern):
      return Explanation(
        .data,
        place: name,
        "\(program.rawValue) has one set of rules for all mailboxes of an account, and "
          + "\(Printable.text(pattern)) has its own",
        hint: "remove that section mailbox from the configuration, or export to mbsync"
      )
    case .system(let error):
      return Explanation(
        .output,
        place: error.path?.display,
        "\(error.operation): \(error.reason)",
        hint: "do not run \(program.rawValue); try again"
      )
    }
  }
}
