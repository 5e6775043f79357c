import Discovery
import Login
import Platform
import Synchronization
import TestSupport
import Testing

/// Questions are asked side by side, and none is waited for that cannot matter.
@Suite struct ServerSearchTests {
  private static let file = Array(
    """
    <clientConfig version="1.1"><emailProvider id="x"><incomingServer type="imap"><hostname>imap.x.test</hostname>
    <port>993</port><socketType>SSL</socketType></incomingServer></emailProvider></clientConfig>
    """.utf8
  )

  private static func settings(
    of address: String = "me@x.test",
    timeLimit: Double = 60,
    ask: @escaping ServerSearch.Asker
  ) throws -> FoundSettings {
    try ServerSearch(registeredDomain: { _ in nil }, ask: ask)
      .settings(of: ServerSearch.address(address), timeLimit: timeLimit)
  }

  /// Waits until the search has given the question up.
  private static func waitForEnd(_ end: Interruption) -> DiscoveryAnswer {
    _ = Stopwatch.wait(upTo: 60) { end.isRequested }
    return .unreachable
  }

  @Test func nobodyIsAskedAboutAKnownProvider() throws {
    let found = try Self.settings(of: "me@gmail.com") { question, _ in
      Issue.record("\(question)")
      return .unreachable
    }
    #expect(found.provider == .google)
  }

  @Test func weakerSourcesAreNotWaitedFor() throws {
    let found = try Self.settings { question, end in
      switch question.source {
      case .autoconfig: .document(status: 200, Self.file)
      case .provider, .pacc: .noServer
      case .wellKnown, .database, .mailProvider, .mailAutoconfig, .mailDatabase, .namedFile,
        .serviceRecords, .guess:
        Self.waitForEnd(end)
      }
    }
    #expect(found.source == .autoconfig && found.imap.host == "imap.x.test")
  }

  /// What a stronger source might have said is not waited for beyond the limit.
  @Test func theTimeIsLimited() throws {
    let found = try Self.settings(timeLimit: 0.2) { question, end in
      question.source == .database
        ? .document(status: 200, Self.file) : Self.waitForEnd(end)
    }
    #expect(found.source == .database)
    #expect(throws: DiscoverySearch.Failure.unreachable) {
      try Self.settings(timeLimit: 0.1) { _, end in Self.waitForEnd(end) }
    }
  }

  @Test func answersMayLeadToQuestions() throws {
    let asked = Mutex<[DiscoverySource]>([])
    let search = ServerSearch(registeredDomain: { _ in "hoster.test" }) { question, _ in
      asked.withLock { $0.append(question.source) }
      switch (question.source, question.matter) {
      case (.mailProvider, _):
        return .records([.mx(preference: 1, host: Array("mx.hoster.test".utf8))])
      case (.mailDatabase, _): return .document(status: 200, Self.file)
      case (_, .records): return .records([])
      case (_, .document): return .noServer
      }
    }
    let address = try ServerSearch.address("me@x.test")
    // The domain's own registered domain is told to be the same, so that nothing more is asked.
    #expect(throws: DiscoverySearch.Failure.unknown) { try search.settings(of: address) }
    #expect(asked.withLock { $0.count } == 11)
  }

  /// An international domain is asked about in the form that servers know.
  @Test(
    .enabled("libidn2 is not installed") {
      InternationalDomain.asciiForm(Array("bücher.test".utf8)) != nil
    }
  )
  func internationalDomains() throws {
    let asked = Mutex<[String]>([])
    _ = try? Self.settings(of: "me@bücher.test") { question, _ in
      if case .records(let name, .mx) = question.matter { asked.withLock { $0.append(name) } }
      return .noServer
    }
    #expect(asked.withLock { $0 } == ["xn--bcher-kva.test"])
  }

  /// The rules of the system.
  @Test(.enabled("libpsl is not installed") { DomainNames.registered("mx.example.com") != nil })
  func registeredDomains() {
    #expect(DomainNames.registered("mx.a.example.co.uk") == "example.co.uk")
    #expect(DomainNames.registered("co.uk") == nil)
    #expect(DomainNames.registered("mx.example.com") == "example.com")
  }
}
