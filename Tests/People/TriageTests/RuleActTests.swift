import MailModel
import TestSupport
import Testing

@testable import Triage

/// Acts of rules in the journal: whose they are, what takes them back, how often there were any.
@Suite struct RuleActTests {
  private static let (inbox, lists) = (
    FilePlace(Array("INBOX".utf8), []), FilePlace(Array("Lists".utf8), .seen)
  )

  private static func step(
    _ base: String,
    in account: String = "work",
    _ change: ActStep.Change
  ) -> ActStep {
    ActStep(account: account, id: Array("id".utf8), base: Array(base.utf8), change)
  }

  private static func tags(_ added: String, _ removed: String = "") -> ActStep.Change {
    let words = { (text: String) in text.split(separator: " ").map { Array($0.utf8) } }
    return .tags(of: lists, adding: words(added), removing: words(removed))
  }

  @Test(arguments: [
    (ActOrigin.person, nil), (.agent("helper"), "mcp:helper"), (.rule("lists"), "rule:lists"),
    (.program(Array("wake".utf8)), "wake"),
  ])
  func originsHaveWords(_ origin: ActOrigin, _ word: String?) {
    #expect(origin.word == word.map { Array($0.utf8) })
    if let word { #expect(ActOrigin(word: Array(word.utf8)) == origin) }
  }

  /// A message that goes back stays sorted, or its rule would move it again elsewhere.
  @Test(arguments: [
    ("work $MagnumSorted", "todo", "todo", "work"), ("$magnumsorted", "todo", "todo", ""),
    ("work", "", "", "work"), ("work", "$MagnumSorted", "$MagnumSorted", "work"),
  ])
  func theMarkIsNotTakenBack(_ added: String, _ removed: String, _ back: String, _ off: String) {
    let inverse = Self.step("a", Self.tags(added, removed)).inverse
    #expect(inverse == Self.step("a", Self.tags(back, off)))
  }

  @Test func aStepThatOnlyMarksIsNoneToTakeBack() {
    #expect(Self.step("a", Self.tags("$MagnumSorted")).isMarkOnly)
    #expect(!Self.step("a", Self.tags("$MagnumSorted work")).isMarkOnly)
    #expect(!Self.step("a", Self.tags("$MagnumSorted", "work")).isMarkOnly)
    #expect(!Self.step("a", .place(from: Self.inbox, to: Self.lists)).isMarkOnly)
  }

  @Test func usesAreCountedByRuleAndAccount() {
    func act(_ number: Int, _ origin: ActOrigin, undoing: Int? = nil, _ steps: [ActStep]) -> Act {
      Act(
        number: number,
        time: Int64(number * 10),
        command: [],
        undoing: undoing,
        origin: origin,
        steps: steps
      )
    }
    let move = ActStep.Change.place(from: Self.inbox, to: Self.lists)
    let both = [Self.step("a", move), Self.step("a", Self.tags("x")), Self.step("b", move)]
    let use = RuleUse([
      act(1, .rule("one"), both), act(2, .rule("two"), [Self.step("c", in: "home", move)]),
      act(3, .rule("one"), [Self.step("c", move), Self.step("d", in: "home", move)]),
      act(4, .person, both), act(5, .agent("one"), both), act(6, .person, undoing: 1, both),
    ])
    #expect(use.count(of: "one", in: "work") == RuleUse.Count(messages: 3, last: 30))
    #expect(use.count(of: "one", in: "home") == RuleUse.Count(messages: 1, last: 30))
    #expect(use.count(of: "two", in: "home") == RuleUse.Count(messages: 1, last: 20))
    #expect(use.count(of: "two", in: "work") == nil)
  }

  /// Three moves that came back within a day, in whatever order, whatever else did.
  @Test(arguments: [
    ([0, 10, 86_400], true), ([0, 10, 86_401], false), ([86_400, 0, 50_000], true),
    ([0, 0, 0], true),
    ([0, 0], false), ([0, 40_000, 80_000, 120_000, 126_000], true), ([], false),
  ])
  func aRuleRestsThatIsRefused(_ times: [Int64], _ isResting: Bool) {
    let move = ActStep.Change.place(from: Self.inbox, to: Self.lists)
    let mark = ActStep.Change.place(from: Self.lists, to: FilePlace(Self.lists.folder, []))
    func acts(_ origin: ActOrigin, _ change: ActStep.Change) -> [RecordedAct] {
      times.map { time in
        let steps = [Self.step("a", change)]
        var act = RecordedAct(Act(number: 1, time: time, command: [], origin: origin, steps: steps))
        act.returned[0] = Array("NO".utf8)
        return act
      }
    }
    #expect(RestingRules(acts(.rule("one"), move)).rests("one", in: "work") == isResting)
    #expect(!RestingRules(acts(.rule("one"), move)).rests("one", in: "home"))
    #expect(!RestingRules(acts(.rule("one"), move)).rests("two", in: "work"))
    #expect(!RestingRules(acts(.person, move)).rests("one", in: "work"))
    #expect(!RestingRules(acts(.rule("one"), mark)).rests("one", in: "work"))
  }
}
