import TestSupport

extension Provider {
  /// The Gmails that a scene is played with: with the habits that its line `habits` names, else the usual ones.
  static func gmails(of fixture: Fixture) -> [Provider] {
    let words = Set(fixture.lines("habits").flatMap { $0.split(separator: " ").map { "\($0)" } })
    var provider = Provider.gmail
    provider.labels.apply(words)
    if words.contains("german") { provider = provider.inGerman }
    if words.contains("hidden") {
      provider.mailboxes.removeAll { $0.attributes.contains("\\Trash") }
    }
    let missing = [("unmoving", " MOVE"), ("unlabelled", " X-GM-EXT-1")].filter {
      words.contains($0.0)
    }
    for (_, capability) in missing {
      let (before, after) = (provider.capabilities.before, provider.capabilities.after)
      provider.capabilities.before = before.replacing(capability, with: "")
      provider.capabilities.after = after.replacing(capability, with: "")
    }
    guard words.contains("spellings") else { return [provider] }
    return LabelHabits.Spelling.allCases.map { spelling in
      var provider = provider
      provider.labels.spelling = spelling
      return provider
    }
  }

  /// With names of mailboxes as people in Germany have them.
  fileprivate var inGerman: Provider {
    var provider = self
    let names = [
      "All Mail": "Alle Nachrichten", "Trash": "Papierkorb", "Drafts": "Entw&APw-rfe",
      "Sent Mail": "Gesendet", "Important": "Wichtig", "Starred": "Markiert",
    ]
    for index in provider.mailboxes.indices {
      let name = provider.mailboxes[index].name.replacing("[Gmail]", with: "[Google Mail]")
      let parts = name.split(separator: "/").map { names["\($0)"] ?? "\($0)" }
      provider.mailboxes[index].name = parts.joined(separator: "/")
    }
    provider.allMail = "[Google Mail]/Alle Nachrichten"
    provider.trash = "[Google Mail]/Papierkorb"
    return provider
  }
}

extension LabelHabits {
  /// Takes on the habits that words name.
  fileprivate mutating func apply(_ words: Set<String>) {
    let answers = Answer.allCases
    unknown = answers.first { words.contains("unknown-\($0)") } ?? .made
    forbidden = answers.first { words.contains("forbidden-\($0)") } ?? .misunderstood
    returnsLabels = !words.contains("drops")
    returnsUIDs = words.contains("old-uids")
    joinsTwins = !words.contains("twins")
    labelsDrafts = !words.contains("unlabelled-drafts")
    raises = !words.contains("still")
    raisesForStore = !words.contains("still")
    tellsFlags = words.contains("flags-first")
    if words.contains("short-sets") { setLimit = 3000 }
    creates = !words.contains("uncreating")
    if words.contains("stale") { staleCounts = 3 }
  }
}
