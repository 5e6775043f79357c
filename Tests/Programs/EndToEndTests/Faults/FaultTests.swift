import Testing
import TestSupport

/// The program killed where it changes something on disk, then run again.
///
/// Some of the points are tried (`Turn`).
@Suite struct FaultTests {
  @Test func firstSyncSurvivesEveryKill() throws {
    let stage = try Stage()
    var corpus = Corpus(seed: 7)
    try stage.imap.append(corpus.take(5))
    try stage.imap.append(mail("seen"), flags: "\\Seen")
    try stage.imap.create("Lists/swift")
    try stage.imap.append(corpus.take(3), to: "Lists/swift", flags: "\\Seen \\Flagged")
    try runMatrix("first sync", stage, prepared: false)
  }

  @Test func laterSyncSurvivesEveryKill() throws {
    let stage = try Stage()
    var corpus = Corpus(seed: 8)
    try stage.imap.append(corpus.take(10))
    try stage.imap.create("Archive")
    try stage.imap.append(corpus.take(4), to: "Archive", flags: "\\Seen")
    try stage.configure(url: stage.server.clearURL)
    try stage.settle()
    try stage.imap.select()
    try stage.imap.expunge("2,5")
    try stage.imap.store("3", "+FLAGS (\\Seen)")
    try stage.imap.store("4", "+FLAGS (\\Flagged Keyword1)")
    try stage.imap.append(corpus.take(2))
    try stage.imap.move("7", to: "Archive")
    try stage.imap.create("New")
    try stage.imap.append(mail("in a new mailbox"), to: "New")
    try runMatrix("later sync", stage, prepared: true)
  }

  /// Kills a run at points in turn; each time from the same local state.
  private func runMatrix(_ name: String, _ stage: Stage, prepared: Bool) throws {
    try stage.configure(url: stage.server.clearURL)
    let expected = try stage.imap.everything()
    let matrix = FaultMatrix(stage.program.home.path)
    try matrix.save()
    let points = try matrix.count { try stage.sync(variables: $0) }
    print("fault points of a \(name): \(points)")
    try #require(points > 10, "a debug build has fault points")
    for (number, point) in Turn.chosen(of: points, every: Turn.stride(4)).enumerated() {
      try matrix.restore()
      let killed = try stage.sync(variables: ["MAGNUM_FAULT": "\(point)"])
      try #require(killed.end == .signalled(9), "point \(point) of \(points): \(killed)")
      let clean = try stage.sync()
      try #require(clean.code == 0, "after a kill at point \(point) of \(points): \(clean)")
      let differences = stage.tree.differences(from: expected)
      try #require(differences == [], "after a kill at point \(point) of \(points)")
      try #require(matrix.leftovers(in: stage.tree) == [], "point \(point) of \(points): \(killed)")
      if number.isMultiple(of: 5) { try expectStill(stage, point) }
    }
  }

  /// Expects that a further run changes no mail.
  private func expectStill(_ stage: Stage, _ point: Int) throws {
    let before = TreeSnapshot(stage.maildir)
    let further = try stage.sync()
    try #require(further.code == 0, "a further run after point \(point): \(further)")
    let changes = TreeSnapshot(stage.maildir).differences(from: before)
    try #require(changes.filter { !$0.contains("/.magnum") } == [], "after point \(point)")
  }
}

/// The local side of a fault matrix: saved once, put back before each point.
private struct FaultMatrix {
  let home: String
  let copy: String

  init(_ home: String) {
    self.home = home
    copy = "\(home)/saved"
  }

  func save() throws {
    try Command.shell(
      """
      cd "$1"; mkdir saved
      for name in Mail .local .cache; do [ ! -e "$name" ] || cp -a "$name" saved/; done
      """,
      [home]
    )
  }

  func restore() throws {
    try Command.shell(
      """
      cd "$1"; rm -rf Mail .local .cache
      for name in Mail .local .cache; do [ ! -e "saved/$name" ] || cp -a "saved/$name" .; done
      """,
      [home]
    )
  }

  /// Runs once without any fault, and returns the number of points.
  func count(_ run: ([String: String]) throws -> Outcome) throws -> Int {
    let file = "\(home)/points"
    let outcome = try run(["MAGNUM_FAULT_COUNT": file])
    #expect(outcome.code == 0, "\(outcome)")
    return (Files.text(file) ?? "").split(separator: "\n").first.flatMap { Int($0) } ?? 0
  }

  /// Files that a broken run left in a tmp directory and the next one did not clear away.
  func leftovers(in tree: MaildirTree) -> [OctetName] {
    tree.mailboxes.keys.filter { !Files.names(in: "\(tree.root)/\($0)/tmp").isEmpty }
  }
}
