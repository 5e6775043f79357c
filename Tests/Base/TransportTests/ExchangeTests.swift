import Glibc
import Hashing
import Platform
import Synchronization
import TestSupport
import Testing
import Transport

@Suite("exchange")
struct ExchangeTests {
  @Test("octets arrive as they are", arguments: [1, 7, 4096, 65_536])
  func echo(bufferSize: Int) throws {
    let peer = try Peer.echo()
    let stream = try ByteStream.loopback(peer.port)
    let octets = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let answer = try stream.converse(
      sending: octets,
      receiving: octets.count,
      bufferSize: bufferSize
    )
    #expect(answer == octets)
  }

  @Test("octets that move are signs of life of the work that they are for")
  func signs() throws {
    let peer = try Peer.echo()
    let stream = try ByteStream.loopback(peer.port)
    let sign = Heartbeat()
    let before = sign.last
    let answer = sign.watching {
      try? stream.converse(sending: [1, 2, 3], receiving: 3, bufferSize: 10)
    }
    #expect(answer == [1, 2, 3] && sign.last > before)
  }

  @Test("octets arrive as they are over TLS", arguments: [1, 7, 4096, 65_536])
  func echoOverTLS(bufferSize: Int) throws {
    let peer = try TLSPeer()
    let stream = try ByteStream.secured(peer.port)
    let line = Array("The quick brown fox jumps over the lazy dog".utf8)
    let octets = [[UInt8]](repeating: line + [10], count: 50).flatMap { $0 }
    let answer = try stream.converse(
      sending: octets,
      receiving: octets.count,
      bufferSize: bufferSize
    )
    #expect(answer == [[UInt8]](repeating: line.reversed() + [10], count: 50).flatMap { $0 })
  }

  @Test("a peer that writes everything before it reads does not stop us, nor we it")
  func bothWrite() throws {
    let size = 8 << 20
    let octets = Hashes.random(1 << 20)
    let peer = try Peer { connection in
      for _ in 0..<8 { Loopback.send(octets, to: connection) }
      var count = 0
      while count < size {
        guard let part = Loopback.receive(connection, seconds: Peer.timeout), !part.isEmpty else {
          return
        }
        count += part.count
      }
      Loopback.send([1], to: connection)
    }
    let stream = try ByteStream.loopback(peer.port)
    let sent = (0..<8).flatMap { _ in octets }
    let received = try stream.converse(sending: sent, receiving: size + 1)
    #expect(received == sent + [1])
  }

  @Test("neither over TLS, where the peer stops to read when its answers stay behind")
  func bothWriteOverTLS() throws {
    let peer = try TLSPeer()
    let stream = try ByteStream.secured(peer.port)
    let line = [UInt8](repeating: 65, count: 999) + [10]
    let octets = (0..<8192).flatMap { _ in line }
    #expect(try stream.converse(sending: octets, receiving: octets.count) == octets)
  }

  @Test("a large file over TLS", arguments: [["-tls1_3"], ["-tls1_2"]])
  func download(_ options: [String]) throws {
    let content = Hashes.random(1 << 20)
    let name = "large\(options[0])"
    try Files.write((0..<16).flatMap { _ in content }, to: Certificates.path(name), mode: 0o600)
    let peer = try TLSPeer("good", ["-HTTP"] + options)
    let stream = try ByteStream.secured(peer.port)
    let request = Array("GET /\(name) HTTP/1.0\r\n\r\n".utf8)
    let octets = try stream.converse(sending: request, receiving: 16 << 20)
    #expect(stream.receiveAll().end == .closed)
    #expect(octets.count == 16 << 20)
    #expect(octets.suffix(1 << 20) == content[...])
  }

