internal import Glibc
internal import Octets
internal import Platform
internal import Proxies

/// The way to a server through a proxy that is connected.
struct ProxyWay {
  private let proxy: ProxyAddress
  private let host: String
  private let port: UInt16
  private let login: ProxyLogin?

  init(_ proxy: ProxyAddress, host: String, port: UInt16, login: ProxyLogin?) {
    (self.proxy, self.host, self.port, self.login) = (proxy, host, port, login)
  }

  /// Has the proxy connect to the server; nothing of what that says is read.
  func open(_ stream: ByteStream, _ deadline: Deadline) throws(TransportError) {
    var dialogue = try refusing { () throws(ProxyRefusal) in
      try ProxyDialogue(proxy.protocol, to: target, login: login)
    }
    var outgoing = dialogue.takeOutgoing()[...]
    var buffer: [UInt8] = []
    while !dialogue.isOpen {
      // Nothing is read while there is something to say.
      buffer = [UInt8](repeating: 0, count: outgoing.isEmpty ? dialogue.wanted : 0)
      let progress: (sent: Int, received: Int)
      do throws(TransportError) {
        progress = try stream.exchange(sending: outgoing, into: &buffer, deadline: deadline)
      } catch .closed {
        throw .proxy(proxy, .closed)
      }
      outgoing = outgoing.dropFirst(progress.sent)
      let came = buffer[..<progress.received]
      try refusing { () throws(ProxyRefusal) in try dialogue.receive(came) }
      outgoing += dialogue.takeOutgoing()
    }
  }

  /// An error on the way to the proxy, which the server has no part in.
  func unreachable(_ error: TransportError, seconds: Double) -> TransportError {
    switch error {
    case .proxy, .interrupted: error
    case .timedOut(.exchange):
      .proxyUnreachable(
        TransportError.timedOut(.proxy).located(proxy.host, proxy.port, seconds: seconds)
      )
    default: .proxyUnreachable(error.located(proxy.host, proxy.port, seconds: seconds))
    }
  }

  private func refusing<Value>(
    _ body: () throws(ProxyRefusal) -> Value
  ) throws(TransportError) -> Value {
    do throws(ProxyRefusal) {
      return try body()
    } catch {
      throw .proxy(proxy, error)
    }
  }

  private var target: ProxyTarget {
    let name = InternationalDomain.asciiForm(Array(host.utf8)) ?? Array(host.utf8)
    return ProxyTarget(name: name, port: port, address: address)
  }

  /// The octets of a literal; nil for a name.
  private var address: [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var octets = [UInt8](repeating: 0, count: count)
      if inet_pton(family, host, &octets) == 1 { return octets }
    }
    return nil
  }
}
