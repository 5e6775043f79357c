internal import Configuration
internal import IMAP
internal import Login
internal import MailStore
internal import Octets
internal import Platform
internal import Proxies
internal import SASL
internal import SyncState
internal import Hashing
internal import Transport

/// Makes authenticated connections of one account.
struct Dialer: Sendable {
  /// Seconds for resolving, connecting and TLS together.
  static let connectLimit = TestTime.replyTime(30)

  let account: Account
  let secrets: SecretKeeper
  let identities: IdentityKeeper
  let proxies: ProxyKeeper
  let memory: ServerMemory
  let interruption: Interruption
  let report: @Sendable (StoreEvent) -> Void
  let isTracing: Bool
  /// Seconds for connecting, as long as the caller can wait.
  var limit = Dialer.connectLimit

  /// A connection that was begun.
  struct Beginning {
    /// Seconds for which a server need not have heard anything yet: some hang up after a minute.
    private static let waitLimit = TestTime.replyTime(20)

    /// The way to the server; nil where a command makes it, which begins when it is needed.
    let stream: PendingStream?
    /// Until when the server is still there for sure.
    private let end = Deadline.after(seconds: waitLimit)

    /// Whether it was left waiting for so long that the server may have ended it.
    var isStale: Bool { end.isPast }

    /// One that begins now.
    init(_ stream: PendingStream?) { self.stream = stream }
  }

  /// Begins a connection without waiting for anything.
  ///
  /// The server is connected to before threads are started that take the processor: each of them would delay its answer.
  func begin() -> Beginning {
    report(.connecting)
    let beginning = Beginning(dial())
    secrets.prefetch()
    prepareEncryption()
    return beginning
  }

  private func dial() -> PendingStream? {
    address.map {
      PendingStream(
        host: $0.host,
        port: $0.port,
        proxy: proxies.address,
        interruption: interruption
      )
    }
  }

  /// A connection past greeting, TLS and authentication, with the server's capabilities known: the one that was begun, or a new
  /// one.
  ///
  /// `prefetched` goes out on the way, where it may; its tags are then to be waited for.
  func connect(
    _ prefetched: PrefetchedCommands = PrefetchedCommands(),
    _ beginning: Beginning? = nil
  ) throws(SyncFailure) -> Connection {
    let beginning = beginning ?? begin()
    guard !prefetched.commands.isEmpty, EarlyLogin.isAllowed(account, memory.traits) else {
      return try connectStepwise(prefetched, beginning)
    }
    if let connection = try EarlyLogin(self, prefetched).connect(beginning) { return connection }
    prefetched.forget()
    let connection = try connectStepwise(prefetched, begin())
    memory.updateTraits { $0.awaitsGreeting = true }
    return connection
  }

  /// It is loaded by the time the server is connected.
  private func prepareEncryption() {
    switch account.server {
    case .imaps, .startTLS: ByteStream.prepareTLS()
    case .plain, .command, nil: break
    }
  }

  private func connectStepwise(
    _ prefetched: PrefetchedCommands,
    _ beginning: Beginning
  ) throws(SyncFailure) -> Connection {
    let connection = try open(beginning)
    do throws(SyncFailure) {
      let isAuthenticated = try greet(connection)
      report(.authenticating)
      if isAuthenticated {
        prefetched.sendSafely(on: connection)
      } else {
        try logIn(connection, prefetched)
      }
      if !prefetched.wereSent { try learnCapabilities(connection) }
      return connection
    } catch {
      connection.close()
      throw error
    }
  }

  /// Asks for capabilities where they are not known, for they may differ after authentication, and not every server tells
  /// them unasked; and names the program where the server wants to know.
  func learnCapabilities(_ connection: Connection) throws(SyncFailure) {
    if connection.capabilities.isEmpty { try connection.perform(.capability) }
    if connection.capabilities.contains("ID") || memory.traits.needsIdentity {
      connection.identify()
    }
  }

  // MARK: Stream

