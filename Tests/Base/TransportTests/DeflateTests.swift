import Hashing
import Platform
import TestSupport
import Testing
import Transport

/// A stream that is compressed in both directions.
@Suite struct DeflateTests {
  /// Lines that zlib of Python compressed, up to a flush.
  private static let lines = [UInt8](
    [210, 82, 240, 247, 86, 200, 72, 205, 201, 201, 231, 229, 210, 194, 193, 6, 0, 0, 0, 255, 255]
  )
  private static let text = [UInt8](String(repeating: "* OK hello\r\n", count: 3).utf8)

  /// What an echo sends back is what was sent, as compressed octets.
  @Test(arguments: [1, 7, 4096, 65_536])
  func arrivesAsItIs(bufferSize: Int) throws {
    let peer = try Peer.echo()
    let stream = try ByteStream.loopback(peer.port)
    try stream.compress(received: [])
    let line = Array("The quick brown fox jumps over the lazy dog\r\n".utf8)
    let octets = (0..<200).flatMap { _ in line } + Hashes.random(20_000)
    let answer = try stream.converse(
      sending: octets,
      receiving: octets.count,
      bufferSize: bufferSize
    )
    #expect(answer == octets)
  }

  @Test func aPeerThatDoesNotReadBeforeItHasWritten() throws {
    let stream = try ByteStream.loopback(try Peer.echo().port)
    try stream.compress(received: [])
    let portion = Hashes.random(1 << 20)
    let octets = (0..<8).flatMap { _ in portion }
    #expect(try stream.converse(sending: octets, receiving: octets.count) == octets)
  }

  @Test func overTLS() throws {
    let peer = try TLSPeer()
    let stream = try ByteStream.secured(peer.port)
    try stream.compress(received: Self.lines[...])
    #expect(stream.isEncrypted)
    #expect(try stream.converse(receiving: Self.text.count) == Self.text)
  }

  /// Cut anywhere between what came behind the server's leave and what came later.
  @Test(arguments: 0...lines.count)
  func whatCameBefore(cut: Int) throws {
    let later = Array(Self.lines[cut...])
    let peer = try Peer { connection in Loopback.send(later, to: connection) }
    let stream = try ByteStream.loopback(peer.port)
    try stream.compress(received: Self.lines[..<cut])
    let (octets, end) = stream.receiveAll()
    #expect(octets == Self.text && end == .closed)
  }

  @Test(arguments: [([0x07], []), ([0xFF, 0xFF], []), (lines + [0x07], text)])
  func damage(octets: [UInt8], before: [UInt8]) throws {
    let peer = try Peer { connection in Loopback.send(octets, to: connection) }
    let stream = try ByteStream.loopback(peer.port)
    try stream.compress(received: [])
    let (found, end) = stream.receiveAll()
    #expect(found == before && end == .damagedCompression)
  }

  /// A peer that says why it goes, and takes nothing more, is heard to its end.
  @Test func lastWordsBehindASendThatFails() throws {
    let words = Self.lines.map { "\\" + String($0, radix: 8) }.joined()
    let stream = try ByteStream.tunnel(.arguments(["printf", words]), interruption: nil)
    try stream.compress(received: [])
    var none: [UInt8] = []
    #expect(throws: TransportError.closed) {
      while true {
        _ = try stream.exchange(sending: [1], into: &none, deadline: .after(seconds: 10))
      }
    }
    #expect(stream.receiveAll().octets == Self.text)
  }

  /// What ends the compressed stream ends the connection.
  @Test func itsEnd() throws {
    let end = Self.lines + [75, 170, 76, 229, 229, 2, 0]
    let peer = try Peer { connection in
      Loopback.send(end, to: connection)
      Loopback.send([1, 2, 3], to: connection)
    }
    let stream = try ByteStream.loopback(peer.port)
    try stream.compress(received: [])
    let (octets, how) = stream.receiveAll()
    #expect(octets == Self.text + Array("bye\r\n".utf8) && how == .closed)
  }
}
