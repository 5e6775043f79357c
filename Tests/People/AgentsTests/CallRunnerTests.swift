import AgentPlan
import JSON
import Platform
import Testing

@testable import Agents

/// Calls that end, that are cancelled, and that take too long.
@Suite struct CallRunnerTests {
  /// Bodies of calls that go on until they may end.
  private final class Work: Sendable {
    private let mayEnd = Monitor(false)
    private let begun = Monitor(0)

    var count: Int { begun.withLock { $0 } }

    func end() { mayEnd.update { $0 = true } }

    /// What it comes to says whether the client still wants an answer.
    func body(_ call: RunningCall, isChanging: Bool = false) -> ToolOutcome? {
      if isChanging, !call.begin() { return nil }
      begun.update { $0 += 1 }
      mayEnd.wait { $0 }
      return .result(.boolean(call.isWanted))
    }

    func awaitBegin() { begun.wait { $0 > 0 } }
  }

  private static func text(_ outcome: ToolOutcome?) -> String {
    switch outcome {
    case nil: "none"
    case .failed(let failure)?: failure.code
    case .result(let value)?: String(decoding: value.text, as: UTF8.self)
    }
  }

  private static func run(
    _ runner: CallRunner,
    _ id: Int = 1,
    isEnding: Bool = false,
    _ body: @escaping @Sendable (RunningCall) -> ToolOutcome?
  ) -> String {
    runner.begin(.number("\(id)"))
    return text(runner.run(isEnding: { isEnding }, body))
  }

  @Test func whatEndsInTimeIsTheAnswer() {
    let runner = CallRunner(limit: 60)
    #expect(Self.run(runner) { .result(.boolean($0.isWanted)) } == "true")
    #expect(Self.run(runner) { _ in .failed(.limit) } == "limit")
    #expect(Self.run(runner) { _ in nil } == "none")
  }

  @Test func whatTakesTooLongIsLeftAlone() {
    let runner = CallRunner(limit: 0.001)
    let work = Work()
    for _ in 0..<CallRunner.strayLimit { #expect(Self.run(runner) { work.body($0) } == "again") }
    // As long as they run there is no other one.
    let last = Work()
    #expect(Self.run(runner) { last.body($0) } == "again")
    #expect(last.count == 0)
    // What ends is no longer counted, whenever that is.
    work.end()
    last.end()
    var outcome = "again"
    while outcome == "again" { outcome = Self.run(runner) { last.body($0, isChanging: true) } }
    #expect(outcome == "true" && last.count == 1)
  }

  @Test func aCallThatEndsWhileItIsLeftAloneIsCountedOnce() {
    let runner = CallRunner(limit: 0)
    for _ in 0..<200 {
      let outcome = Self.run(runner) { _ in .result(.null) }
      #expect(["again", "null"].contains(outcome))
    }
    var outcome = "again"
    while outcome == "again" {
      outcome = Self.run(runner) { $0.begin() ? .result(.null) : nil }
    }
    #expect(outcome == "null")
  }

  @Test func whatHasBegunToChangeSomethingIsFinished() {
    // Its time is over, and the program has to end, before it ends.
    let runner = CallRunner(limit: 0)
    let work = Work()
    var looks = 0
    runner.begin(.number("1"))
    let outcome = runner.run(isEnding: {
      work.awaitBegin()
      looks += 1
      if looks == 3 { work.end() }
      return true
    }) { work.body($0, isChanging: true) }
    #expect(Self.text(outcome) == "true" && looks >= 3)
  }

  /// The time that a call takes before it changes anything is limited, as that of any other.
  @Test func whatHasNotBegunByThenChangesNothing() {
    let mayBegin = Monitor(false)
    let hasBegun = Monitor<Bool?>(nil)
    let body: @Sendable (RunningCall) -> ToolOutcome? = { call in
      mayBegin.wait { $0 }
      let isBegun = call.begin()
      hasBegun.update { $0 = isBegun }
      return isBegun ? .result(.null) : nil
    }
    for isEnding in [false, true] {
      let runner = CallRunner(limit: isEnding ? 60 : 0.001)
      #expect(Self.run(runner, isEnding: isEnding, body) == (isEnding ? "none" : "again"))
      mayBegin.update { $0 = true }
      hasBegun.wait { $0 != nil }
      #expect(hasBegun.withLock { $0 } == false)
      mayBegin.update { $0 = false }
      hasBegun.update { $0 = nil }
    }
  }

  @Test func aCancelledCallHasNoAnswer() {
    let runner = CallRunner(limit: 60)
    let work = Work()
    runner.begin(.number("7"))
    let other = try? Thread.spawn(name: "cancel") {
      work.awaitBegin()
      // Another request is not meant.
      runner.cancel(.number("8"))
      runner.cancel(.number("7"))
      work.end()
    }
    let seen = Monitor("")
    let outcome = runner.run(isEnding: { false }) { call in
      let outcome = work.body(call, isChanging: true)
      seen.update { $0 = Self.text(outcome) }
      return outcome
    }
    #expect(Self.text(outcome) == "none" && seen.withLock { $0 } == "false")
    // One that was cancelled before it began, and is left alone.
    let next = Work()
    let short = CallRunner(limit: 0)
    short.begin(.text("x"))
    short.cancel(.text("x"))
    #expect(
      Self.text(short.run(isEnding: { false }) { next.body($0) }) == "none"
    )
    next.end()
    withExtendedLifetime(other) {}
  }

  @Test func theEndOfTheProgramIsNotKeptWaiting() {
    let work = Work()
    #expect(Self.run(CallRunner(limit: 60), isEnding: true) { work.body($0) } == "none")
    work.end()
  }
}
