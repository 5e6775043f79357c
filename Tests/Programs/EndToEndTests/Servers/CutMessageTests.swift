import Synchronization
import TestSupport
import Testing

/// Servers that give fewer octets of a message than they say it has: it is asked for once more, and nothing is kept that is cut
/// short without a word.
@Suite struct CutMessageTests {
  /// A mailbox with one large message of which a server gives the first octets only, the first so many times.
  private struct Scene {
    let stage: Stage
    let proxy: BendingProxy

    init(_ octets: Int, times: Int) throws {
      stage = try Stage()
      try stage.imap.append(SizeLimitTests.large("large1"), flags: "\\Seen")
      try stage.imap.append(mail("small1"), flags: "\\Seen")
      let left = Mutex(times)
      proxy = try BendingProxy(
        to: stage.server.ports.clear,
        literal: { line, literal in
          guard line.contains("BODY[] {"), literal.count > 100_000 else { return nil }
          let isCut = left.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
          }
          guard isCut else { return nil }
          let head = line[..<(line.lastIndex(of: "{") ?? line.endIndex)]
          return Array("\(head){\(octets)}\r\n".utf8) + literal.prefix(octets)
        }
      )
    }

    func configure(isBent: Bool = true, _ sync: String = "") throws {
      try stage.configure(url: isBent ? proxy.clearURL : nil, sync: sync)
    }

    /// How often the message was asked for.
    var questions: Int {
      proxy.commands.count { $0.hasPrefix("UID FETCH 1") && $0.contains("BODY.PEEK[]") }
    }
  }

  @Test(arguments: [0, 100, 200_000]) func whatComesTheSecondTimeIsKept(_ octets: Int) throws {
    let scene = try Scene(octets, times: 1)
    try scene.configure()
    let outcome = try scene.stage.syncWell("-v")
    #expect(!outcome.errors.contains("truncated"), "\(outcome)")
    #expect(scene.questions == 2, "\(scene.proxy.commands)")
    try scene.stage.expectMirrored()
  }

  /// The server has no more of it, so it is kept, and said.
  @Test func whatStaysShortIsKeptAndSaid() throws {
    let scene = try Scene(200_000, times: .max)
    try scene.configure()
    let outcome = try scene.stage.syncWell()
    let size = SizeLimitTests.large("large1").count
    let words = "INBOX/1: the server returned 200000 bytes twice although it reports \(size)"
    #expect(outcome.errors.contains("\(words): the message may be truncated"), "\(outcome)")
    let bodies = scene.stage.tree["INBOX"].map(\.body.count)
    #expect(bodies.max() ?? 0 > 190_000 && bodies.count == 2, "\(bodies)")
    let questions = scene.questions
    #expect(questions == 2)
    let second = try scene.stage.syncWell("--scan")
    #expect(second.errors.isEmpty && scene.questions == questions, "\(second)")
  }

  /// Nothing at all is no message: each run asks again, and the first one reports it.
  @Test func whatIsEmptyIsNotKept() throws {
    let scene = try Scene(0, times: 4)
    try scene.configure()
    for run in 1...2 {
      let outcome = try scene.stage.sync()
      #expect(outcome.code == 1, "\(outcome)")
      #expect(outcome.errors.contains("does not return it") == (run == 1), "\(outcome)")
      #expect(scene.stage.tree["INBOX"].count == 1)
    }
    try scene.stage.syncWell()
    try scene.stage.expectMirrored()
  }

  /// Servers count otherwise: what is a little off is as it is.
  @Test func smallDifferencesAreNone() throws {
    let scene = try Scene(300_000, times: .max)
    try scene.configure()
    let outcome = try scene.stage.syncWell()
    #expect(outcome.errors.isEmpty && scene.questions == 1, "\(outcome)")
    #expect(scene.stage.tree["INBOX"].count == 2)
  }

  /// Here is its header and its text, and on the server the rest: no part of it takes the place of both.
  @Test func nothingIsMadeWholeByAPart() throws {
    let scene = try Scene(200_000, times: .max)
    try scene.configure("size-limit = \"100kB\"")
    try scene.stage.syncWell()
    let before = scene.stage.tree["INBOX"].map(\.body.count).sorted()
    #expect((before.last ?? 0) < 2000)
    try scene.configure()
    let outcome = try scene.stage.sync()
    #expect(
      outcome.code == 1 && outcome.errors.contains("the message may be truncated"),
      "\(outcome)"
    )
    #expect(scene.stage.tree["INBOX"].map(\.body.count).sorted() == before)
    try scene.configure(isBent: false)
    try scene.stage.syncWell()
    try scene.stage.expectMirrored()
  }
}
