internal import CPlatform
internal import Glibc
package import Platform
package import Proxies

/// Octets to and from a server: over TCP or through a command, plain at first, over TLS if wished.
///
/// Every wait ends at its deadline and at the interruption given at the start. A stream belongs to
/// one thread at a time. It closes itself when its owner lets go of it.
package final class ByteStream {
  private var socket: Int32
  private let interruption: Interruption?

  /// Whether `exchange` ends at the interruption; not where what is under way must not be cut.
  package var heedsInterruption = true

  private var channel: any Channel
  private(set) var tls: TLSChannel?

  /// The command in place of a connection; `nil` for TCP, and once its end was seen.
  private var command: TunnelCommand?

  /// Takes over a non-blocking socket and perhaps the command at its other end.
  init(socket: Int32, command: TunnelCommand? = nil, interruption: Interruption?) {
    // OpenSSL writes to the socket without MSG_NOSIGNAL.
    Signals.ignoreBrokenPipe()
    self.socket = socket
    self.command = command
    self.interruption = interruption
    channel = PlainChannel(socket: socket)
  }

  deinit {
    close()
  }

  /// Loads what encrypts connections while other things are done: it is waited for when a connection needs it.
  package static func prepareTLS() {
    OpenSSL.prepare()
  }

  /// Connects to a server over TCP.
  ///
  /// The addresses of the name are tried in order, each with its share of the time.
  ///
  /// - Parameters:
  ///   - host: a name, or an IPv4 or IPv6 literal without brackets.
  ///   - port: the TCP port.
  ///   - deadline: for the look-up of the name and all addresses together.
  ///   - proxy: what makes the connection, and who asks it; `nil` for this machine.
  ///   - interruption: ends every wait of the stream when requested; `nil` for none.
  /// - Returns: a stream without encryption.
  /// - Throws: ``TransportError/nameNotFound(host:detail:isTemporary:)``,
  ///   ``TransportError/connect(host:port:attempts:)``, ``TransportError/timedOut(_:)``,
  ///   ``TransportError/interrupted``, ``TransportError/system(_:)``.
  package static func connect(
    host: String,
    port: UInt16,
    deadline: Deadline,
    proxy: (address: ProxyAddress, login: ProxyLogin?)? = nil,
    interruption: Interruption?
  ) throws(TransportError) -> ByteStream {
    try PendingStream(host: host, port: port, proxy: proxy?.address, interruption: interruption)
      .finish(by: deadline, login: proxy?.login)
  }

  /// Starts a command whose standard input and output stand for the connection.
  ///
  /// - Parameters:
  ///   - command: what to run; its standard error is ours where that is a terminal.
  ///   - interruption: ends every wait of the stream when requested; `nil` for none.
  /// - Returns: a stream without encryption.
  /// - Throws: ``TransportError/tunnel(_:)`` when the command cannot be started.
  package static func tunnel(
    _ command: ChildProcess.Command,
    interruption: Interruption?
  ) throws(TransportError) -> ByteStream {
    do throws(SystemError) {
      let tunnel = try ChildProcess.openTunnel(command)
      let command = TunnelCommand(tunnel)
      let socket = tunnel.releaseSocket()
      _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
      return ByteStream(socket: socket, command: command, interruption: interruption)
    } catch {
      throw .tunnel(.start(error))
    }
  }

  /// Whether the octets go over TLS.
  package var isEncrypted: Bool { tls != nil }

  /// What a log-in can be bound to, best first; empty without TLS.
  package var bindings: [TLSBinding] { tls?.bindings ?? [] }

  /// The server's certificate; `nil` without TLS.
  package var certificate: PeerCertificate? { tls?.certificate }

  /// Agrees on TLS 1.2 or later with the server and checks its certificate.
  ///
  /// Nothing of the application goes over the wire before the certificate was accepted. After an
  /// error the stream is of no use but to be closed: there is no way back to plain text.
  ///
  /// - Parameters:
  ///   - policy: whom to accept.
  ///   - deadline: for the whole handshake.
  /// - Throws: ``TransportError/tls(_:)`` with the reason, ``TransportError/closedInHandshake``,
  ///   ``TransportError/timedOut(_:)``, ``TransportError/interrupted``.
  package func startTLS(_ policy: TLSPolicy, deadline: Deadline) throws(TransportError) {
    precondition(tls == nil, "TLS is on already")
    let timeout = IOTimeout(deadline: deadline, interruption: interruption, phase: .handshake)
    let tls = try TLSChannel(socket: socket, policy: policy)
    while let progress = tls.handshake() {
      switch progress {
      case .waits(let events): try timeout.wait(for: events, on: socket)
      case .failed(let error): throw error
      case .closed, .moved: throw command == nil ? .closedInHandshake : end()
      }
    }
    self.tls = tls
    channel = tls
  }

  /// Whether octets can be compressed: zlib is there, which is loaded by this.
  package static var canCompress: Bool { magnum_has_deflate() }

  /// Compresses what is sent from now on, and expands what comes (RFC 4978).
  ///
  /// `received` came behind the server's leave, and is compressed already.
  ///
  /// - Throws: ``TransportError/system(_:)`` without memory or zlib.
  package func compress(received: ArraySlice<UInt8>) throws(TransportError) {
    guard let compressed = DeflateChannel(channel, received: received) else {
      throw .system(SystemError(operation: "deflate", path: nil, code: ENOMEM))
    }
    channel = compressed
  }

  /// Sends and receives, whatever is possible first.
  ///
  /// Waits until at least one octet has moved, in whichever direction. So a peer that does not read
  /// before it has written never stops us, nor we it. Octets received before the end of the stream
  /// are all delivered before ``TransportError/closed`` is thrown.
  ///
  /// - Parameters:
  ///   - octets: what to send; may be empty. Octets that were not sent come first in the next call
  ///     that sends anything (a TLS record may be under way with them).
  ///   - buffer: where to put what is received, filled as far as octets are there; empty to receive
  ///     nothing. At least 64 KiB make it fast.
  ///   - deadline: when to give up.
  /// - Returns: how many octets were sent, and how many were received; not both 0 unless both
  ///   `octets` and `buffer` are empty.
  /// - Throws: ``TransportError/closed``, ``TransportError/timedOut(_:)``,
  ///   ``TransportError/interrupted``, ``TransportError/tunnel(_:)``, ``TransportError/tls(_:)``,
  ///   ``TransportError/system(_:)``. Nothing has moved then.
  package func exchange(
    sending octets: ArraySlice<UInt8>,
    into buffer: UnsafeMutableRawBufferPointer,
    deadline: Deadline
  ) throws(TransportError) -> (sent: Int, received: Int) {
    guard !(octets.isEmpty && buffer.isEmpty) else { return (0, 0) }
    guard socket >= 0 else { throw .closed }
    let timeout = IOTimeout(
      deadline: deadline,
      interruption: heedsInterruption ? interruption : nil,
      phase: .exchange
    )
    try timeout.checkInterruption()
    while true {
      let sending = octets.isEmpty ? nil : octets.withUnsafeBytes { channel.send($0) }
      let receiving = buffer.isEmpty ? nil : channel.receive(into: buffer)
      let moved = (sent: sending?.count ?? 0, received: receiving?.count ?? 0)
      guard moved.sent == 0, moved.received == 0 else {
        Heartbeat.give()
        return moved
      }
      let events = try awaited(sending) | awaited(receiving)
      try timeout.wait(for: events, on: socket)
    }
  }

  /// As the other `exchange`, into an array that keeps its length.
  package func exchange(
    sending octets: ArraySlice<UInt8>,
    into buffer: inout [UInt8],
    deadline: Deadline
  ) throws(TransportError) -> (sent: Int, received: Int) {
    let result = buffer.withUnsafeMutableBytes { bytes in
      Result { () throws(TransportError) in
        try exchange(sending: octets, into: bytes, deadline: deadline)
      }
    }
    return try result.get()
  }

  /// Receives what comes first: octets, or a wake-up.
  ///
  /// - Parameters:
  ///   - buffer: where to put what is received; it keeps its length, and is not empty.
  ///   - waker: ends the wait.
  ///   - deadline: when to give up.
  /// - Returns: how many octets were received; nil where the wake-up came first.
  /// - Throws: as `exchange`.
  package func receive(
    into buffer: inout [UInt8],
    unless waker: Waker,
    deadline: Deadline
  ) throws(TransportError) -> Int? {
    guard socket >= 0 else { throw .closed }
    let timeout = IOTimeout(deadline: deadline, interruption: interruption, phase: .exchange)
    while true {
      try timeout.checkInterruption()
      let progress = buffer.withUnsafeMutableBytes { channel.receive(into: $0) }
      if progress.count > 0 { return progress.count }
      guard try timeout.wait(for: try awaited(progress), on: socket, unless: waker) else {
        return nil
      }
    }
  }

  /// Closes the stream; calling it again does nothing.
  ///
  /// Over TLS the peer is told (close_notify). A tunnel's command gets two seconds to end by itself,
  /// then SIGTERM, and SIGKILL a second later.
  package func close() {
    guard socket >= 0 else { return }
    channel.finish()
    _ = Glibc.close(socket)
    socket = -1
    _ = command.take()?.end(grace: 2)
  }

  /// The events that an attempt waits for.
  private func awaited(_ progress: ChannelResult?) throws(TransportError) -> Int16 {
    switch progress {
    case .closed: throw end()
    case .failed(let error): throw error
    case .waits, .moved, nil: return progress?.events ?? 0
    }
  }

  /// Why the stream ended: a tunnel's command that failed says more than its silence.
  private func end() -> TransportError {
    guard let command = command.take() else { return .closed }
    let status = command.end(grace: 1)
    return status == .exited(0) ? .closed : .tunnel(.ended(status, command.lastLine))
  }
}

/// The command at the other end of a stream.
struct TunnelCommand {
  private let process: Int32
  private let isApart: Bool
  private let errors: ErrorLines?

  init(_ tunnel: borrowing ChildProcess.Tunnel) {
    (process, isApart, errors) = (tunnel.process, tunnel.isApart, tunnel.errors)
  }

  /// The last line that it wrote to standard error; nil for none, and where that is a terminal.
  var lastLine: [UInt8]? { errors?.last(waiting: 0.5) }

  /// Waits for its end, and hastens that after so many seconds; ends what it leaves behind.
  func end(grace: Double) -> ChildProcess.Status {
    let status = ChildProcess.end(process, grace: grace)
    if isApart { ChildProcess.endRest(ofGroup: process) }
    return status
  }
}
