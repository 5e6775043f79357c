import Glibc
import Platform
import TestSupport
import Testing

@testable import Transport

@Suite("looking up names")
struct LookupTests {
  /// Codes of getaddrinfo, and the error.
  private static let failures: [(Int32, String)] = [
    (EAI_NONAME, "name not found"),
    (Resolution.noData, "name not found"),
    (EAI_AGAIN, "name not found for now"),
    (EAI_FAIL, "name not found for now"),
    (EAI_SYSTEM, "getaddrinfo: Too many open files"),
  ]

  @Test("failures of the resolver", arguments: failures)
  func failure(_ code: Int32, _ text: String) {
    let error = #expect(throws: TransportError.self) {
      try Resolution.failed(code: code, errno: EMFILE).addresses(of: "mail.example.org")
    }
    #expect(error.map(Facts.text) == text)
  }

  @Test("the error names the host and the reason")
  func detail() {
    let error = TransportError.nameNotFound(
      host: "mail.example.org",
      detail: "Temporary failure in name resolution",
      isTemporary: true
    )
    #expect(throws: error) {
      try Resolution.failed(code: EAI_AGAIN, errno: 0).addresses(of: "mail.example.org")
    }
  }

  @Test("names that cannot be", arguments: ["", "mail\0.example.org"])
  func impossible(_ host: String) {
    let error = #expect(throws: TransportError.self) {
      try ByteStream.connect(
        host: host,
        port: 993,
        deadline: .after(seconds: Peer.timeout),
        interruption: nil
      )
    }
    #expect(error.map(Facts.text) == "name not found")
  }

  @Test(
    "no resolver is asked for localhost",
    arguments: ["localhost", "LocalHost.", "a.localhost"]
  )
  func localhost(_ host: String) throws {
    guard case .found(let found) = try Lookup.begin(host: host, port: 993) else {
      Issue.record("a resolver was asked")
      return
    }
    let loopback = ["127.0.0.1", "::1"].map {
      Resolution.ofSystem(host: $0, port: 993, flags: AI_NUMERICHOST)
    }
    #expect(loopback == found.map { .addresses([$0]) })
  }

  @Test(
    "names that only look like it",
    arguments: ["localhost.example.org", "xlocalhost", "", "."]
  )
  func notLocalhost(_ host: String) {
    #expect(!Lookup.isLoopback(host))
  }

  @Test("a resolver that does not answer is left behind at the deadline")
  func deadline() {
    let start = Stopwatch.now()
    #expect(throws: TransportError.timedOut(.resolve)) {
      try silentLookup().finish(timeout(seconds: 0.3, nil))
    }
    #expect((0.29..<2).contains(Stopwatch.now() - start))
  }

  @Test("a resolver that does not answer is left behind at the interruption")
  func interruption() {
    let interruption = Interruption()
    _ = Background {
      Stopwatch.sleep(0.2)
      interruption.request()
    }
    let start = Stopwatch.now()
    #expect(throws: TransportError.interrupted) {
      try silentLookup().finish(timeout(seconds: 60, interruption))
    }
    #expect(Stopwatch.now() - start < 2)
  }

  @Test("an answer that takes its time")
  func lateAnswer() throws {
    let lookup = try Lookup {
      Stopwatch.sleep(0.2)
      return .failed(code: EAI_NONAME, errno: 0)
    }
    let answer = try lookup.finish(timeout(seconds: Peer.timeout, nil))
    #expect(answer == .failed(code: EAI_NONAME, errno: 0))
  }

  private func silentLookup() throws(TransportError) -> Lookup {
    try Lookup {
      Stopwatch.sleep(3)
      return .failed(code: EAI_AGAIN, errno: 0)
    }
  }

  private func timeout(seconds: Double, _ interruption: Interruption?) -> IOTimeout {
    IOTimeout(deadline: .after(seconds: seconds), interruption: interruption, phase: .resolve)
  }
}
