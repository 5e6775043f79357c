import TestSupport
import Testing

/// `labels = "tags"` on a scripted Gmail that passed the test of its labels.
@Suite struct LabelPushTests {
  /// The habits that the line `habits` of a scene names.
  private static func providers(_ fixture: Fixture) -> [Provider] {
    let words = Set(fixture.lines("habits").flatMap { $0.split(separator: " ").map { "\($0)" } })
    var provider = Provider.gmail
    let answers = LabelHabits.Answer.allCases
    provider.labels.unknown = answers.first { words.contains("unknown-\($0)") } ?? .made
    provider.labels.forbidden =
      answers.first { words.contains("forbidden-\($0)") } ?? .misunderstood
    provider.labels.returnsLabels = !words.contains("drops")
    provider.labels.returnsUIDs = words.contains("old-uids")
    provider.labels.joinsTwins = !words.contains("twins")
    provider.labels.labelsDrafts = !words.contains("unlabelled-drafts")
    provider.labels.raises = !words.contains("still")
    provider.labels.raisesForStore = !words.contains("still")
    if words.contains("short-sets") { provider.labels.setLimit = 3000 }
    provider.labels.creates = !words.contains("uncreating")
    if words.contains("stale") { provider.labels.staleCounts = 3 }
    if words.contains("unmoving") {
      provider.capabilities.after = provider.capabilities.after.replacing(" MOVE", with: "")
    }
    guard words.contains("spellings") else { return [provider] }
    return LabelHabits.Spelling.allCases.map { spelling in
      var provider = provider
      provider.labels.spelling = spelling
      return provider
    }
  }

  @Test(arguments: try Fixtures.load("Fixtures/labels-push.txt"))
  func scene(_ fixture: Fixture) throws {
    for provider in Self.providers(fixture) {
      let scene = try LabelScene(provider, configuration: fixture["configuration"] ?? "")
      for line in fixture.lines() {
        if let wrong = try scene.perform(line) { Issue.record("\(line): \(wrong)") }
      }
      #expect(scene.server.violations.isEmpty)
      guard fixture["here"] != nil else { continue }
      let found = try scene.files()
      #expect(found == fixture.lines("here"), "\(found) \(provider.labels)")
    }
  }
}
