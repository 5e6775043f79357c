package import Configuration
package import Login
package import Platform
internal import Proxies
internal import SASL
internal import SMTP
internal import Hashing
internal import Transport

/// Makes connections over which an account can send.
package struct SubmissionDialer: Sendable {
  /// Seconds for resolving, connecting and TLS together.
  static let connectLimit = 30.0

  private let sender: Sender
  private let secrets: SecretKeeper
  private let identities: IdentityKeeper
  private let proxies: ProxyKeeper
  private let interruption: Interruption
  private let stepLimit: Int?
  /// What all its connections share besides; `nil` for no end of it.
  let budget: WaitBudget?
  private let trace: (@Sendable (String) -> Void)?

  /// A dialer for an account.
  ///
  /// - Parameters:
  ///   - sender: the account.
  ///   - secrets: gives its secret; not asked where there is none to be had.
  ///   - interruption: ends all waiting, but not that for the reply to the end of a message.
  ///   - stepLimit: the most seconds to wait for a reply, except for the one to the end
  ///     of a message; `nil` for what RFC 5321 says.
  ///   - budget: how long to wait besides in all; `nil` for no end of it.
  ///   - trace: gets the conversation, secrets and messages cut; `nil` for none.
  package init(
    _ sender: Sender,
    secrets: SecretKeeper,
    interruption: Interruption,
    stepLimit: Int? = nil,
    budget: WaitBudget? = nil,
    trace: (@Sendable (String) -> Void)? = nil
  ) {
    self.sender = sender
    self.secrets = secrets
    proxies = ProxyKeeper(sender.proxy, interruption: interruption)
    identities = IdentityKeeper(sender.clientCertificate, interruption: interruption)
    self.interruption = interruption
    self.stepLimit = stepLimit
    self.budget = budget
    self.trace = trace
  }

  /// A connection past greeting, TLS and authentication.
  package func connect() throws(SubmissionFailure) -> SubmissionConnection {
    if sender.secret != .none { secrets.prefetch() }
    let policy = try policy()
    let connection = try open(policy, through: proxy())
    do throws(SubmissionFailure) {
      try connection.greet()
      try hello(connection)
      if case .startTLS = sender.server, let policy {
        try connection.startTLS(policy, deadline: .after(seconds: Self.connectLimit))
        try hello(connection)
      }
      if sender.logsIn { try logIn(connection) }
      return connection
    } catch {
      connection.close()
      throw error
    }
  }

  private func open(
    _ policy: TLSPolicy?,
    through proxy: Proxy?
  ) throws(SubmissionFailure) -> SubmissionConnection {
    do throws(TransportError) {
      return SubmissionConnection(
        try openStream(policy, proxy, .after(seconds: Self.connectLimit)),
        to: sender.server,
        stepLimit: stepLimit,
        budget: budget,
        trace: trace
      )
    } catch {
      throw SMTPStream.failure(error, sender.server, seconds: Self.connectLimit)
    }
  }

  private func openStream(
    _ policy: TLSPolicy?,
    _ proxy: Proxy?,
    _ deadline: Deadline
  ) throws(TransportError) -> ByteStream {
    switch sender.server {
    case .command(let words):
      return try ByteStream.tunnel(.arguments(words), interruption: interruption)
    case .implicitTLS(let host, let port):
      let stream = try connect(host, port, proxy, deadline)
      if let policy { try stream.startTLS(policy, deadline: deadline) }
      return stream
    case .startTLS(let host, let port), .plain(let host, let port):
      return try connect(host, port, proxy, deadline)
    // There is nothing to connect to.
    case .program: throw .closed
    }
  }

  private func connect(
    _ host: String,
    _ port: UInt16,
    _ proxy: Proxy?,
    _ deadline: Deadline
  ) throws(TransportError) -> ByteStream {
    try ByteStream.connect(
      host: host,
      port: port,
      deadline: deadline,
      proxy: proxy,
      interruption: interruption
    )
  }

  private typealias Proxy = (address: ProxyAddress, login: ProxyLogin?)

  /// What the server is reached through; nil for a direct connection.
  private func proxy() throws(SubmissionFailure) -> Proxy? {
    do throws(SecretError) {
      guard let address = proxies.address else { return nil }
      return (address, try proxies.login())
    } catch {
      throw .secret(error)
    }
  }

  /// A server that is too busy for EHLO may take HELO all the same, after which no log-in is possible.
  private func hello(_ connection: SubmissionConnection) throws(SubmissionFailure) {
    try connection.hello(.loopback, needsExtensions: sender.logsIn)
  }

  /// Whom to accept over TLS, and what to show; nil without TLS.
  private func policy() throws(SubmissionFailure) -> TLSPolicy? {
    switch sender.server {
    case .implicitTLS(let host, _), .startTLS(let host, _):
      let identity: TLSIdentity?
      do throws(SecretError) {
        identity = try identities.identity()
      } catch {
        throw .secret(error)
      }
      return TLSPolicy(
        host: host,
        trustFile: sender.trustFile,
        fingerprint: sender.fingerprint,
        identity: identity
      )
    case .plain, .command, .program: return nil
    }
  }
}

