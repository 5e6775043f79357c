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

    func body(_ isUnwanted: () -> Bool) -> ToolOutcome? {
      begun.update { $0 += 1 }
      mayEnd.wait { $0 }
      return .result(.boolean(isUnwanted()))
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
    isChanging: Bool = false,
    isEnding: Bool = false,
    _ body: @escaping @Sendable (() -> Bool) -> ToolOutcome?
  ) -> String {
    runner.begin(.number("\(id)"))
    return text(runner.run(isChanging: isChanging, isEnding: { isEnding }, body))
  }

  @Test func whatEndsInTimeIsTheAnswer() {
    let runner = CallRunner(limit: 60)
    #expect(Self.run(runner) { .result(.boolean($0())) } == "false")
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
    while outcome == "again" { outcome = Self.run(runner, isChanging: true) { last.body($0) } }
    #expect(outcome == "false" && last.count == 1)
  }

  @Test func aCallThatEndsWhileItIsLeftAloneIsCountedOnce() {
    let runner = CallRunner(limit: 0)
    for _ in 0..<200 {
      let outcome = Self.run(runner) { _ in .result(.null) }
      #expect(["again", "null"].contains(outcome))
    }
    var outcome = "again"
    while outcome == "again" {
      outcome = Self.run(runner, isChanging: true) { _ in .result(.null) }
    }
    #expect(outcome == "null")
  }

  @Test func whatChangesSomethingIsFinished() {
    let runner = CallRunner(limit: 0)
    let work = Work()
    let other = try? Thread.spawn(name: "end") {
      work.awaitBegin()
      work.end()
    }
    #expect(Self.run(runner, isChanging: true, isEnding: true) { work.body($0) } == "false")
    withExtendedLifetime(other) {}
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
    let outcome = runner.run(isChanging: true, isEnding: { false }) { isUnwanted in
      let outcome = work.body(isUnwanted)
      seen.update { $0 = Self.text(outcome) }
      return outcome
    }
    #expect(Self.text(outcome) == "none" && seen.withLock { $0 } == "true")
    // One that was cancelled before it began, and is left alone.
    let next = Work()
    let short = CallRunner(limit: 0)
    short.begin(.text("x"))
    short.cancel(.text("x"))
    #expect(
      Self.text(short.run(isChanging: false, isEnding: { false }) { next.body($0) }) == "none"
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
