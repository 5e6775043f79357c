import SyncPlan
import TestSupport
import Testing

/// The rules of the sync core: the enum, the list in ARCHITECTURE.md and the kept scenes say the same, and scenes fail without
/// the rules that they name.
@Suite struct SyncRuleTests {
  /// A line of the list in ARCHITECTURE.md: "| `name` | invariant | scenes | what it says |".
  private struct Entry {
    let name: String
    let invariant: Int?
    let scenes: Int?
    let says: String

    /// Nil of any other line.
    init?(_ line: Substring) {
      let cells = line.split(separator: "|").map(Self.inside)
      guard line.hasPrefix("| `"), cells.count == 4 else { return nil }
      (name, says) = (cells[0], cells[3])
      (invariant, scenes) = (Int(cells[1]), Int(cells[2]))
    }

    /// A cell without its spaces, and the marks of a name.
    private static func inside(_ cell: Substring) -> String {
      let isEdge = { (letter: Character) in letter == " " || letter == "`" }
      var inside = cell.drop(while: isEdge)
      while inside.last.map(isEdge) ?? false { inside.removeLast() }
      return String(inside)
    }
  }

  /// A kept scene that names rules.
  private struct Proof {
    let path: String
    let text: String
    let rules: [String]

    /// Nil of a scene that names none.
    init?(_ path: String, _ text: String) {
      let heads = text.split(separator: "\n").filter { $0.hasPrefix("# rule: ") }
      guard !heads.isEmpty else { return nil }
      (self.path, self.text) = (path, text)
      rules = heads.map { String($0.dropFirst(8)) }
    }

    /// What its runs have in their environment.
    var variables: [String: String] {
      guard path.hasSuffix("judged-at-once.txt") else { return [:] }
      return ["SWIFT_DETERMINISTIC_HASHING": "1", "MAGNUM_FINGERPRINT_AGE": "1"]
    }
  }

  /// How many rules no kept scene needs yet.
  private static let unproven = 1

  private let names = SyncRule.allCases.map { "\($0)" }

  @Test func theListHasAllRules() throws {
    let entries = try list()
    #expect(entries.map(\.name) == names)
    let proofs = try proofs()
    for entry in entries {
      #expect((1...7).contains(entry.invariant ?? 0), "\(entry.name)")
      let count = proofs.count { $0.rules.contains(entry.name) }
      #expect(entry.scenes == count, "\(entry.name): \(count) scenes")
      #expect((count == 0) == entry.says.hasSuffix("No scene yet."), "\(entry.name)")
    }
    // Each scene that is found for one of these takes a rule from them; none comes to them.
    #expect(entries.count { $0.scenes == 0 } <= Self.unproven)
  }

  @Test func scenesNameRules() throws {
    let proofs = try proofs()
    for proof in proofs {
      for rule in proof.rules { #expect(names.contains(rule), "\(proof.path): \(rule)") }
    }
  }

  /// The first scene of each rule passes, and fails where the rule is off.
  @Test func scenesFailWithoutTheirRules() throws {
    let proofs = try proofs()
    let folder = try TempDirectory()
    for name in names {
      guard let proof = proofs.first(where: { $0.rules.contains(name) }) else { continue }
      let path = "\(folder.path)/\(name).txt"
      try Files.write("=== \(proof.text)", to: path)
      let on = try judge(path, proof.variables)
      #expect(on.code == 0, "\(name): \(on)")
      let off = try judge(path, proof.variables.merging(["MAGNUM_RULES_OFF": name]) { $1 })
      #expect(off.code == 1, "\(name): \(off)")
      // A rule that is off is one that does not exist, and ends no run.
      #expect(off.output.contains("FAILED") && !off.output.contains("crashed"), "\(name): \(off)")
    }
  }

  private func list() throws -> [Entry] {
    let path = Fixtures.project("ARCHITECTURE.md")
    let text = try #require(Files.text(path))
    return text.split(separator: "\n").drop { $0 != "## Rules of the sync core" }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }.compactMap { Entry($0) }
  }

  /// The kept scenes that name rules, each without what marks its beginning in its file.
  private func proofs() throws -> [Proof] {
    let folder = Fixtures.project("Tests/judge/scenes")
    let kept = Files.names(in: folder).map { "\(folder)/\(String(decoding: $0, as: UTF8.self))" }
    let own = ["judged.txt", "judged-at-once.txt"].map { Fixtures.path("Fixtures/\($0)") }
    return try (own + kept.sorted()).flatMap { path in
      let text = try #require(Files.text(path))
      guard text.contains("\n=== ") || text.hasPrefix("=== ") else {
        return [Proof(path, String(text.dropFirst(2)))].compactMap { $0 }
      }
      return "\n\(text)".split(separator: "\n=== ").compactMap { Proof(path, String($0)) }
    }
  }

  private func judge(_ path: String, _ variables: [String: String]) throws -> Outcome {
    let environment = ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]
    return try Command(
      "\(ProgramUnderTest.products)/magnum-judge",
      ["--scene", path],
      environment: environment.merging(variables) { _, given in given }
    ).run()
  }
}
