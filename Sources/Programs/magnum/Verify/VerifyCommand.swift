internal import CommandLine
internal import Configuration
internal import MailModel
internal import MailStore
internal import MirrorCheck
internal import Octets
internal import Outgoing
internal import Platform
internal import Syncing
internal import Terminal
internal import Verification

/// `magnum verify`.
struct VerifyCommand {
  /// What its options ask for.
  struct Options {
    var isDeep = false
    var rate: String?

    /// Octets a second; nil is no limit.
    func limit() throws(UsageMistake) -> Int? {
      guard let rate else { return nil }
      guard isDeep else { throw UsageMistake("--rate needs --deep") }
      guard let limit = TransferRate.octets(rate) else {
        throw UsageMistake("--rate needs a size such as 500kB or 2MB, not \"\(rate)\"")
      }
      return limit
    }
  }

  private let options: Options
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "verify",
      abstract: "Compare the mail here with the server's, and change nothing.",
      discussion: "The status is 1 if anything differs. See magnum-verify(1).",
      initial: Options(),
      globals: [.config, .account, .json, .quiet, .verbose],
      options: [
        .flag("--deep", sets: \.isDeep, help: "Fetch each message again and compare all bytes."),
        .text(
          "--rate",
          value: "size",
          sets: \.rate,
          help: "With --deep, fetch at most this much a second, such as 2MB."
        ),
      ],
      operands: .many("account[/mailbox-pattern]", completion: .names(.mailboxes)),
      check: { (options, _) throws(UsageMistake) in _ = try options.limit() },
      changes: { _, _ in false },
      run: { options, context in VerifyCommand(options: options, context: context).run() }
    )
  }

  private func run() -> ExitStatus {
    Interruption.shared.watchSignals()
    return context.withConfiguration(verifyAccounts)
  }

  private func verifyAccounts(_ configuration: Configuration) -> ExitStatus {
    let targets: Targets
    do throws(Targets.Mistake) {
      targets = try Targets(context.accountsNamed, massDeletion: [], in: configuration)
    } catch {
      return context.report(error.explanation)
    }
    var wanted = AccountVerification.Options()
    wanted.isDeep = options.isDeep
    wanted.rate = (try? options.limit()) ?? nil
    wanted.selections = targets.selections
    let accounts = targets.accounts.filter { $0.server != nil }
    guard !accounts.isEmpty else {
      return context.report(
        Explanation(
          .configuration,
          "no account has a server to compare its mail with",
          hint: "set \"imap\" in the section of an account; see magnum-config(5)"
        )
      )
    }
    return ExitStatus.mostSevere(of: accounts.map { verify($0, wanted) })
  }

  private func verify(_ account: Account, _ wanted: AccountVerification.Options) -> ExitStatus {
    let name = account.name
    let verification = AccountVerification(
      account,
      wanted,
      stateHome: Environment.stateHome,
      interruption: .shared
    ) { show($0, name) }
    let report = verification.verifyAccount()
    if context.globals.json {
      let line = VerificationLine.line(report, name, isDeep: wanted.isDeep)
      context.console.print(octets: line.octets)
    } else if report.failure == nil, !context.globals.quiet {
      context.console.print(VerificationWords.summary(report, name, isDeep: wanted.isDeep))
      if let left = VerificationWords.left(report, name, now: TestTime.ofDays()) {
        context.console.print(left)
      }
    }
    if let failure = report.failure {
      return context.report(failure.explanation(account: name))
    }
    // Nothing that was compared is no proof of anything.
    guard report.mailboxes + report.failed > 0 else {
      return context.report(
        Explanation(
          .partial,
          place: name,
          "no mailbox was compared: none that is mirrored fits",
          hint: "magnum-sync --list-mailboxes \(name) says which are left out"
        )
      )
    }
    return report.isEqual ? .success : .partial
  }

  private func show(_ event: VerificationEvent, _ account: String) {
    switch event {
    case .difference(let mailbox, let difference):
      if context.globals.json {
        let line = VerificationLine.line(difference, mailbox, account)
        context.console.print(octets: line.octets)
      } else {
        context.console.print(
          "\(Printable.text(account.utf8))/\(mailbox): \(VerificationWords.text(difference))"
        )
      }
    case .problem(let mailbox, let failure):
      context.report(failure.explanation(account: account, mailbox: mailbox))
    case .compared(let mailbox, let messages, let all):
      guard context.globals.verbose else { return }
      context.console.writeNote("\(account)/\(mailbox): \(messages) of \(all) messages compared")
    }
  }
}

/// Amounts of octets as people write them: `500kB`, `2MB`, `2MB/s`.
enum TransferRate {
  private static let units: [(ending: String, octets: Int)] = [
    ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("B", 1), ("", 1),
  ]

  /// The octets, 1 or more; nil for what is no such amount.
  static func octets(_ text: String) -> Int? {
    let amount = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
    guard let unit = units.first(where: { amount.hasSuffix($0.ending) }),
      let number = Int(amount.dropLast(unit.ending.count)), number > 0
    else { return nil }
    let (octets, isTooMuch) = number.multipliedReportingOverflow(by: unit.octets)
    return isTooMuch ? nil : octets
  }
}