  @Test("new keys in mid-stream (TLS 1.3)")
  func keyUpdate() throws {
    let peer = try TLSPeer("good", ["-tls1_3", "-state"], isTyping: true)
    let stream = try ByteStream.secured(peer.port)
    var buffer = [UInt8](repeating: 0, count: 64)
    for number in 1...3 {
      // Typed at s_server, "K" gives it new keys and asks us for new ones.
      try peer.type("K\n")
      #expect(throws: TransportError.timedOut(.exchange)) {
        try stream.step([], &buffer, .after(seconds: 0.3))
      }
      let line = "line \(number)\n"
      try peer.type(line)
      #expect(try stream.converse(receiving: line.utf8.count) == Array(line.utf8))
      _ = try stream.converse(sending: Array("answer \(number)\n".utf8), receiving: 0)
      #expect(Stopwatch.wait(upTo: Peer.timeout) { peer.output.contains("answer \(number)\n") })
    }
    #expect(peer.log.contains("write server key update"))
    #expect(peer.log.contains("read client key update"))
  }

  @Test("what came before the end is delivered, then the end again and again")
  func closed() throws {
    let peer = try Peer.saying("* BYE\r\n")
    let stream = try ByteStream.loopback(peer.port)
    let (octets, end) = stream.receiveAll()
    #expect(octets == Array("* BYE\r\n".utf8))
    #expect(end == .closed)
    #expect(stream.receiveAll().end == .closed)
  }

  @Test("a reset is an end")
  func reset() throws {
    let peer = try Peer { connection in
      _ = Loopback.receive(connection, seconds: Peer.timeout)
      Loopback.resetWhenClosed(connection)
    }
    let stream = try ByteStream.loopback(peer.port)
    _ = try stream.converse(sending: [1], receiving: 0)
    #expect(stream.receiveAll().end == .closed)
  }

  @Test("writing to a peer that is gone is an end, and no signal")
  func brokenPipe() throws {
    let peer = try Peer { _ in }
    let stream = try ByteStream.loopback(peer.port)
    peer.join()
    let octets = [UInt8](repeating: 0, count: 1 << 20)
    #expect(throws: TransportError.closed) {
      for _ in 0..<64 { _ = try stream.converse(sending: octets, receiving: 0) }
    }
  }

  @Test("what a peer said before it went is read even while writing fails")
  func lastWords() throws {
    // A Unix socket keeps what was sent when its peer closes, and fails each write at once.
    let stream = try ByteStream.tunnel(.shell("printf '* BYE'"), interruption: nil)
    Stopwatch.sleep(0.3)
    var buffer = [UInt8](repeating: 0, count: 64)
    let moved = try stream.step([1, 2, 3], &buffer, .after(seconds: Peer.timeout))
    #expect(buffer.prefix(moved.received) == Array("* BYE".utf8)[...])
    #expect(throws: TransportError.closed) {
      try stream.step([1, 2, 3], &buffer, .after(seconds: Peer.timeout))
    }
  }

  @Test("a TLS stream that is cut off without close_notify is an end")
  func truncated() throws {
    let peer = try TLSPeer()
    let stream = try ByteStream.secured(peer.port)
    #expect(try stream.converse(sending: Array("abc\n".utf8), receiving: 4).count == 4)
    peer.end()
    #expect(stream.receiveAll().end == .closed)
    #expect(stream.receiveAll().end == .closed)
  }

  @Test("damage on the way is no end but an error, and stays one")
  func damaged() throws {
    let server = try TLSPeer()
    let proxy = try DamagingProxy(to: server.port, after: 6000)
    let stream = try ByteStream.secured(proxy.port)
    let octets = (0..<200).flatMap { _ in [UInt8](repeating: 65, count: 99) + [10] }
    var error: TransportError?
    do throws(TransportError) {
      _ = try stream.converse(sending: octets, receiving: octets.count)
    } catch let caught {
      error = caught
    }
    guard case .tls(.handshake(let text)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text == "decryption failed or bad record mac")
    #expect(stream.receiveAll().end == error)
  }

  @Test("a deadline ends the wait", arguments: [0, 0.3])
  func stall(_ seconds: Double) throws {
    let peer = try Peer.silent()
    let stream = try ByteStream.loopback(peer.port)
    var buffer = [UInt8](repeating: 0, count: 16)
    let start = Stopwatch.now()
    #expect(throws: TransportError.timedOut(.exchange)) {
      try stream.step([], &buffer, .after(seconds: seconds))
    }
    #expect((max(0, seconds - 0.01)..<seconds + 5).contains(Stopwatch.now() - start))
  }

  @Test("a deadline in the past does not keep from what is possible at once")
  func pastDeadline() throws {
    let peer = try Peer.saying("hello")
    let stream = try ByteStream.loopback(peer.port)
    Stopwatch.sleep(0.3)
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(try stream.step([7], &buffer, .after(seconds: 0)) == (1, 5))
  }

  @Test("an interruption ends the wait, and all later ones")
  func interruption() throws {
    let peer = try Peer.silent()
    let interruption = Interruption()
    let stream = try ByteStream.loopback(peer.port, interruption: interruption)
    _ = Background {
      Stopwatch.sleep(0.2)
      interruption.request()
    }
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(throws: TransportError.interrupted) { try stream.step([], &buffer, .never) }
    #expect(throws: TransportError.interrupted) { try stream.step([1], &buffer, .never) }
  }

  @Test("nothing to do returns at once")
  func nothing() throws {
    let peer = try Peer.silent()
    let stream = try ByteStream.loopback(peer.port)
    var buffer: [UInt8] = []
    #expect(try stream.step([], &buffer, .never) == (0, 0))
  }

  @Test("a closed stream is closed")
  func afterClose() throws {
    let peer = try Peer.silent()
    let stream = try ByteStream.loopback(peer.port)
    stream.close()
    stream.close()
    peer.join()
    #expect(stream.receiveAll().end == .closed)
  }

  @Test("a stream that nobody holds any more is closed")
  func released() throws {
    let isClosed = Atomic(false)
    let peer = try Peer { connection in
      let octets = Loopback.receive(connection, seconds: Peer.timeout)
      isClosed.store(octets?.isEmpty == true, ordering: .relaxed)
    }
    _ = try ByteStream.loopback(peer.port)
    peer.join()
    let wasClosed = isClosed.load(ordering: .relaxed)
    #expect(wasClosed)
  }

  @Test("closing tells the TLS peer")
  func closeNotify() throws {
    let peer = try TLSPeer("good", ["-state"])
    let stream = try ByteStream.secured(peer.port)
    stream.close()
    #expect(
      Stopwatch.wait(upTo: Peer.timeout) { peer.log.contains("alert read:warning:close notify") }
    )
  }
}
