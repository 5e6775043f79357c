import CommandLine
import Configuration
import MailStore
import Platform
import SyncEvents
import Syncing
import TestSupport
import Testing
import Transport

@testable import Watch

/// What becomes of the syncs that programs wait for.
@Suite struct SyncRequestTests {
  private let folder: TempDirectory

  init() throws { folder = try TempDirectory("requests") }

  private static let lost = SyncFailure.transport(.closed)

  @Test(
    arguments: [
      (nil, 0, true, false, .made(.success, isWhole: true)),
      (nil, 0, true, true, .made(.success, isWhole: true)),
      (lost, 0, true, false, .declined), (lost, 3, true, false, .made(.tryAgain, isWhole: false)),
      (lost, 0, false, false, .made(.tryAgain, isWhole: false)), (lost, 0, true, true, .givenBack),
      (.interrupted, 3, false, true, .givenBack), (.interrupted, 0, true, true, .givenBack),
      (.locked(Path("/x")), 0, true, false, .made(.tryAgain, isWhole: false)),
    ] as [(SyncFailure?, Int, Bool, Bool, RequestOutcome)]
  )
  func whatASyncMeans(
    _ failure: SyncFailure?,
    _ fetched: Int,
    _ hadConnection: Bool,
    _ isEnding: Bool,
    _ expected: RequestOutcome
  ) {
    var report = AccountReport(account: "test")
    report.total.fetched = fetched
    if let failure { report.outcome = .failed(failure) }
    let outcome = RequestOutcome(
      report,
      others: [],
      hadConnection: hadConnection,
      isEnding: isEnding
    )
    #expect(outcome == expected)
  }

  private func account() throws -> Account {
    try folder.writeConfiguration()
    let configuration = try Configuration.load(explicit: Path(folder["config.toml"]))
    return try #require(configuration.accounts.first)
  }

  private func request(_ terminal: WatchRequest.Terminal = .none) throws -> SyncRequest {
    let asked = WatchRequest(
      configuration: 0,
      form: .text(.normal),
      isAttended: true,
      terminal: terminal
    )
    return try SyncRequest(asked, account(), Path(folder.path))
  }

  @Test("programs that wait no more keep nothing open, whether their sync began or not")
  func abandoned() throws {
    let requests = SyncRequests()
    let gone = try (0..<40).map { _ in try request() }
    for request in gone.prefix(20) { requests.add(request) }
    requests.admit { _ in true }
    for request in gone { request.abandon() }
    for request in gone.suffix(20) { requests.add(request) }
    requests.admit { _ in true }
    #expect(requests.takeAll().isEmpty)
    gone.first?.reporter.take(SyncEvent(account: "test", kind: .step("to none")))
  }

  @Test("a terminal is told what it is told without a watch, and anything else is not")
  func terminals() throws {
    for (terminal, isTold) in [
      (WatchRequest.Terminal.none, false), (.plain, true), (.colours, true),
    ] {
      let request = try request(terminal)
      request.reporter.take(
        SyncEvent(account: "test", kind: .finished(AccountReport(account: "test")))
      )
      request.finish(.success, isWhole: true)
      let answers = request.answers(.now)
      #expect(answers.count == 3)
      guard case .output(let text) = answers.first else { continue }
      #expect(String(decoding: text, as: UTF8.self).contains("nothing new") == isTold)
    }
  }

  @Test("what is too long is cut behind a line, which is said")
  func limits() throws {
    let request = try request()
    let line = String(repeating: "x", count: 3000)
    for _ in 0..<6000 {
      request.reporter.take(SyncEvent(account: "test", kind: .trace(line)))
    }
    request.finish(.success, isWhole: true)
    guard case .errors(let text) = request.answers(.now).dropFirst().first else {
      Issue.record("no messages")
      return
    }
    #expect(text.count < WatchAnswer.limit && text.count > WatchAnswer.limit / 2)
    #expect(text.last == 10)
    let end = String(decoding: text.suffix(200), as: UTF8.self)
    #expect(end.contains("the rest is left out"))
  }
}
