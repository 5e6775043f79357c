internal import Glibc
package import Platform
package import Proxies

/// A connection over TCP that is being made: the name is looked up, or the first address tried, while its owner does other things.
///
/// It closes itself when its owner lets go of it. Used by one thread at a time.
package final class PendingStream {
  private let host: String
  private let port: UInt16
  private let proxy: ProxyAddress?
  private let interruption: Interruption?
  private var state: State

  /// How far it is.
  private enum State {
    case asking(Lookup)
    /// The attempt is at the first of these addresses.
    case connecting([SocketAddress], SocketConnector.Attempt?)
    case failed(TransportError)
    case finished
  }

  /// Begins to connect to a server, without waiting for anything.
  ///
  /// - Parameters:
  ///   - host: a name, or an IPv4 or IPv6 literal without brackets.
  ///   - port: the TCP port.
  ///   - proxy: what makes the connection, and looks up the name; nil for this machine.
  ///   - interruption: ends every wait of the stream when requested; nil for none.
  package init(
    host: String,
    port: UInt16,
    proxy: ProxyAddress? = nil,
    interruption: Interruption?
  ) {
    self.host = host
    self.port = port
    self.proxy = proxy
    self.interruption = interruption
    state =
      interruption?.isRequested == true
      ? .failed(.interrupted) : Self.begin(proxy?.host ?? host, proxy?.port ?? port)
  }

  deinit { close() }

  /// Gives the connection up, unless it was handed over.
  package func close() {
    if case .connecting(_, let attempt?) = state { attempt.close() }
    state = .finished
  }

  private static func begin(_ host: String, _ port: UInt16) -> State {
    do throws(TransportError) {
      switch try Lookup.begin(host: host, port: port) {
      case .found(let addresses):
        return .connecting(addresses, addresses.first.map(SocketConnector.begin))
      case .asked(let lookup): return .asking(lookup)
      }
    } catch {
      return .failed(error)
    }
  }

  /// Waits until it is connected, and hands it over: to be called once.
  ///
  /// The addresses of a name are tried in order, each with its share of the time.
  ///
  /// - Parameters:
  ///   - deadline: for what is left of the look-up of the name and all addresses together.
  ///   - login: who asks the proxy; nil where it is not told.
  /// - Returns: a stream without encryption.
  /// - Throws: as ``ByteStream/connect(host:port:deadline:interruption:)``; besides
  ///   ``TransportError/proxy(_:_:)``, ``TransportError/proxyUnreachable(_:)``.
  package func finish(
    by deadline: Deadline,
    login: ProxyLogin? = nil
  ) throws(TransportError) -> ByteStream {
    guard let proxy else { return try finishDirectly(by: deadline) }
    let seconds = deadline.remaining
    let way = ProxyWay(proxy, host: host, port: port, login: login)
    let stream: ByteStream
    do throws(TransportError) {
      stream = try finishDirectly(by: deadline)
    } catch {
      throw way.unreachable(error, seconds: seconds)
    }
    do throws(TransportError) {
      try way.open(stream, deadline)
      return stream
    } catch {
      stream.close()
      throw way.unreachable(error, seconds: seconds)
    }
  }

  private func finishDirectly(by deadline: Deadline) throws(TransportError) -> ByteStream {
    let timeout = IOTimeout(deadline: deadline, interruption: interruption, phase: .resolve)
    try timeout.checkInterruption()
    let state = state
    self.state = .finished
    let connector = SocketConnector(
      host: proxy?.host ?? host,
      port: proxy?.port ?? port,
      deadline: deadline,
      interruption: interruption
    )
    switch state {
    case .finished: throw .closed
    case .failed(let error): throw error
    case .connecting(let addresses, let attempt):
      return try stream(connector.connect(addresses, begun: attempt))
    case .asking(let lookup):
      return try stream(
        connector.connect(lookup.finish(timeout).addresses(of: proxy?.host ?? host))
      )
    }
  }

  private func stream(_ socket: Int32) -> ByteStream {
    ByteStream(socket: socket, interruption: interruption)
  }
}
