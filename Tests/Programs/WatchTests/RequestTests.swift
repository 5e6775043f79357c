import MailModel
import Syncing
import Terminal
import Testing

@testable import Watch

/// What programs ask of a watch, and what it answers.
@Suite struct RequestTests {
  private static let requests = [
    WatchRequest(configuration: 0, form: .json, isAttended: true),
    WatchRequest(configuration: .max, form: .text(.quiet), isAttended: false),
    WatchRequest(configuration: 0xAB, form: .text(.normal), isAttended: true, isNamed: true),
    WatchRequest(configuration: 1, form: .text(.normal), isAttended: true, terminal: .plain),
    WatchRequest(
      configuration: 1 << 40,
      form: .text(.verbose),
      isAttended: false,
      terminal: .colours
    ),
  ]

  @Test(arguments: requests)
  func whatIsWrittenIsRead(_ request: WatchRequest) {
    #expect(request.line.last == 10 && request.line.count < WatchRequest.limit)
    #expect(WatchRequest(request.line.dropLast()) == request)
  }

  @Test(arguments: [
    "", "sync", "sync 2 0 json attended named", "sync 1 0 json attended named none",
    "sync 3 0 json attended named none",
    "sync 2 0 json attended named none more", "sync 2  json attended named none",
    "sync 2 g json attended named none", "sync 2 0 xml attended named none",
    "sync 2 0 json maybe named none", "sync 2 0 json attended maybe none",
    "sync 2 0 json attended named xterm", "flush 1 0 json attended named none",
    "sync 2 10000000000000000 json attended named none", " sync 2 0 json attended named none",
    "\u{0}\u{FF}",
  ])
  func whatIsNoRequest(_ line: String) {
    #expect(WatchRequest(Array(line.utf8)[...]) == nil)
  }

  private static let answers: [WatchAnswer] =
    [
      .working, .output([]), .output(Array("a\nworking\n".utf8)), .errors([0, 10, 255]), .working,
      .declined, .again, .done(.success), .done(.tryAgain), .done(.configuration),
    ] + progress.map { .progress($0) }

  private static let progress = [
    ProgressState(account: ""), ProgressState(account: "", phase: .folders, messagesDone: 7),
    ProgressState(account: "", phase: .other("indexing"), messagesDone: 1, messagesTotal: 20),
    ProgressState(
      account: "",
      phase: .bodies,
      mailbox: Array("Lists/ä\n3".utf8),
      messagesDone: 12,
      messagesTotal: 120,
      bytesDone: .max,
      bytesPerSecond: 1e6,
      secondsLeft: 0
    ),
  ]

  @Test func everySplitIsReadAlike() throws {
    let octets = Self.answers.flatMap(\.octets)
    for cut in 0...octets.count {
      var reader = WatchAnswerReader()
      let first = try reader.readAnswers(Array(octets[..<cut]))
      let second = try reader.readAnswers(Array(octets[cut...]))
      #expect(first + second == Self.answers, "cut at \(cut)")
    }
  }

  @Test(arguments: [
    "progress bodies 1 2 3 4 5\n", "progress bodies 1 2 3 4 5 -1\n",
    "progress bodies x 2 3 4 5 0\n", "progress what 1 2 3 4 5 0\n",
    "progress bodies 1 2 -3 4 5 0\n", "progress bodies 1 x 3 4 5 0\n",
    "what\n", "done\n", "done x\n", "done 3\n", "done 0 0\n", "output\n", "output -1\n",
    "output 99999999999\n", "errors x\n", "\n", "working 1\n",
    String(repeating: "a line without an end ", count: 20),
  ])
  func whatIsNoAnswer(_ text: String) {
    #expect(throws: WatchAnswerReader.Malformed.self) {
      var reader = WatchAnswerReader()
      _ = try reader.readAnswers(Array(text.utf8))
    }
  }
}
