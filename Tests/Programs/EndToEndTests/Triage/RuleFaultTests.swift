import TestSupport
import Testing

/// Syncs that are killed while they fetch mail and apply rules: each message is sorted once in the end, and none is lost.
@Suite struct RuleFaultTests {
  private static let rules = """
    [rule.lists]
    when = "subject:new"
    do = ["move Lists", "read", "tag +work"]
    [rule.flag]
    when = "subject:other"
    when-command = ["grep", "-q", "other"]
    do = ["flag"]
    """

  private static let sorted = [
    "INBOX old []", "INBOX other [F] $MagnumSorted", "Lists new [S] $MagnumSorted work",
  ]

  @Test func everyKillIsSurvived() throws {
    let scene = try RuleScene(Self.rules)
    for subject in ["new", "other"] { try scene.perform("came INBOX \(subject)") }
    let stage = scene.stage
    try stage.killEverywhere("rules", every: 12, moreThan: 50) { place in
      _ = try stage.expectSettled(place)
      let there = try RawIMAP(stage.server, user: stage.user).everything()
      #expect(RuleScene.lines(of: there) == Self.sorted, "\(place)")
      #expect(scene.open == [], "\(place)")
      #expect(try stage.found("tag:work") == 1, "\(place)")
    }
  }
}
