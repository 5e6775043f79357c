internal import AccountImport
internal import MailModel
internal import MailStore
internal import CommandLine
internal import Configuration
internal import Discovery
internal import Login
internal import Octets
internal import Platform
internal import Terminal

/// `magnum accounts add`: the servers of an address are found, tried and written to the configuration.
struct AccountsAdd {
  let options: AddOptions
  let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "add",
      abstract: "Find the servers of an address, log in to them, and add an account.",
      discussion: "Nothing secret is sent before the servers are agreed to.",
      initial: AddOptions(),
      globals: [.config, .json],
      options: AddOptions.all,
      operands: .one("address"),
      check: { options, _ throws(UsageMistake) in try options.check() },
      changes: { options, _ in !options.isPrinting },
      run: { options, context in AccountsAdd(options: options, context: context).run() }
    )
  }

  private var address: String { context.operands.first ?? "" }

  /// Whether a person is there to be asked.
  private var canAsk: Bool { context.console.canAsk && !context.globals.json }

  private func run() -> ExitStatus {
    do throws(Explanation) {
      let addition = try Explanation.of { () throws(ConfigurationError) in
        try ConfigurationAddition(explicit: context.globals.config.map { Path(argument: $0) })
      }
      if !options.isPrinting {
        try Explanation.of { () throws(ConfigurationError) in try addition.checkOwner() }
      }
      try checkKnown(addition)
      let sought = options.imap == nil ? try sought() : nil
      if !options.isPrinting { try checkComplete() }
      let proxy = sought == nil ? nil : try proxy(addition)
      let found =
        try sought.map { (sought) throws(Explanation) in try find(sought, proxy ?? .none) }
        ?? FoundAccount(address, options, nil, domain: nil)
      let name = try name(found, addition)
      let report = AddReport(found: found)
      if !context.globals.json { report.tell(context.console) }
      guard !options.isPrinting else { return try show(report, name, addition) }
      guard try isAgreed(found) else {
        context.console.writeNote("nothing is written")
        return .partial
      }
      Interruption.shared.watchSignals()
      let tried = try NewLogin(found, options, context, canAsk: canAsk).account(name, addition)
      return try write(tried, report, addition)
    } catch {
      return context.report(error)
    }
  }

  // MARK: - Before anything is asked

  private func checkKnown(_ addition: ConfigurationAddition) throws(Explanation) {
    guard options.name == nil, let existing = addition.existing else { return }
    let known =
      existing.accounts.first { $0.address == address }?.name
      ?? existing.senders.first { $0.addresses.contains(address) }?.name
    if let known {
      throw Explanation(
        .usage,
        "\(Printable.text(address.utf8)) is configured already, as \(Printable.text(known.utf8))",
        hint: "--name gives another account with it a name"
      )
    }
  }

  /// Without a person, all that would be asked has to be given.
  private func checkComplete() throws(Explanation) {
    guard !canAsk else { return }
    var missing: [String] = []
    if options.imap == nil, !options.isConfirmed, options.accepted.isEmpty {
      missing.append("--yes or --accept HOST")
    }
    if options.secret == nil, !options.isOAuth {
      missing.append("--password-file, --password-command or --oauth")
    }
    guard !missing.isEmpty else { return }
    throw Explanation(
      .usage,
      "no question can be asked; missing: \(missing.joined(separator: "; "))",
      hint: "--print shows what would be added"
    )
  }

  private func name(
    _ found: FoundAccount,
    _ addition: ConfigurationAddition
  ) throws(Explanation) -> String {
    let taken = Set(addition.existing.map { AccountNames.all(in: $0) } ?? [])
    if let name = options.name {
      guard !taken.contains(name) else {
        throw Explanation(.usage, "there is an account \(Printable.text(name.utf8)) already")
      }
      return name
    }
    let first = found.suggestedName
    let names = [first] + (2...taken.count + 2).map { "\(first)-\($0)" }
    return names.first { !taken.contains($0) } ?? first
  }

  // MARK: - Servers

  private func sought() throws(Explanation) -> SoughtAddress {
    do throws(SoughtAddress.Problem) {
      return try ServerSearch.address(address)
    } catch {
      throw explanation(error)
    }
  }

  /// What the search goes through, as the defaults of the configuration say.
  private func proxy(_ addition: ConfigurationAddition) throws(Explanation) -> WebProxy {
    do throws(SecretError) {
      return try WebProxy(addition.proxy, interruption: .shared)
    } catch {
      throw Explanation(ExitStatus(error.need), error.message, hint: error.hint)
    }
  }

  private func find(
    _ sought: SoughtAddress,
    _ proxy: WebProxy
  ) throws(Explanation) -> FoundAccount {
    if canAsk {
      if let meant = Self.likelier(sought.domain.text) {
        context.console.writeNote("did you mean \(meant)? Ctrl-C ends this, and nothing is written")
      }
      context.console.writeNote("looking for the servers of \(sought.domain.text)")
    }
    if proxy.isConfigured, !context.globals.json {
      context.console.writeNote("a proxy is configured: DNS is not asked for SRV and MX records")
    }
    do throws(DiscoverySearch.Failure) {
      let settings = try ServerSearch(through: proxy).settings(of: sought)
      return FoundAccount(address, options, settings, domain: sought.domain)
    } catch {
      let explanation = Self.explanation(error, sought)
      // A guess is shown and agreed to as what was found.
      guard error.leavesGuessing, canAsk, !proxy.isConfigured,
        let guess = FoundSettings.guess(for: sought, exists: { ServerSearch.exists($0) })
      else { throw explanation }
      if error != .unknown { context.report(place: explanation.place, explanation.what) }
      return FoundAccount(address, options, guess, domain: sought.domain)
    }
  }

  private func explanation(_ problem: SoughtAddress.Problem) -> Explanation {
    switch problem {
    case .notAnAddress:
      Explanation(.data, "\"\(Printable.text(address.utf8, limit: 100))\" is not a mail address")
    case .notADomain(let domain):
      Explanation(
        .data,
        "\"\(Printable.text(domain.utf8, limit: 100))\" is no domain of the Internet",
        hint: Self.givingServers
      )
    }
  }

  private static let givingServers =
    "give the servers: --imap imaps://HOST --smtp submissions://HOST"

  private static func explanation(
    _ failure: DiscoverySearch.Failure,
    _ address: SoughtAddress
  ) -> Explanation {
    let domain = address.domain.text
    switch failure {
    case .unknown:
      return Explanation(
        .unavailable,
        place: domain,
        "found no mail servers for this domain",
        hint: likelier(domain).map { "did you mean \($0)? otherwise \(givingServers)" }
          ?? givingServers
      )
    case .unusable(let source, let reason):
      return Explanation(
        .unavailable,
        place: domain,
        "its description of mail servers (\(source.word)) names none that can be used: "
          + words(reason),
        hint: givingServers
      )
    case .unreachable:
      return Explanation(
        .tryAgain,
        place: domain,
        "no source can be asked about its servers: no network, or no curl"
      )
    case .incomplete:
      return Explanation(
        .tryAgain,
        place: domain,
        "no source that answered knows its servers, and some did not answer",
        hint: "try again, or \(givingServers)"
      )
    }
  }

  private static func words(_ reason: UnusableSource) -> String {
    func shown(_ text: String) -> String { Printable.text(text.utf8, limit: 100) }
    return switch reason {
    case .notAFile: "it cannot be read"
    case .noExpat: "it is XML, and libexpat.so.1 is missing (Debian: libexpat1)"
    case .noIMAP: "no server speaks IMAP"
    case .noTLS(let host): "\(shown(host)) is reached without TLS"
    case .badHost(let host): "\"\(shown(host))\" is no host on the Internet"
    case .noLogin(let ways): "no way to log in is supported: \(shown(ways.joined(separator: ", ")))"
    case .malformed: "port or user name make no sense"
    }
  }

  /// A domain of many addresses that is spelt almost like this one; nil where none is near.
  private static func likelier(_ domain: String) -> String? {
    let near = Suggestion.nearest(to: domain, among: KnownProvider.popularDomains)
    return near == domain ? nil : near
  }

  private func isAgreed(_ found: FoundAccount) throws(Explanation) -> Bool {
    guard let settings = found.settings else { return true }
    let acceptance = Acceptance(isGeneral: options.isConfirmed, hosts: options.accepted)
    let missing = acceptance.missing(for: settings, usesIssuer: found.usesOAuth)
    guard !missing.isEmpty else { return true }
    guard canAsk else {
      let isForged = options.isConfirmed ? ": what DNS says can be forged" : ""
      throw Explanation(
        .usage,
        place: missing.joined(separator: ", "),
        "the log-in there is not agreed to\(isForged)",
        hint: missing.map { "--accept \($0)" }.joined(separator: " ")
      )
    }
    return context.console.confirm("Log in to these servers?")
  }

  // MARK: - Output

  private func show(
    _ report: AddReport,
    _ name: String,
    _ addition: ConfigurationAddition
  ) throws(Explanation) -> ExitStatus {
    let login = NewLogin(report.found, options, context, canAsk: false)
    let block = try login.block(login.draft(name), addition)
    if context.globals.json {
      context.console.print(octets: report.json(block, addition, isWritten: false).octets)
    } else {
      context.console.print(octets: Array(block.text.utf8))
    }
    return .success
  }

  private func write(
    _ tried: TriedAccount,
    _ report: AddReport,
    _ addition: ConfigurationAddition
  ) throws(Explanation) -> ExitStatus {
    let (account, problem) = (tried.account, tried.sendingProblem)
    let block = AccountBlock(account, directory: addition.shown(addition.directory))
    let passwords = block.passwords.map { (addition.directory.appending($0.name), $0.octets) }
    try AccountAddition(addition, block.text, passwords).write()
    if let problem { context.report(problem) }
    let status = problem == nil ? ExitStatus.success : .partial
    if context.globals.json {
      let line = report.json(block, addition, isWritten: true, sendingProblem: problem)
      context.console.print(octets: line.octets)
      return status
    }
    let name = ShellWord.quoted(account.name)
    context.console.writeNote("added \(name) to \(addition.shown(addition.path))")
    for (path, _) in passwords {
      context.console.writeNote("the password is in \(addition.shown(path))")
    }
    if account.oauth != nil { context.console.writeNote("next: magnum accounts login \(name)") }
    if problem != nil {
      context.console.writeNote(
        "sending does not work yet; magnum accounts test \(name) tries again"
      )
    }
    context.console.writeNote(
      "\(account.oauth == nil ? "next" : "then"): magnum-sync --dry-run \(name)"
    )
    return status
  }
}
