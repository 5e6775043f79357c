internal import AccountImport
internal import CommandLine
internal import Configuration
internal import Discovery
internal import Octets
internal import Platform
internal import Terminal

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

  /// The account with its secret, which both servers took; a login at an authorization server is left to be made.
  ///
  /// - Throws: what is missing, or why a server does not take it.
  func account(
    _ name: String,
    _ addition: ConfigurationAddition
  ) throws(Explanation) -> ImportedAccount {
    if found.usesOAuth {
      let account = found.account(name, .oauth, oauth: try oauth())
      _ = try block(account, addition)
      return account
    }
    if let secret = options.secret {
      let account = found.account(name, secret)
      try test(account, addition, password: nil)
      return account
    }
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
      context.console.note("a client id is needed: see CLIENT IDS in magnum-accounts(1)")
      if let typed = context.console.ask("Client id: "), !typed.isEmpty { return typed }
      try Self.checkInterruption()
    }
    throw Explanation(
      .usage,
      "a client id is needed to log in there with OAuth",
      hint: "--oauth --client-id ID; see CLIENT IDS in magnum-accounts(1)"
    )
  }

  // MARK: - Passwords

  private func asking(
    _ name: String,
    _ addition: ConfigurationAddition
  ) throws(Explanation) -> ImportedAccount {
    if let guide = AddReport(found: found).passwordGuide { context.console.note(guide) }
    let user = found.servers.first?.user ?? found.address
    for attempt in 1...Self.attempts {
      let question = "Password of \(Printable.text(user.utf8)): "
      let typed = context.console.askSecret(question, interruption: .shared)
      try Self.checkInterruption()
      guard let password = typed, !password.isEmpty, !password.contains(0) else {
        throw Explanation(.usage, "no password was given")
      }
      let account = found.account(name, .literal(password))
      do throws(Explanation) {
        try test(account, addition, password: password)
        return account
      } catch {
        guard error.status == .refused, attempt < Self.attempts else { throw error }
        context.report(error)
      }
    }
    throw Explanation(.refused, "the servers took none of these passwords")
  }

  private static func checkInterruption() throws(Explanation) {
    guard Interruption.shared.isRequested else { return }
    throw Explanation(.tryAgain, "interrupted (nothing is written)")
  }

  /// Logs in to both servers, to the second only where the first took the secret.
  private func test(
    _ account: ImportedAccount,
    _ addition: ConfigurationAddition,
    password: [UInt8]?
  ) throws(Explanation) {
    let text = try block(account, addition).text
    let configuration = try Explanation.of { () throws(ConfigurationError) in
      try addition.configuration(adding: text)
    }
    if let reading = configuration.account(named: account.name) {
      try pass(ServerTrial(testing: password.map { reading.with(secret: $0) } ?? reading), account)
    }
    if let sending = configuration.sender(named: account.name) {
      try pass(ServerTrial(testing: password.map { sending.with(secret: $0) } ?? sending), account)
    }
  }

  private func pass(_ trial: ServerTrial, _ account: ImportedAccount) throws(Explanation) {
    guard var failure = trial.failure else {
      guard !context.globals.json else { return }
      let lines = trial.text(account: account.name).split(separator: "\n")
      if let line = lines.first { context.console.note(String(line)) }
      return
    }
    try Self.checkInterruption()
    if failure.status == .refused, trial.known == nil {
      failure.hint = "check the password; --user gives the name to log in with, if it is another"
    }
    failure.place = "\(Printable.text(account.name.utf8)) \(trial.service)"
    failure.what += " (nothing is written)"
    throw failure
  }
}
