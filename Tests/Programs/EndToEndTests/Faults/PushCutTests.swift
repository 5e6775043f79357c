import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The connection cut after any number of octets of a push, in both directions: what the server had taken is not
/// sent again, and what it had not is.
///
/// A few places are tried for each kind of server, which ones the commit decides, and always the end of a message
/// that is uploaded, before and after its line end. MAGNUM_CUT_STRIDE=1 in the environment tries each octet: hours.
@Suite struct PushCutTests {
  private static let stride = getenv("MAGNUM_CUT_STRIDE").flatMap { Int(String(cString: $0)) }

  private static let lacks: [[String]] = [
    [], ["MOVE"], ["UIDPLUS"], ["MOVE", "UIDPLUS", "LITERAL+", "MULTIAPPEND"],
  ]

  @Test(arguments: Turn.part(of: lacks))
  func everyCutIsSurvived(_ hidden: [String]) throws {
    let world = try CutWorld(hidden)
    let (up, down, ends) = try world.measure()
    let tried = Self.stride == nil ? [ends[Turn.first(of: ends.count)]] : ends
    var places = tried.flatMap { [$0, $0 + 2] }.map { Cut(isDown: false, after: $0) }
    places += cuts(of: up).map { Cut(isDown: false, after: $0) }
    places += cuts(of: down).map { Cut(isDown: true, after: $0) }
    for cut in places { try world.run(cut) }
    print("cuts: \(hidden): \(up) octets up, \(down) down, tried \(places.count)")
  }

  private func cuts(of total: Int) -> [Int] {
    let stride = Self.stride ?? max(1, total / 2)
    return Array(Swift.stride(from: 1 + Turn.first(of: stride), to: total, by: stride))
  }
}

/// Where a connection is cut.
private struct Cut: CustomStringConvertible {
  let isDown: Bool
  let after: Int

  var description: String { "cut after \(after) octets \(isDown ? "down" : "up")" }

  var link: DelayProxy.Link {
    var link = DelayProxy.Link()
    if isDown { link.cutAfterDown = after } else { link.cutAfterUp = after }
    link.meant = 1...1
    return link
  }
}

/// One of each change on one kind of server.
private struct CutWorld {
  private let stage: Stage
  private let world: SavedWorld
  private let silent: BendingProxy?
  private let expected: [String: [String]]

  init(_ hidden: [String]) throws {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    options.specialUse["Drafts"] = "\\Drafts"
    stage = try Stage(options)
    world = SavedWorld(stage: stage)
    silent =
      hidden.contains("UIDPLUS") ? try BendingProxy.silent(to: stage.server.ports.clear) : nil
    try stage.configure(url: stage.server.clearURL)
    try PushScene.prepare(stage)
    try Self.act(stage)
    try stage.imap.command("LOGOUT")
    try world.save("scene")
    try stage.expectSettled()
    expected = try stage.contents()
  }

  private static func act(_ stage: Stage) throws {
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.setFlags("FS", of: "(2)")
    try inbox.move("movable 0", to: "Archive", flags: "S")
    try inbox.remove("movable 3")
    try LocalFolder(stage.maildir, "Lists/swift").move("(12)", to: "INBOX", flags: "S")
    try LocalFolder(stage.maildir, "Archive").remove("(16)")
    let archive = LocalFolder(stage.maildir, "Archive")
    try archive.add("added-1", mail("twin", body: "one"), flags: "FS")
    try archive.add("added-2", mail("twin", body: "two"), flags: "S")
    try LocalFolder(stage.maildir, "Drafts").write("draft", mail("draft", body: "second, longer"))
    try LocalFolder(stage.maildir, "Trash").remove("thrown away 0")
  }

  /// How many octets a whole run takes in each direction, and where the messages end that it uploads.
  func measure() throws -> (up: Int, down: Int, ends: [Int]) {
    try world.restore("scene")
    var link = DelayProxy.Link()
    link.isRecorded = true
    let proxy = try connect(link)
    try stage.syncWell()
    let text = proxy.transcript
    let ends = ["one\r\n", "two\r\n", "second, longer\r\n"].compactMap { body in
      text.utf8Offset(after: "\r\n\r\n\(body)")
    }
    try #require(ends.count == 3, "\(text)")
    return (proxy.counters.up, proxy.counters.down, ends)
  }

  func run(_ cut: Cut) throws {
    try world.restore("scene")
    let proxy = try connect(cut.link)
    let run = try stage.program.command(["-v"]).start()
    _ = Stopwatch.wait(upTo: 10) { proxy.counters.cuts > 0 || run.hasEnded }
    // One that is cut in an odd place may try again by itself.
    if cut.after % 2 == 0, proxy.counters.cuts > 0 {
      Stopwatch.sleep(0.3)
      run.signal(SIGTERM)
    }
    let outcome = run.wait()
    let isEnded = outcome.end == .signalled(SIGTERM) || [0, 75].contains(outcome.code)
    #expect(isEnded, "\(cut): \(outcome)")
    try stage.configure(url: stage.server.clearURL)
    try stage.expectSettled("\(cut): \(outcome)")
    #expect(try stage.contents() == expected, "\(cut): \(outcome)")
  }

  private func connect(_ link: DelayProxy.Link) throws -> DelayProxy {
    let proxy = try DelayProxy(to: silent?.port ?? stage.server.ports.clear, link)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)", sync: "connections = 1")
    return proxy
  }
}

extension String {
  /// How many octets there are up to the end of the first occurrence of a text; nil without one.
  fileprivate func utf8Offset(after text: String) -> Int? {
    firstRange(of: text).map { utf8.distance(from: startIndex, to: $0.upperBound) }
  }
}
