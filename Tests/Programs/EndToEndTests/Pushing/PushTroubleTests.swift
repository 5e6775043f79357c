import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Disks, clocks and mail clients at their worst while changes are on their way to the server.
@Suite struct PushTroubleTests {
  /// Every so many changes on disk are made to fail; MAGNUM_FAULT_STRIDE=1 in the environment tries each.
  private static let stride =
    Turn.stride(48)

  private func stage(_ scene: PushScene? = nil, without hidden: [String] = []) throws -> Stage {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    options.specialUse["Drafts"] = "\\Drafts"
    let stage = try Stage(options)
    try stage.configure(url: stage.server.clearURL)
    try PushScene.prepare(stage)
    try scene?.act(stage, stage.imap)
    return stage
  }

  // MARK: Disks

  /// "n+": the disk stays full, or broken; "n": one error.
  @Test(arguments: ["%+:ENOSPC", "%:EIO", "%+:EROFS"])
  func aDiskThatFailsAtAnyChangeLosesNothing(_ error: String) throws {
    let stage = try stage(.everythingAtOnce)
    let world = SavedWorld(stage: stage)
    try stage.imap.command("LOGOUT")
    try world.save("scene")
    try stage.expectSettled()
    let expected = try stage.contents()
    var isReached = true
    // The run has over a hundred changes; the first that is tried is one of them.
    let first = 1 + Turn.first(of: min(Self.stride, 96))
    var point = first
    while isReached {
      try world.restore("scene")
      let failing = ["MAGNUM_FAULT_ERROR": error.replacingMark(with: "\(point)")]
      let outcome = try stage.sync("-v", variables: failing)
      let place = "\(error), change \(point): \(outcome)"
      #expect([0, 1, 74, 75].contains(outcome.code), "\(place)")
      try stage.expectSettled(place)
      #expect(try stage.contents() == expected, "\(place)")
      isReached = outcome.code != 0
      point += Self.stride
    }
    #expect(point > first + Self.stride, "MAGNUM_FAULT_ERROR has to make changes fail")
  }

  // MARK: Clocks

  /// An hour back, a year ahead, to before the files were written.
  @Test(arguments: [-3_600, 31_536_000, -31_536_000])
  func aClockSetBetweenRunsChangesNothing(_ seconds: Int) throws {
    let stage = try stage(.everythingAtOnce)
    let clock = try stage.program.home.write("\(seconds)", to: "clock")
    let variables = try Preload.variables(clock: clock)
    let outcome = try stage.sync("-v", variables: variables)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try stage.sync(variables: variables).code == 0)
    try stage.expectMirrored()
    try stage.expectSettled("\(outcome)")
    // And with the clock wrong from now on.
    try LocalFolder(stage.maildir, "Archive").setFlags("FRS", of: "movable 5")
    try LocalFolder(stage.maildir, "Archive").remove("nameless")
    try LocalFolder(stage.maildir, "Archive").add("late", mail("late"), flags: "S")
    try stage.imap.append(mail("late there"))
    for _ in 1...2 {
      let later = try stage.sync("-v", variables: variables)
      #expect(later.code == 0, "\(later)")
    }
    try stage.expectMirrored()
    try stage.expectSettled()
  }

  @Test(arguments: [-3_600, 31_536_000])
  func aClockSetInTheMidstOfARunChangesNothing(_ seconds: Int) throws {
    let stage = try stage()
    try PushScene.everythingAtOnce.act(stage, stage.imap)
    let clock = try stage.program.home.write("0", to: "clock")
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      guard line.hasPrefix("UID STORE") || line.hasPrefix("APPEND") else { return .passed }
      return .after { try? Files.write("\(seconds)", to: clock) }
    }
    try stage.configure(url: proxy.clearURL)
    let outcome = try stage.sync("-v", variables: Preload.variables(clock: clock))
    #expect(outcome.code == 0, "\(outcome)")
    #expect(Files.text(clock) == "\(seconds)")
    try stage.configure(url: stage.server.clearURL)
    try stage.expectSettled("\(outcome)")
  }

  /// The deletions of the last 24 hours count for the deletion guard; those of a year ahead do not let it forget them all.
  @Test func aClockThatIsWrongDoesNotLiftTheDeletionGuard() throws {
    let stage = try stage()
    let clock = try stage.program.home.write("-31536000", to: "clock")
    let inbox = LocalFolder(stage.maildir, "INBOX")
    while !inbox.bases.isEmpty { try inbox.remove(0) }
    let outcome = try stage.sync(variables: Preload.variables(clock: clock))
    #expect(outcome.code == 1, "\(outcome)")
    #expect(try stage.imap.everything()["INBOX"]?.count == 17)
  }

  // MARK: Mail clients

  /// Each time the program says something about it, the draft is another one already.
  @Test(arguments: ["in its place", "as a new file"], Turn.part(of: [[], ["UIDPLUS"]]))
  func aDraftEditedAgainAndAgainIsOneDraft(_ way: String, _ hidden: [String]) throws {
    let stage = try stage(without: hidden)
    let drafts = LocalFolder(stage.maildir, "Drafts")
    let version = Mutex(1)
    let edit: @Sendable () -> Void = {
      let number = version.withLock { number in
        number += 1
        return number
      }
      let octets = mail("draft", body: "version \(number)" + String(repeating: "!", count: number))
      if way == "in its place" {
        _ = try? drafts.write("draft", octets)
      } else {
        try? drafts.remove("draft")
        try? drafts.add("postponed-\(number)", octets, flags: "DS")
      }
    }
    edit()
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      command: { line in
        let isWriting = ["APPEND", "UID STORE", "UID EXPUNGE", "EXPUNGE", "UID MOVE", "UID COPY"]
          .contains(where: line.hasPrefix)
        return isWriting ? .after(edit) : .passed
      },
      reply: { hidden.isEmpty ? $0 : BendingProxy.silenced($0) }
    )
    try stage.configure(url: proxy.clearURL)
    for _ in 1...3 {
      let outcome = try stage.sync("-v")
      #expect([0, 1].contains(outcome.code), "\(outcome)")
    }
    #expect(version.withLock { $0 } > 4, "nothing was edited meanwhile")
    try stage.configure(url: stage.server.clearURL)
    for _ in 1...2 { _ = try stage.sync() }
    try stage.expectSettled()
    let bodies = try stage.imap.messages(in: "Drafts").map {
      String(decoding: $0.body, as: UTF8.self)
    }
    let own = bodies.filter { $0.contains("Subject: draft\r\n") }
    #expect(own.count == 1, "\(own)")
    #expect(own.first?.contains("version \(version.withLock { $0 })!") == true, "\(own)")
    #expect(stage.tree["Drafts"].count == 2)
  }
}

extension String {
  fileprivate func replacingMark(with text: String) -> String {
    split(separator: "%", omittingEmptySubsequences: false).joined(separator: text)
  }
}
