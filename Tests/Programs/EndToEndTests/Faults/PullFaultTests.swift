import TestSupport
import Testing

/// The power cut at points of a run that only gets mail.
///
/// ``FaultTests`` kills at each of these points while the power stays. Every so many points are tried, from one
/// on that the commit decides; MAGNUM_FAULT_STRIDE=1 in the environment tries each.
@Suite struct PullFaultTests {
  @Test func aFirstSyncSurvivesPowerCuts() throws {
    let stage = try Stage()
    try stage.configure(url: stage.server.clearURL)
    var corpus = Corpus(seed: 7)
    try stage.imap.append(corpus.take(5))
    try stage.imap.append(mail("seen"), flags: "\\Seen")
    try stage.imap.create("Lists/swift")
    try stage.imap.append(corpus.take(3), to: "Lists/swift", flags: "\\Seen \\Flagged")
    try run("first sync", [], stage)
  }

  /// New mail, flags, expunges, moves, and all messages of a mailbox.
  @Test(arguments: Turn.part(of: [[], ["CONDSTORE", "QRESYNC", "ESEARCH"]]))
  func aLaterSyncSurvivesPowerCuts(_ hidden: [String]) throws {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    let stage = try Stage(options)
    try stage.configure(url: stage.server.clearURL)
    try stage.fill(inbox: 10, other: 4)
    try stage.settle()
    var corpus = Corpus(seed: 8)
    try stage.imap.select()
    try stage.imap.expunge("2,5")
    try stage.imap.store("3", "+FLAGS (\\Seen)")
    try stage.imap.store("4", "+FLAGS (\\Flagged Keyword1)")
    try stage.imap.append(corpus.take(2))
    try stage.imap.move("7,8", to: "Archive")
    try stage.imap.select("Lists/swift")
    try stage.imap.expunge("1:*")
    try stage.imap.create("New")
    try stage.imap.append(mail("in a new mailbox"), to: "New")
    let word = ["--allow-mass-delete=test/Lists/swift"]
    try run("later sync\(hidden.isEmpty ? "" : ", plain server")", word, stage)
  }

  private func run(_ name: String, _ arguments: [String], _ stage: Stage) throws {
    let scene = KillMatrix.Scene(name: name, arguments: arguments)
    try KillMatrix(stage).run(scene, every: Turn.stride(120))
  }
}
