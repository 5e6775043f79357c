internal import Glibc
package import Platform
package import Proxies

/// Why a stream of octets to a server could not be had, or broke.
package enum TransportError: Error, Hashable, Sendable {
  /// The name has no address.
  ///
  /// `detail` is the resolver's reason. `isTemporary` when no answer was had (no network, EAI_AGAIN);
  /// otherwise the answer was that there is no such name (EAI_NONAME).
  case nameNotFound(host: String, detail: String, isTemporary: Bool)

  /// None of the addresses could be reached: one error for each address, in the order of the trial.
  case connect(host: String, port: UInt16, attempts: [SystemError])

  /// The deadline came first.
  case timedOut(Phase)

  /// The deadline came first while the connection was being made: so many seconds were allowed.
  case noAnswer(Phase, host: String, port: UInt16, seconds: Int)

  /// The peer ended the stream, orderly or not; with TLS also without close_notify.
  case closed

  /// The peer ended the stream before TLS was agreed on: some servers do that instead of naming a version of TLS.
  case closedInHandshake

  /// TLS was not agreed on, or a record was damaged.
  case tls(TLSFailure)

  /// What came compressed cannot be expanded.
  case damagedCompression

  /// The user wants the program to end.
  case interrupted

  /// The operating system refused a call.
  case system(SystemError)

  /// The proxy makes no connection.
  case proxy(ProxyAddress, ProxyRefusal)

  /// The proxy itself cannot be reached, or is silent.
  indirect case proxyUnreachable(TransportError)

  /// The command that stands for the connection failed.
  case tunnel(TunnelFailure)
}

extension TransportError {
  /// The same error; where it is silence, with the server that was silent.
  package func located(_ host: String, _ port: UInt16, seconds: Double) -> TransportError {
    guard case .timedOut(let phase) = self else { return self }
    return .noAnswer(phase, host: host, port: port, seconds: Int(seconds))
  }

  /// Whether every address that this machine can reach refused the connection: nothing listens on the port.
  package var isRefused: Bool {
    guard case .connect(_, _, let attempts) = self else { return false }
    return attempts.contains { $0.code == Self.refused }
      && areAttempts(among: [Self.refused] + Self.missingFamily)
  }

  /// Whether there is no way to any of the addresses: the network is down or cut.
  package var isUnreachable: Bool {
    areAttempts(among: Self.unreachable)
  }

  private func areAttempts(among codes: some Collection<Int32>) -> Bool {
    guard case .connect(_, _, let attempts) = self, !attempts.isEmpty else { return false }
    return attempts.allSatisfy { codes.contains($0.code) }
  }
}

/// Why a command that stands for a connection is of no use.
package enum TunnelFailure: Hashable, Sendable {
  /// The command could not be started.
  case start(SystemError)

  /// The command ended with a status other than 0; the last line of its standard error, nil for none.
  case ended(ChildProcess.Status, [UInt8]?)
}

extension TransportError {
  static let refused = ECONNREFUSED

  /// The machine has no address of the family.
  static let missingFamily: [Int32] = [EADDRNOTAVAIL, EAFNOSUPPORT]

  /// EADDRNOTAVAIL: the machine has no address of the family (IPv6 without network).
  static let unreachable: Set<Int32> = [
    ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EAFNOSUPPORT,
  ]

  /// The error numbers that only say that the peer is gone.
  static func isEnd(_ code: Int32) -> Bool {
    code == ECONNRESET || code == EPIPE || code == ENOTCONN
  }
}

/// What a stream was doing when the time ran out.
package enum Phase: Hashable, Sendable {
  /// Asking for the addresses of a name.
  case resolve

  /// Reaching one of the addresses.
  case connect

  /// Waiting for what a proxy answers.
  case proxy

  /// Agreeing on TLS.
  case handshake

  /// Waiting for the first words of the server.
  case greeting

  /// Sending or receiving.
  case exchange
}
