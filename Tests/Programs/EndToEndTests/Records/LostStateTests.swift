import Testing
import TestSupport

/// What Magnum knows is lost, damaged or old, or the mail itself is: nothing is deleted, fetched or uploaded for it.
@Suite struct LostStateTests {
  /// A part of the state, in the words of `find`.
  enum Part: String, CaseIterable {
    case maps = "-name *.map"
    case mapsAndLogs = "-path */mailboxes/*"
    case summary = "-name summary"
    case mapsAndSummary = "-name *.map -o -name summary"
    case everything = "-name .magnum"
    case everythingAndMemory = "-name .magnum -o -path */.local/state"
    case everythingAndMarks = "-name .magnum -o -name .magnum-id -o -path */.local/state"
  }

  /// Flags, new files, and detached of an earlier run, none of them synced.
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.fill()
    try stage.imap.create("Box")
    try stage.imap.append((0..<3).map { _ in mail("twin") }, to: "Box")
    try stage.settle()
    try LocalFolder(stage.maildir, "Box").add("1600000000.pushed.host", mail("pushed"), flags: "S")
    try LocalFolder(stage.maildir, "INBOX").setFlags("FS", of: 2)
    try stage.syncWell()
    try stage.settle()
    return stage
  }

  /// Since the last run: flags on both sides, mail on both sides, a message that went.
  private func change(_ stage: Stage) throws {
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.setFlags("RS", of: 0)
    try inbox.add("1700000000.new.host", mail("written here"), flags: "S")
    try stage.imap.append(mail("new there"), flags: "\\Seen")
    try stage.imap.append(mail("gone"), flags: "\\Seen")
  }

  /// One message is gone from the server since the last run, so that its file must neither go nor come back.
  private func expunge(_ stage: Stage) throws -> String {
    let message = try #require(try stage.imap.messages(in: "Archive").first)
    try stage.imap.select("Archive")
    try stage.imap.expunge("\(message.uid)")
    try stage.imap.select()
    return "Archive: \(message.subject)"
  }

  @Test(arguments: Part.allCases)
  func lost(_ part: Part) throws {
    let stage = try stage()
    try change(stage)
    var expected = Rematch(fetched: 2, uploaded: 1)
    if part != .summary { expected.apart = [try expunge(stage)] }
    try Command.shell(
      "set -f; find \"$1\" \\( $2 \\) -prune -exec rm -rf {} +",
      [stage.program.home.path, part.rawValue]
    )
    try stage.expect(expected)
  }

  @Test func damaged() throws {
    let stage = try stage()
    for name in Files.names(in: "\(stage.state)/mailboxes").map({
      String(decoding: $0, as: UTF8.self)
    })
    where name.hasSuffix(".map") {
      let path = "\(stage.state)/mailboxes/\(name)"
      var octets = try #require(Files.read(path))
      octets[octets.count / 2] ^= 1
      try Files.write(octets, to: path, mode: 0o600)
    }
    try change(stage)
    try stage.expect(Rematch(fetched: 2, uploaded: 1, apart: [try expunge(stage)]))
  }

  /// The state of last week beside the mail of today; `isWhole` is all of `.magnum`, else the maps.
  @Test(arguments: [true, false])
  func ofLastWeek(isWhole: Bool) throws {
    let stage = try stage()
    let part = isWhole ? stage.state : "\(stage.state)/mailboxes"
    try Command.shell("cp -a \"$1\" \"$2/saved\"", [part, stage.program.home.path])
    try changeForAWeek(stage)
    try Command.shell("rm -rf \"$1\"; mv \"$2/saved\" \"$1\"", [part, stage.program.home.path])
    try change(stage)
    try stage.expect(Rematch(fetched: 2, uploaded: 1))
  }

  /// What happens in a week, all of it synced.
  private func changeForAWeek(_ stage: Stage) throws {
    let box = LocalFolder(stage.maildir, "Box")
    try box.add("1650000000.week.host", mail("written in the week"), flags: "S")
    try box.add("1650000001.week.host", mail("another of the week"), flags: "S")
    try stage.imap.append((0..<4).map { mail("came in the week \($0)") })
    try stage.syncWell()
    try stage.imap.select()
    try stage.imap.store("3:4", "+FLAGS (\\Flagged)")
    try stage.imap.expunge("1")
    try LocalFolder(stage.maildir, "INBOX").setFlags("RS", of: 6)
    try stage.settle()
  }

  /// The mail of last week (cur and new alone) beside the state of today, in whatever way it was put there.
  @Test(arguments: ["in place", "in new directories"])
  func mailOfLastWeek(put way: String) throws {
    let stage = try stage()
    let home = stage.program.home.path
    try Command.shell("cp -a \"$1\" \"$2/saved\"", [stage.maildir, home])
    try changeForAWeek(stage)
    let gone = try #require(try stage.imap.messages().first)
    try stage.imap.select()
    try stage.imap.expunge("\(gone.uid)")
    try stage.settle()
    let script =
      way == "in place"
      ? "rm -f \"$1/$4/cur\"/* \"$1/$4/new\"/*; cp -a \"$2/saved/$4/cur\" \"$2/saved/$4/new\" \"$1/$4/\""
      : "rm -rf \"$1/$4/cur\" \"$1/$4/new\"; cp -a \"$2/saved/$4/cur\" \"$2/saved/$4/new\" \"$1/$4/\""
    for name in ["INBOX", "Box", "Archive", "Lists/swift"] {
      try Command.shell(script, [stage.maildir, home, "", name])
    }
    let before = try stage.imap.everything().mapValues { $0.map(\.uid) }
    for _ in 0..<3 { try stage.syncWell() }
    #expect(
      try stage.imap.everything().mapValues { $0.map(\.uid) } == before,
      "nothing deleted there"
    )
    let agreement = Agreement(stage.tree, try stage.imap.everything())
    #expect(agreement.onlyThere == [])
    #expect(agreement.onlyHere.count == 2, "what went in the week: \(agreement.onlyHere)")
  }

  /// An older copy of a folder says nothing of the flags that its messages got since, on either side.
  @Test func flagsOfLastWeek() throws {
    let stage = try Stage()
    try stage.imap.append(["one", "two", "three", "four"].map { mail($0) }, flags: "\\Seen")
    try stage.settle()
    let (inbox, saved) = ("\(stage.maildir)/INBOX", stage.program.home["saved"])
    try Command.shell("cp -a \"$1\" \"$2\"", [inbox, saved])
    try stage.imap.select()
    try stage.imap.store("1", "+FLAGS (\\Flagged)")
    try stage.settle()
    try LocalFolder(stage.maildir, "INBOX").setFlags(on: "two", "RS")
    try stage.settle()
    try stage.imap.store("4", "-FLAGS (\\Seen)")
    try Command.shell("rm -r \"$1\"; cp -a \"$2\" \"$1\"", [inbox, saved])
    try LocalFolder(stage.maildir, "INBOX").setFlags(on: "three", "FS")
    try Command.shell("touch -r \"$2/cur\" \"$1/cur\"", [inbox, saved])
    try stage.settle()
    #expect(try stage.places(of: "one") == ["INBOX [FS]"])
    #expect(try stage.places(of: "two") == ["INBOX [RS]"])
    #expect(try stage.places(of: "three") == ["INBOX [FS]"])
    #expect(try stage.places(of: "four") == ["INBOX []"])
  }

  /// Orphans are remembered: they are not reported, uploaded or deleted later.
  @Test func detachedLast() throws {
    let stage = try stage()
    let orphan = try expunge(stage)
    Files.removeTree(stage.state)
    try stage.expect(Rematch(apart: [orphan]))
    try stage.imap.append(mail("more"), to: "Archive")
    try stage.expect(Rematch(fetched: 1, apart: [orphan], reportedApart: 0))
    Files.removeTree(stage.state)
    try stage.expect(Rematch(apart: [orphan]))
  }

  /// A folder that shows nothing of it was put back with the others.
  @Test func mailOfLastWeekWithoutTimes() throws {
    let stage = try stage()
    let home = stage.program.home.path
    try Command.shell("cp -a \"$1\" \"$2/saved\"", [stage.maildir, home])
    try changeForAWeek(stage)
    for name in ["INBOX", "Box"] {
      let script = """
        rm -f "$1/$3/cur"/* "$1/$3/new"/*
        for sub in cur new; do for file in "$2/saved/$3/$sub"/*; do
          [ ! -e "$file" ] || cp "$file" "$1/$3/$sub/"
        done; done
        """
      try Command.shell(script, [stage.maildir, home, name])
    }
    let before = try stage.imap.everything().mapValues { $0.map(\.uid) }
    for _ in 0..<3 { try stage.syncWell() }
    #expect(try stage.imap.everything().mapValues { $0.map(\.uid) } == before)
    #expect(Agreement(stage.tree, try stage.imap.everything()).onlyThere == [])
  }

  /// Killed wherever it writes, a run that matches anew leaves a state from which the next comes to the same end.
  ///
  /// Some of the points are tried (`Turn`).
  @Test func everyKillWhileMatching() throws {
    let stage = try Stage()
    try stage.fill(inbox: 4, other: 1)
    try stage.syncWell()
    try change(stage)
    let orphan = try expunge(stage)
    Files.removeTree(stage.state)
    try stage.configure(url: stage.server.clearURL)
    let home = stage.program.home.path
    try Command.shell("cd \"$1\"; mkdir saved; cp -a Mail .local saved", [home])
    let mail = try stage.imap.everything()
    let expected = Rematch(apart: [orphan])
    let stride = Turn.stride(3)
    var points = 1 + Turn.first(of: stride) - stride
    var kills = 0
    var backup = try ServerBackup(stage)
    while true {
      points += stride
      try Command.shell("cd \"$1\"; rm -rf Mail .local; cp -a saved/Mail saved/.local .", [home])
      try backup.restore()
      backup = try ServerBackup(stage)
      try #require(try stage.imap.everything() == mail)
      let killed = try stage.sync(variables: ["MAGNUM_FAULT": "\(points)"])
      if killed.code == 0 { break }
      try #require(killed.end == .signalled(9), "point \(points): \(killed)")
      kills += 1
      let clean = try stage.sync()
      try #require(clean.code == 0, "after a kill at point \(points): \(clean)")
      let agreement = Agreement(stage.tree, try stage.imap.everything())
      try #require(agreement.onlyThere == [], "after a kill at point \(points): \(killed)\(clean)")
      try #require(agreement.onlyHere == expected.apart, "after a kill at point \(points)")
      if points % 5 == 0 { try stage.expectRest(#_sourceLocation) }
    }
    print("fault points of a run that matches anew: about \(points)")
    #expect(points > 20 && kills > 0)
  }
}
