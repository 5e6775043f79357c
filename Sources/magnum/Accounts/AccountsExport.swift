internal import AccountExport
internal import CommandLine
internal import Configuration
internal import Octets
internal import Platform
internal import Terminal

/// `magnum accounts export`: another program takes over the mail of an account.
struct AccountsExport {
  /// The programs that can.
  enum Program: String, CaseIterable {
    case mbsync
  }

  /// What its options ask for.
  struct Options {
    var program = Program?.none
  }

  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "export",
      abstract: "Let mbsync take over the mail of an account.",
      discussion: "Prints a configuration for it, and has the folders know what is on the server.",
      initial: Options(),
      globals: [.config],
      options: [
        .choice("--to", value: "program", sets: \.program, help: "The program that takes over.")
      ],
      operands: .one("account", completion: .names(.accounts)),
      check: { options, _ throws(UsageMistake) in
        guard options.program == nil else { return }
        throw UsageMistake("no program is given: --to mbsync")
      },
      run: { _, context in AccountsExport(context: context).run() }
    )
  }

  private func run() -> ExitStatus {
    context.withConfiguration { configuration in
      do throws(Explanation) {
        let account = try configuration.accounts(named: context.operands)[0]
        return try export(account)
      } catch {
        return context.report(error)
      }
    }
  }

  private func export(_ account: Account) throws(Explanation) -> ExitStatus {
    do throws(ExportFailure) {
      let export = try MbsyncExport(account)
      let count = try export.write(validity: UInt32(clamping: Clock.now()))
      let text = MbsyncConfiguration(account, boxes: export.boxes)
      context.console.print(octets: text.octets)
      for remark in text.remarks { context.console.note(remark) }
      context.console.note(
        "mbsync knows of \(count) messages; run it with this configuration, and Magnum no more"
      )
      return .success
    } catch {
      throw Self.explanation(error, account.name)
    }
  }

  private static func explanation(_ failure: ExportFailure, _ account: String) -> Explanation {
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
    case .system(let error):
      return Explanation(
        .output,
        place: error.path?.display,
        "\(error.operation): \(error.reason)",
        hint: "do not run mbsync; try again"
      )
    }
  }
}
