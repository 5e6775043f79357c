internal import CommandLine
internal import Configuration
internal import Glibc
internal import Login
internal import MailModel
internal import MailStore
internal import OAuth
internal import Octets
internal import Outgoing
internal import Platform
internal import Terminal
internal import Web

/// `magnum accounts login`: a person logs in at an authorization server; the login is kept once the mail servers took it.
struct AccountsLogin {
  /// What its options ask for.
  struct Options {
    var isOnDevice = false
    var isPasted = false
  }

  private let options: Options
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "login",
      abstract: "Log in at the authorization server of an account.",
      discussion: "A browser is opened; nothing is kept before the mail servers took the login.",
      initial: Options(),
      globals: [.config],
      options: [
        .flag(
          "--device",
          sets: \.isOnDevice,
          help: "Log in on another device, by a code that is typed there."
        ),
        .flag(
          "--paste",
          sets: \.isPasted,
          help: "Start no browser; read the address at which the browser ends."
        ),
      ],
      operands: .one("account", completion: .names(.accounts)),
      check: { options, _ throws(UsageMistake) in
        guard options.isOnDevice, options.isPasted else { return }
        throw UsageMistake("--device and --paste exclude each other")
      },
      run: { options, context in AccountsLogin(options: options, context: context).run() }
    )
  }

  /// Whether a person can paste something.
  fileprivate static var hasTerminal: Bool { isatty(0) == 1 }

  private func run() -> ExitStatus {
    Interruption.shared.watchSignals()
    return context.withOAuthAccount { (oauth) throws(Explanation) in
      try Self.check(oauth.settings)
      let store = GrantStore(oauth.settings, interruption: .shared)
      let name = Printable.text(oauth.settings.account.utf8)
      // One that cannot be read is replaced.
      let previous = try? store.read()
      let grant = try logIn(oauth, previous: previous)
      let problem = try test(grant, oauth)
      do throws(SecretError) {
        try store.withLock { () throws(SecretError) in
          try store.write(grant)
        }
      } catch {
        throw Explanation(error, account: name)
      }
      try oauth.forgetRefusal()
      context.console.writeNote("\(name): logged in")
      if store.isWaiting {
        let problem = GrantProblem.notHandedOver(oauth.settings.grantFile)
        context.report(place: name, problem.what, hint: problem.hint(account: name))
      }
      guard let problem else { return .success }
      context.report(problem)
      return .partial
    }
  }

  // MARK: - Login

  /// Refuses an account whose tokens are got without a person.
  private static func check(_ settings: OAuthSettings) throws(Explanation) {
    guard settings.machine != nil else { return }
    let name = Printable.text(settings.account.utf8)
    throw Explanation(
      .usage,
      place: name,
      "no login is needed: the account gets its tokens without a person (grant)",
      hint: "to try it: magnum accounts test \(name)"
    )
  }

  private func logIn(_ oauth: OAuthAccount, previous: Grant?) throws(Explanation) -> Grant {
    let notices = LoginNotices(context.console)
    let isPasting = options.isPasted || Self.hasTerminal
    let way = PersonLogin.Way(
      options.isOnDevice ? .device : options.isPasted ? .paste : .browser,
      input: isPasting && !options.isOnDevice ? 0 : nil,
      startsBrowser: Environment.value("SSH_CONNECTION") == nil
        || Environment.value("BROWSER") != nil
    )
    let login = PersonLogin(oauth.settings, way, interruption: .shared) { notices.show($0) }
    do throws(LoginFailure) {
      return try login.logIn(after: previous)
    } catch {
      throw Explanation(
        ExitStatus(error.need),
        place: Printable.text(oauth.settings.account.utf8),
        error.what,
        hint: error.hint
      )
    }
  }

  // MARK: - Test

  /// Logs in to the mail servers with the token.
  ///
  /// - Returns: what is wrong with sending, where reading works; nil where all works.
  /// - Throws: where no server takes the token.
  private func test(_ grant: Grant, _ oauth: OAuthAccount) throws(Explanation) -> Explanation? {
    var isOfUse = false
    for trial in oauth.trials(with: grant.access.token) {
      guard var failure = trial.failure else {
        isOfUse = true
        continue
      }
      failure.place = "\(Printable.text(oauth.settings.account.utf8)) \(trial.service)"
      failure.what += isOfUse ? " (the login is kept for reading)" : " (nothing is kept)"
      guard isOfUse else { throw failure }
      return failure
    }
    return nil
  }
}

/// What a person is told while logging in, on standard error.
private struct LoginNotices: Sendable {
  private let console: Console

  init(_ console: Console) {
    self.console = console
  }

  func show(_ notice: PersonLogin.Notice) {
    switch notice {
    case .open(let address, let isStarted, let port):
      console.writeNote(isStarted ? "log in in the browser; if none opens:" : "open this address:")
      console.writeNote("  " + Printable.text(address.octets, limit: WebAddress.lengthLimit))
      if Environment.value("SSH_CONNECTION") != nil {
        console.writeNote(
          "from another machine: ssh -L \(port):127.0.0.1:\(port) HOST, or paste the address at which the "
            + "browser ends"
        )
      } else if AccountsLogin.hasTerminal {
        console.writeNote("or paste the address at which the browser ends")
      }
    case .servers(let login, let token):
      console.writeNote(
        "log in at \(Printable.text(login)); tokens come from \(Printable.text(token))"
      )
    case .type(let code, let address, let complete):
      console.writeNote("open \(Printable.text(address.octets)) and type: \(Printable.text(code))")
      if let complete { console.writeNote("or open \(Printable.text(complete.octets))") }
    case .notTheAddress:
      console.writeNote("this is not the address at which the browser ended; paste all of it")
    case .noRefreshToken:
      console.writeNote(
        "the server gave nothing to renew the login with: it ends with the access token"
      )
    case .consentNeeded:
      console.writeNote("the server gave nothing to renew the login with; once more, with consent:")
    case .missingScopes(let scopes):
      let list = scopes.map { Printable.text($0) }.joined(separator: " ")
      console.writeNote("not granted: \(list)")
    }
  }
}