  /// The connection that was begun, with TLS where the account has that from the start.
  ///
  /// It is a new one where the first was left waiting, as for a person who was asked for the secret.
  func open(_ beginning: Beginning) throws(SyncFailure) -> Connection {
    let policy = try policy()
    let login = try SyncFailure.ofSource { () throws(SecretError) in try proxies.login() }
    let deadline = Deadline.after(seconds: limit)
    do throws(TransportError) {
      let stream = try openStream(fresh(beginning), login, policy, deadline)
      let connection = Connection(stream, trace: trace)
      connection.allowsCompression = account.compression == .ifSlow
      return connection
    } catch {
      // It may be another one by the next run.
      if case .proxy(_, .loginRefused) = error { proxies.forgetLogin() }
      throw error == .interrupted ? .interrupted : .transport(located(error))
    }
  }

  private func fresh(_ beginning: Beginning) -> PendingStream? {
    guard beginning.isStale else { return beginning.stream }
    beginning.stream?.close()
    return dial()
  }

  /// The error with the server that it is about, where it is the server's silence.
  private func located(_ error: TransportError, seconds: Double? = nil) -> TransportError {
    guard let address else { return error }
    return error.located(address.host, address.port, seconds: seconds ?? limit)
  }

  /// What is connected to; nil where a command makes the connection.
  private var address: (host: String, port: UInt16)? {
    switch account.server {
    case .imaps(let host, let port), .startTLS(let host, let port), .plain(let host, let port):
      (host, port)
    case .command, nil: nil
    }
  }

  private func openStream(
    _ pending: PendingStream?,
    _ login: ProxyLogin?,
    _ policy: TLSPolicy?,
    _ deadline: Deadline
  ) throws(TransportError) -> ByteStream {
    if case .command(let words) = account.server {
      return try ByteStream.tunnel(.arguments(words), interruption: interruption)
    }
    guard let stream = try pending?.finish(by: deadline, login: login) else { throw .closed }
    if case .imaps = account.server, let policy {
      try stream.startTLS(policy, deadline: deadline)
    }
    return stream
  }

  /// Whom to accept over TLS, and what to show; nil without TLS.
  ///
  /// - Throws: `secret` where the certificate of the account cannot be used.
  private func policy() throws(SyncFailure) -> TLSPolicy? {
    switch account.server {
    case .imaps(let host, _), .startTLS(let host, _):
      TLSPolicy(
        host: host,
        trustFile: account.trustFile,
        fingerprint: account.fingerprint,
        identity: try SyncFailure.ofSource { () throws(SecretError) in
          try identities.identity()
        }
      )
    case .plain, .command, nil: nil
    }
  }

  private var trace: (@Sendable (String) -> Void)? {
    guard isTracing else { return nil }
    return { report(.trace($0)) }
  }

  // MARK: Greeting

  /// The greeting of a server that lets us in; `SyncFailure` where it says goodbye at once.
  func greeting(_ connection: Connection) throws(SyncFailure) -> StatusResponse {
    let greeting = try anyGreeting(connection)
    guard greeting.kind == .bye else { return greeting }
    if let limit = ServerLimit(greeting, to: .login) {
      throw .notNow(ServerReply(greeting), limit, until: nil)
    }
    throw .greetingRefused(ServerReply(greeting))
  }

  private func anyGreeting(_ connection: Connection) throws(SyncFailure) -> StatusResponse {
    do throws(SyncFailure) {
      if case .greeting(let greeting) = try connection.nextEvent() { return greeting }
    } catch .transport(.timedOut) {
      let silence = TransportError.timedOut(.greeting)
      throw .transport(located(silence, seconds: Connection.silenceLimit))
    }
    throw .greetingRefused(ServerReply(.unspecified))
  }

  /// Whether the server greets us as already authenticated.
  private func greet(_ connection: Connection) throws(SyncFailure) -> Bool {
    let greeting = try greeting(connection)
    if case .startTLS = account.server {
      // An attacker who greets with PREAUTH would make STARTTLS impossible (RFC 9051 §6.2.1).
      if greeting.kind == .preauth { throw .startTLSUnavailable(ServerReply(greeting)) }
      try startTLS(connection)
    }
    if connection.capabilities.words.isEmpty { try connection.perform(.capability) }
    return greeting.kind == .preauth
  }

