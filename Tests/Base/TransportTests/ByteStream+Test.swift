import Platform
import TestSupport
import Transport

extension ByteStream {
  /// Connects to a port of loopback.
  static func loopback(
    _ port: UInt16,
    interruption: Interruption? = nil
  ) throws(TransportError) -> ByteStream {
    try connect(
      host: "127.0.0.1",
      port: port,
      deadline: .after(seconds: Peer.timeout),
      interruption: interruption
    )
  }

  /// Connects to a TLS server on loopback and accepts its certificate.
  static func secured(
    _ port: UInt16,
    interruption: Interruption? = nil
  ) throws -> ByteStream {
    let stream = try loopback(port, interruption: interruption)
    let policy = try TLSPolicy(host: "localhost", trustFile: Path(Certificates.path("ca.pem")))
    try stream.startTLS(policy, deadline: .after(seconds: Peer.timeout))
    return stream
  }

  /// Sends everything while it receives, until so many octets have come.
  func converse(
    sending octets: [UInt8] = [],
    receiving count: Int,
    bufferSize: Int = 65_536
  ) throws(TransportError) -> [UInt8] {
    var rest = octets[...]
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: bufferSize)
    while !rest.isEmpty || received.count < count {
      let moved = try step(rest, &buffer, .after(seconds: Peer.timeout))
      rest = rest.dropFirst(moved.sent)
      received += buffer[..<moved.received]
    }
    return received
  }

  /// Receives until the stream ends; what came, and how it ended.
  func receiveAll() -> (octets: [UInt8], end: TransportError) {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      do throws(TransportError) {
        let moved = try step([], &buffer, .after(seconds: Peer.timeout))
        received += buffer[..<moved.received]
      } catch {
        return (received, error)
      }
    }
  }

  /// One call of exchange with an array for a buffer.
  func step(
    _ octets: ArraySlice<UInt8>,
    _ buffer: inout [UInt8],
    _ deadline: Deadline
  ) throws(TransportError) -> (sent: Int, received: Int) {
    try buffer.withUnsafeMutableBufferPointer { (bytes) throws(TransportError) in
      try exchange(
        sending: octets,
        into: UnsafeMutableRawBufferPointer(bytes),
        deadline: deadline
      )
    }
  }
}
