internal import COpenSSL
internal import Glibc
internal import Platform

/// TLS over a socket.
final class TLSChannel: Channel {
  private let context: TLSContext
  private let ssl: OpaquePointer

  /// How the stream ended, kept because OpenSSL tells it once.
  private var end: ChannelResult?

  init(socket: Int32, policy: TLSPolicy) throws(TransportError) {
    context = try TLSContext(policy)
    ssl = try context.connection(over: socket)
  }

  deinit {
    SSL_free(ssl)
  }

  /// The version agreed on, such as `TLSv1.3`.
  var version: String { String(cString: SSL_get_version(ssl)) }

  /// What the server showed.
  var certificate: PeerCertificate? { context.check.presented }

  /// What mechanisms can be bound to, best first.
  var bindings: [TLSBinding] { TLSBinding.all(of: ssl) }

  /// Goes on with the handshake; `nil` once it is complete.
  func handshake() -> ChannelResult? {
    OpenSSLErrors.clear()
    let result = SSL_do_handshake(ssl)
    guard result != 1 else { return nil }
    if let failure = context.check.failure { return .failed(.tls(failure)) }
    return progress(after: result)
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult {
    if let end { return end }
    var count = 0
    // One call gives one record of at most 16 KiB; more may be there already.
    while count < buffer.count {
      OpenSSLErrors.clear()
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let result = SSL_read(ssl, rest.baseAddress, Int32(clamping: rest.count))
      guard result > 0 else {
        let progress = recordResult(progress(after: result))
        return count > 0 ? .moved(count) : progress
      }
      count += Int(result)
    }
    return .moved(count)
  }

  func send(_ octets: UnsafeRawBufferPointer) -> ChannelResult {
    var count = 0
    while count < octets.count {
      OpenSSLErrors.clear()
      let rest = UnsafeRawBufferPointer(rebasing: octets[count...])
      let result = SSL_write(ssl, rest.baseAddress, Int32(clamping: rest.count))
      // Not noted: the peer's last words may still be there to read.
      guard result > 0 else { return count > 0 ? .moved(count) : progress(after: result) }
      count += Int(result)
    }
    return .moved(count)
  }

  func finish() {
    guard end == nil, SSL_is_init_finished(ssl) == 1 else { return }
    OpenSSLErrors.clear()
    SSL_shutdown(ssl)
    OpenSSLErrors.clear()
  }

  private func recordResult(_ progress: ChannelResult) -> ChannelResult {
    if case .waits = progress { return progress }
    end = progress
    return progress
  }

  /// What a result of OpenSSL means; asked right after the call, since errno belongs to it.
  private func progress(after result: Int32) -> ChannelResult {
    let code = errno
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return .waits(for: Int16(POLLIN))
    case SSL_ERROR_WANT_WRITE: return .waits(for: Int16(POLLOUT))
    case SSL_ERROR_ZERO_RETURN: return .closed
    case SSL_ERROR_SYSCALL where code == 0 || TransportError.isEnd(code): return .closed
    case SSL_ERROR_SYSCALL:
      return .failed(.system(SystemError(operation: "recv", path: nil, code: code)))
    default:
      guard let failure = OpenSSLErrors.handshakeFailure() else { return .closed }
      return .failed(.tls(failure))
    }
  }
}