// Logging in.
extension SubmissionDialer {
  /// Logs in: by the certificate, or by the secret; with a token that was refused once more, with a new one.
  private func logIn(_ connection: SubmissionConnection) throws(SubmissionFailure) {
    if let user = sender.certificateUser, try logIn(connection, byCertificateAs: user) { return }
    var secret = try ofSecret { () throws(SecretFailure) in try secrets.secret() }
    while true {
      let reply = try authenticate(connection, secret.octets)
      guard !reply.isPositive else { return }
      let refusal = Refusal(reply, at: .authentication)
      guard case .account(let problem) = refusal.classification, problem.isAuthentication else {
        throw .refused(refusal)
      }
      let refused = secret.generation
      let next = try ofSecret { () throws(SecretFailure) in try secrets.renewed(after: refused) }
      guard let next else {
        throw .secretRefused(refusal, OfferedSecret(sender).ofSecret(sender.secret))
      }
      secret = next
    }
  }

  /// Logs in by the certificate; false where the server does not offer that, so that the secret of the account is left.
  private func logIn(
    _ connection: SubmissionConnection,
    byCertificateAs user: [UInt8]
  ) throws(SubmissionFailure) -> Bool {
    let offered = connection.extensions.mechanisms
    guard connection.isEncrypted, External.isOffered(offered) else {
      guard sender.secret == .none else { return false }
      let isEncrypted = connection.isEncrypted
      throw .authentication(
        .noMechanism(offered: offered, usable: [External.name], isEncrypted: isEncrypted)
      )
    }
    var mechanism: any Mechanism = External(authorization: user)
    let reply = try exchange(&mechanism, [], connection, isLast: true)
    guard !reply.isPositive else { return true }
    let refusal = Refusal(reply, at: .authentication)
    guard case .account(let problem) = refusal.classification, problem.isAuthentication else {
      throw .refused(refusal)
    }
    throw .secretRefused(refusal, OfferedSecret(sender).ofCertificate)
  }

  /// Runs an exchange, and returns the server's last reply.
  ///
  /// Where the server refuses a channel binding, another one is tried, and in the end an exchange without a binding.
  private func authenticate(
    _ connection: SubmissionConnection,
    _ secret: [UInt8]
  ) throws(SubmissionFailure) -> Reply {
    var bindings = connection.bindings.map { ChannelBinding($0) }[...]
    while true {
      let binding = bindings.popFirst()
      var mechanism = try choose(connection, secret, binding)
      let reply = try exchange(&mechanism, secret, connection, isLast: binding == nil)
      let isFinal = reply.isPositive || !mechanism.mayHaveWrongBinding || binding == nil
      if isFinal { return reply }
    }
  }

  private func exchange(
    _ mechanism: inout any Mechanism,
    _ secret: [UInt8],
    _ connection: SubmissionConnection,
    isLast: Bool
  ) throws(SubmissionFailure) -> Reply {
    let response = mechanism.initialResponse()
    connection.send(
      .authenticate(mechanism: mechanism.name, initialResponse: response, secret: secret)
    )
    while true {
      switch try connection.nextEvent() {
      case .challenge(let challenge): try answer(challenge, &mechanism, connection, isLast: isLast)
      case .authentication(let reply):
        guard !reply.isPositive || mechanism.isServerVerified else {
          throw .authentication(.wrongServerSignature)
        }
        return reply
      case .greeting, .hello, .startTLS, .messageWanted, .delivery, .reset, .noop, .quit, .closing:
        break
      }
    }
  }

  /// Answers a challenge, or cancels the exchange; without an error where another may go better.
  private func answer(
    _ challenge: [UInt8],
    _ mechanism: inout any Mechanism,
    _ connection: SubmissionConnection,
    isLast: Bool
  ) throws(SubmissionFailure) {
    do {
      connection.respond(try mechanism.respond(to: challenge))
    } catch {
      connection.respond(nil)
      if mechanism.mayHaveWrongBinding, !isLast { return }
      throw .authentication(error)
    }
  }

  private func choose(
    _ connection: SubmissionConnection,
    _ secret: [UInt8],
    _ binding: ChannelBinding?
  ) throws(SubmissionFailure) -> any Mechanism {
    let user = Array(sender.user.utf8)
    let address = sender.server.address ?? (host: "localhost", port: 25)
    do {
      return try MechanismChoice.choose(
        offered: connection.extensions.mechanisms,
        credentials: secrets.isToken
          ? .token(user: user, secret) : .password(user: user, secret),
        isEncrypted: isPrivate(connection),
        binding: binding,
        host: address.host,
        port: address.port,
        nonce: Hashes.random(18),
        cryptography: .openSSL
      )
    } catch {
      throw .authentication(error)
    }
  }

  /// Whether secrets cannot be read on the way: TLS, or a way that does not leave the machine.
  private func isPrivate(_ connection: SubmissionConnection) -> Bool {
    sender.server.isOfThisMachine || connection.isEncrypted
  }

  private func ofSecret<Value>(
    _ body: () throws(SecretFailure) -> Value
  ) throws(SubmissionFailure) -> Value {
    do {
      return try body()
    } catch {
      switch error {
      case .source(let error): throw .secret(error)
      case .interrupted: throw .interrupted
      }
    }
  }
}
