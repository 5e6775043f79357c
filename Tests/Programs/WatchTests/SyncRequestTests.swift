import Configuration
import MailModel
import MailStore
import Platform
import SyncEngine
import Syncing
import Terminal
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

  private func request(
    _ terminal: WatchRequest.Terminal = .none,
    form: ReportForm = .text(.normal)
  ) throws -> SyncRequest {
    let asked = WatchRequest(
      configuration: 0,
      form: form,
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
    gone.first?.reporter.reportEvent(SyncEvent(account: "test", kind: .step("to none")))
  }

  @Test("a terminal is told what it is told without a watch, and anything else is not")
  func terminals() throws {
    for (terminal, isTold) in [
      (WatchRequest.Terminal.none, false), (.plain, true), (.colours, true),
    ] {
      let request = try request(terminal)
      request.reporter.reportEvent(
        SyncEvent(account: "test", kind: .finished(AccountReport(account: "test")))
      )
      request.finish(.success, isWhole: true)
      let answers = request.answers(.now)
      #expect(answers.last == .done(.success) && answers.count == (isTold ? 2 : 1))
      var text: [UInt8] = []
      if case .output(let octets) = answers.first { text = octets }
      #expect(String(decoding: text, as: UTF8.self).contains("nothing new") == isTold)
    }
  }

  private func event(_ kind: SyncEvent.Kind) -> SyncEvent {
    SyncEvent(account: "test", kind: kind)
  }

  @Test("what happens is told as it happens, what it came to once that is known")
  func inPieces() throws {
    let request = try request(form: .text(.verbose))
    #expect(request.answers(.now) == [.working])
    for words in ["one", "two"] {
      request.reporter.reportEvent(event(.step(words)))
      #expect(request.answers(.now) == [.errors(Array("test: \(words)\n".utf8))])
    }
    request.reporter.reportEvent(event(.finished(AccountReport(account: "test"))))
    #expect(request.answers(.now) == [.working])
    request.finish(.tryAgain, isWhole: true)
    let answers = request.answers(.now)
    guard case .output(let text) = answers.first else {
      Issue.record("\(answers)")
      return
    }
    #expect(String(decoding: text, as: UTF8.self).contains("nothing new"))
    #expect(answers.dropFirst() == [.done(.tryAgain)])
  }

  @Test("of a sync that is not the program's nothing more is told", arguments: [true, false])
  func ofAnother(_ isGivenBack: Bool) throws {
    let request = try request(form: .json)
    request.reporter.reportEvent(event(.started))
    #expect(request.answers(.now).count == 1)
    request.reporter.reportEvent(event(.step("more")))
    request.reporter.reportEvent(event(.finished(AccountReport(account: "test"))))
    if isGivenBack { request.giveBack() } else { request.decline() }
    #expect(request.answers(.now) == [isGivenBack ? .again : .declined])
  }

  @Test("a terminal is told how far the sync is, the latest alone")
  func progress() throws {
    for terminal in [WatchRequest.Terminal.none, .plain] {
      let request = try request(terminal)
      request.reporter.reportEvent(event(.state(.folders)))
      request.reporter.reportEvent(event(.state(.bodies)))
      request.reporter.indexing("test", 3, of: 20)
      let answers = request.answers(.now)
      guard terminal == .plain else {
        #expect(answers == [])
        continue
      }
      let expected = ProgressState(
        account: "test",
        phase: .other("indexing"),
        messagesDone: 3,
        messagesTotal: 20
      )
      #expect(answers == [.progress(expected)])
      #expect(request.answers(.now) == [.working])
    }
  }

  @Test("what is too long is cut behind a line, which is said")
  func limits() throws {
    let request = try request()
    let line = String(repeating: "x", count: 3000)
    for _ in 0..<6000 {
      request.reporter.reportEvent(SyncEvent(account: "test", kind: .trace(line)))
    }
    request.finish(.success, isWhole: true)
    guard case .errors(let text) = request.answers(.now).first else {
      Issue.record("no messages")
      return
    }
    #expect(text.count < WatchAnswer.limit && text.count > WatchAnswer.limit / 2)
    #expect(text.last == 10)
    let end = String(decoding: text.suffix(200), as: UTF8.self)
    #expect(end.contains("the rest is left out"))
  }
}
