internal import AccountImport
internal import CommandLine
internal import Configuration
internal import Discovery
internal import Login
internal import MailModel
internal import MailStore
internal import Octets
internal import Outgoing
internal import Platform
internal import Proxies
internal import Terminal
internal import Transport

/// An account that is to be added, after its servers were tried.
struct TriedAccount {
  let account: ImportedAccount
  /// Why mail cannot be sent with it now; nil where it can, or was not tried.
  let sendingProblem: Explanation?
}

/// The way to log in of an account that is to be added, tried before anything is written.
struct NewLogin {
  /// How many passwords are tried at most: servers lock accounts after a few that are wrong.
  private static let attempts = 3

  private let found: FoundAccount
  private let options: AddOptions
  private let context: CommandContext
  private let canAsk: Bool

  init(_ found: FoundAccount, _ options: AddOptions, _ context: CommandContext, canAsk: Bool) {
    self.found = found
    self.options = options
    self.context = context
    self.canAsk = canAsk
  }

  /// The account with its secret, which the server for reading took; a login at an authorization server is left to be made.
  ///
  /// - Throws: what is missing, or why the server for reading does not take it.
  func account(
    _ name: String,
    _ addition: ConfigurationAddition
  ) throws(Explanation) -> TriedAccount {
    if found.usesOAuth {
      let account = found.account(name, .oauth, oauth: try oauth())
      _ = try block(account, addition)
      return TriedAccount(account: account, sendingProblem: nil)
    }
    if let secret = options.secret {
      return try tried(found.account(name, secret), addition, password: nil)
    }
    try checkCertificate(name, addition)
    return try asking(name, addition)
  }

  /// The account as far as the options say, for people to look at.
  ///
  /// - Throws: what is missing for a login at an authorization server.
  func draft(_ name: String) throws(Explanation) -> ImportedAccount {
    found.usesOAuth
      ? found.account(name, .oauth, oauth: try oauth())
      : found.account(name, options.secret ?? .missing)
  }

  /// The lines for the configuration, which our own reader takes.
  ///
  /// - Throws: the mistake that it finds.
  func block(
    _ account: ImportedAccount,
    _ addition: ConfigurationAddition
  ) throws(Explanation) -> AccountBlock {
    let block = AccountBlock(account, directory: addition.shown(addition.directory))
    _ = try Explanation.of { () throws(ConfigurationError) in
      try addition.configuration(adding: block.text)
    }
    return block
  }

  // MARK: - OAuth

  private func oauth() throws(Explanation) -> ImportedAccount.OAuth {
    guard let server = found.authorizationServer else {
      throw Explanation(
        .usage,
        "the authorization server is not known",
        hint: "add the account with a password, and see [account.NAME.oauth] in magnum-config(5)"
      )
    }
    return ImportedAccount.OAuth(
      server: server,
      clientID: try clientID(server),
      clientSecretCommand: options.clientSecretCommand
    )
  }

  private func clientID(_ server: ImportedAccount.OAuth.Server) throws(Explanation) -> String? {
    if let given = options.clientID ?? found.settings?.issuer?.clientID { return given }
    // There the program registers itself.
    if case .issuer = server { return nil }
    if canAsk {
      context.console.writeNote("a client id is needed: see magnum-oauth(7)")
      if let typed = context.console.ask("Client id: "), !typed.isEmpty { return typed }
      try Self.checkInterruption()
    }
    throw Explanation(
      .usage,
      "a client id is needed to log in there with OAuth",
      hint: "--oauth --client-id ID; see magnum-oauth(7)"
    )
  }

  // MARK: - Passwords

  private func asking(
    _ name: String,
    _ addition: ConfigurationAddition
  ) throws(Explanation) -> TriedAccount {
    let user = found.servers.first?.user ?? found.address
    for attempt in 1...Self.attempts {
      let question = "Password of \(Printable.text(user.utf8)): "
      do throws(Explanation) {
        let result = try context.console.withSecret(question, interruption: .shared) {
          (typed) throws(Explanation) in
          try Self.checkInterruption()
          guard let password = typed, !password.isEmpty, !password.contains(0) else {
            throw Explanation(.usage, "no password was given")
          }
          context.console.writeNote("logging in …")
          return try tried(found.account(name, .literal(password)), addition, password: password)
        }
        guard let result else { throw Explanation(.usage, "no password was given") }
        return result
      } catch {
        guard error.status == .refused, attempt < Self.attempts else { throw error }
        context.report(error)
      }
    }
    throw Explanation(.refused, "the servers took none of these passwords")
  }

