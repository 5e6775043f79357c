import Platform
import TestSupport
import Testing

@testable import Transport

@Suite("connections on their way")
struct PendingStreamTests {
  @Test("the server is reached before anyone waits for it", arguments: ["127.0.0.1", "localhost"])
  func reachesFirst(_ host: String) throws {
    let told = Monitor(false)
    let peer = try Peer { connection in
      told.update { $0 = true }
      Loopback.send("hello".utf8, to: connection)
    }
    let pending = PendingStream(host: host, port: peer.port, interruption: nil)
    #expect(told.wait(deadline: .after(seconds: Peer.timeout)) { $0 })
    let stream = try pending.finish(by: .after(seconds: Peer.timeout))
    #expect(try stream.converse(receiving: 5) == Array("hello".utf8))
    peer.join()
  }

  @Test("one that is let go is closed")
  func lettingGo() throws {
    let told = Monitor<[UInt8]?>(nil)
    let peer = try Peer { connection in
      let received = Loopback.receive(connection, seconds: Peer.timeout)
      told.update { $0 = received }
    }
    do {
      _ = PendingStream(host: "127.0.0.1", port: peer.port, interruption: nil)
    }
    peer.join()
    #expect(told.withLock { $0 } == [])
  }

  @Test("what fails at once is told when it is waited for, and only then")
  func failures() throws {
    let refused = PendingStream(
      host: "127.0.0.1",
      port: try Loopback.freePort(),
      interruption: nil
    )
    let error = #expect(throws: TransportError.self) { try refused.finish(by: .never) }
    #expect(error?.isRefused == true)
    let nameless = PendingStream(host: "", port: 993, interruption: nil)
    let failure = #expect(throws: TransportError.self) { try nameless.finish(by: .never) }
    #expect(failure.map(Facts.text) == "name not found")
    #expect(throws: TransportError.closed) { try nameless.finish(by: .never) }
  }

  @Test("an interruption is heeded, and the connection closed")
  func interruption() throws {
    let peer = try Peer.silent()
    let interruption = Interruption()
    do {
      let pending = PendingStream(host: "127.0.0.1", port: peer.port, interruption: interruption)
      interruption.request()
      #expect(throws: TransportError.interrupted) { try pending.finish(by: .never) }
    }
    peer.join()
    let late = PendingStream(host: "127.0.0.1", port: peer.port, interruption: interruption)
    #expect(throws: TransportError.interrupted) { try late.finish(by: .never) }
  }
}