  private func startTLS(_ connection: Connection) throws(SyncFailure) {
    guard let policy = try policy() else { return }
    let response = try connection.perform(.startTLS)
    guard response.kind == .ok else { throw .startTLSUnavailable(ServerReply(response)) }
    let deadline = Deadline.after(seconds: limit)
    try connection.startTLS(policy, deadline: deadline)
  }

  // MARK: Authentication

  private func logIn(_ connection: Connection, _ prefetched: PrefetchedCommands) throws(SyncFailure)
  {
    if account.clientCertificate != nil, try logInByCertificate(connection, prefetched) { return }
    let identity = Self.identity(of: connection.capabilities)
    let isUnasked = account.earlyLogin == .afterCleanRuns
    // By a log-in that hides the password it would not be sent at all.
    let mayCount =
      isUnasked
      && !connection.capabilities.mechanisms.contains { $0.startsCaseless(with: "SCRAM-") }
    var secret = try SyncFailure.ofSecret { () throws(SecretFailure) in try secrets.secret() }
    while true {
      let attempt = Authentication(connection, account: account, secret: secret.octets, memory)
      let result = try attempt.logIn {
        prefetched.send(on: connection, memory.traits, identity)
        return prefetched.wereSent
      }
      let response = result.response
      if response.kind == .ok {
        memory.updateTraits { traits in
          traits.loggedIn(identity, keepsGreeting: isUnasked)
          traits.logsInByPlain = result.isPlain
          traits.cleanRuns = mayCount && result.isPlain ? traits.cleanRuns ?? 0 : nil
          if result.isStepwise { traits.refusesInitialResponse = true }
        }
        return prefetched.doubt(on: connection)
      }
      if prefetched.mayHaveDisturbed(response) {
        throw .protocolViolation(ProtocolViolation(.loginDisturbed, line: response.text))
      }
      if secrets.isToken { report(.refreshingToken) }
      let refused = secret.generation
      let next = try SyncFailure.ofSecret { () throws(SecretFailure) in
        try secrets.renewed(after: refused)
      }
      guard let next else {
        secrets.forgetPassword()
        let offered = OfferedSecret(account).ofSecret(account.secret)
        throw .secretRefused(ServerReply(response), offered)
      }
      secret = next
    }
  }

  /// Logs in by the certificate; false where the server does not offer that, so that the secret of the account is left.
  private func logInByCertificate(
    _ connection: Connection,
    _ prefetched: PrefetchedCommands
  ) throws(SyncFailure) -> Bool {
    let offered = connection.capabilities.mechanisms
    guard connection.isEncrypted, External.isOffered(offered) else {
      guard account.secret == .none else { return false }
      let isEncrypted = connection.isEncrypted
      throw .authenticationExchange(
        .noMechanism(offered: offered, usable: [External.name], isEncrypted: isEncrypted)
      )
    }
    let identity = Self.identity(of: connection.capabilities)
    let attempt = Authentication(connection, account: account, secret: nil, memory)
    let result = try attempt.logIn { false }
    guard result.response.kind == .ok else {
      throw .secretRefused(ServerReply(result.response), OfferedSecret(account).ofCertificate)
    }
    memory.updateTraits { traits in
      traits.loggedIn(identity, keepsGreeting: false)
      (traits.logsInByPlain, traits.cleanRuns) = (false, nil)
      if result.isStepwise { traits.refusesInitialResponse = true }
    }
    prefetched.sendSafely(on: connection)
    return true
  }

  /// Which server it is, by what it offers before the log-in: what was seen of one says nothing about another.
  static func identity(of capabilities: Capabilities) -> UInt64 {
    let words = capabilities.words.flatMap { $0 + [ASCII.space] }
    return UInt64(octets: Hashes.sha256(words))
  }
}