  /// Looks at the certificate of the server for reading before a password is asked for.
  private func checkCertificate(
    _ name: String,
    _ addition: ConfigurationAddition
  ) throws(Explanation) {
    let text = try block(draft(name), addition).text
    let configuration = try Explanation.of { () throws(ConfigurationError) in
      try addition.configuration(adding: text)
    }
    guard let account = configuration.account(named: name),
      case .imaps(let host, let port) = account.server
    else { return }
    let proxy = try Self.proxy(of: account)
    let deadline = Deadline.after(seconds: TestTime.replyTime(30))
    let policy = TLSPolicy(
      host: host,
      trustFile: account.trustFile,
      fingerprint: account.fingerprint
    )
    do throws(TransportError) {
      let stream = try ByteStream.connect(
        host: host,
        port: port,
        deadline: deadline,
        proxy: proxy,
        interruption: .shared
      )
      defer { stream.close() }
      try stream.startTLS(policy, deadline: deadline)
    } catch {
      try Self.checkInterruption()
      let words = TransportWords(.new).words(error)
      throw Explanation(
        ExitStatus(error),
        place: "\(Printable.text(name.utf8)) imap",
        "\(words.what) (nothing is written)",
        hint: words.hint
      )
    }
  }

  /// What the server is reached through; nil for a direct connection.
  private static func proxy(
    of account: Account
  ) throws(Explanation) -> (address: ProxyAddress, login: ProxyLogin?)? {
    let keeper = ProxyKeeper(account.proxy, interruption: .shared)
    guard let address = keeper.address else { return nil }
    do throws(SecretError) {
      return (address, try keeper.login())
    } catch {
      throw Explanation(error, account: account.name)
    }
  }

  private static func checkInterruption() throws(Explanation) {
    guard Interruption.shared.isRequested else { return }
    throw Explanation(.tryAgain, "interrupted (nothing is written)")
  }

  /// Logs in to both servers, to the second only where the first took the secret.
  ///
  /// Where only sending fails, mail can be read all the same.
  private func tried(
    _ account: ImportedAccount,
    _ addition: ConfigurationAddition,
    password: [UInt8]?
  ) throws(Explanation) -> TriedAccount {
    let text = try block(account, addition).text
    let configuration = try Explanation.of { () throws(ConfigurationError) in
      try addition.configuration(adding: text)
    }
    var problem: Explanation?
    if let reading = configuration.account(named: account.name) {
      let trial = ServerTrial(testing: password.map { reading.with(secret: $0) } ?? reading)
      problem = try failure(of: trial, account)
    }
    if var problem {
      problem.what += " (nothing is written)"
      throw problem
    }
    if let sending = configuration.sender(named: account.name) {
      let trial = ServerTrial(testing: password.map { sending.with(secret: $0) } ?? sending)
      problem = try failure(of: trial, account)
    }
    return TriedAccount(account: account, sendingProblem: problem)
  }

  /// Why a server does not take the account; nil, with a line for the person, where it does.
  private func failure(
    of trial: ServerTrial,
    _ account: ImportedAccount
  ) throws(Explanation) -> Explanation? {
    guard var failure = trial.failure else {
      guard !context.globals.json else { return nil }
      let lines = trial.text(account: account.name).split(separator: "\n")
      if let line = lines.first { context.console.writeNote(String(line)) }
      return nil
    }
    try Self.checkInterruption()
    if failure.status == .refused, trial.known == nil {
      failure.hint = "check the password; --user gives the name to log in with, if it is another"
    }
    failure.place = "\(Printable.text(account.name.utf8)) \(trial.service)"
    return failure
  }
}
