import Synchronization
import TestSupport
import Testing

/// Servers and links that say no, say nothing, or say what is not so, in the midst of a push.
@Suite struct PushWireTests {
  // MARK: Answers that never come

  /// "Append: looked for twice before it is sent again. Without UIDPLUS this is the normal path."
  @Test(arguments: Turn.part(of: [[], ["UIDPLUS"], ["MULTIAPPEND", "LITERAL+", "UIDPLUS"]]))
  func anAppendWhoseAnswerIsLostArrivesOnce(_ hidden: [String]) throws {
    let stage = try stage(hidden)
    let archive = LocalFolder(stage.maildir, "Archive")
    try archive.add("one", mail("twin", body: "the first"), flags: "S")
    try archive.add("two", mail("twin", body: "the second"), flags: "FS")
    try archive.add("three", Array("Subject: nameless\r\n\r\ntext\r\n".utf8), flags: "")
    let lost = Mutex(false)
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      command: { line in
        let isFirst =
          line.hasPrefix("APPEND ")
          && lost.withLock { lost in
            defer { lost = true }
            return !lost
          }
        return isFirst ? .unanswered : .passed
      },
      reply: { hidden.contains("UIDPLUS") ? BendingProxy.silenced($0) : $0 }
    )
    try stage.configure(url: proxy.clearURL)
    let outcome = try stage.sync("-v")
    #expect([0, 75].contains(outcome.code), "\(outcome)")
    #expect(lost.withLock { $0 })
    try stage.configure(url: stage.server.clearURL)
    try stage.expectSettled()
    let bodies = try stage.imap.messages(in: "Archive").map {
      String(decoding: $0.body, as: UTF8.self)
    }
    for part in ["the first", "the second", "nameless"] {
      #expect(bodies.filter { $0.contains(part) }.count == 1, "\(part)")
    }
  }

  /// A move whose UID was not named is looked for.
  @Test(arguments: Turn.part(of: [[], ["MOVE"]]))
  func aMoveWhoseAnswerIsLostIsDoneOnce(_ hidden: [String]) throws {
    let stage = try stage(hidden)
    try LocalFolder(stage.maildir, "INBOX").move(0, to: "Archive", flags: "FS")
    try LocalFolder(stage.maildir, "INBOX").remove(0)
    let lost = Mutex<Set<String>>([])
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      let word = line.split(separator: " ").prefix(2).joined(separator: " ")
      guard word == "UID MOVE" || word == "UID COPY" else { return .passed }
      return lost.withLock { $0.insert(line).inserted && $0.count < 2 } ? .unanswered : .passed
    }
    try stage.configure(url: proxy.clearURL)
    let outcome = try stage.sync("-v", timeLimit: 120)
    #expect([0, 75].contains(outcome.code), "\(outcome)")
    #expect(lost.withLock { !$0.isEmpty })
    try stage.configure(url: stage.server.clearURL)
    try stage.expectSettled()
    #expect(stage.tree["INBOX"].count == 10 && stage.tree["Archive"].count == 6)
    #expect(stage.tree["Trash"].count == 1)
  }

  // MARK: Refusals

  @Test func whatIsRefusedBeforeItIsSentLeavesTheOthersTheirContent() throws {
    let stage = try stage(["LITERAL+", "MULTIAPPEND"])
    let archive = LocalFolder(stage.maildir, "Archive")
    for number in 1...4 {
      try archive.add("added-\(number)", mail("added \(number)", body: "\(number)"), flags: "S")
    }
    let count = Mutex(0)
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      guard line.hasPrefix("APPEND ") else { return .passed }
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number % 2 == 1 ? .refused("NO [LIMIT] not now") : .passed
    }
    try stage.configure(url: proxy.clearURL)
    let outcome = try stage.sync()
    #expect(outcome.code == 1, "\(outcome)")
    try stage.expectMirroredOtherwise(lacking: 2, in: "Archive")
    try stage.configure(url: stage.server.clearURL)
    try stage.expectSettled()
    #expect(stage.tree["Archive"].count == 9)
  }

  // MARK: Untrue answers

  /// Of one message and of two; UIDs of another UIDVALIDITY, of messages of before, of none, too few and too many.
  @Test(arguments: [1, 2])
  func anAppendedUIDThatCannotBeIsNotBelieved(_ count: Int) throws {
    let stage = try stage([])
    let validity = try stage.imap.status("UIDVALIDITY", of: "Archive")
    let archive = LocalFolder(stage.maildir, "Archive")
    let uids = ["1", "1:2", "0", "900", "900:901", "99 77", "99 1:50", "x y"]
    for (round, uid) in uids.enumerated() {
      for number in 1...count {
        try archive.add("added-\(round)-\(number)", mail("added \(round) \(number)"), flags: "S")
      }
      let code = uid.contains(" ") ? uid : "\(validity) \(uid)"
      let proxy = try BendingProxy(
        to: stage.server.ports.clear,
        reply: { $0.replacingCode("[APPENDUID", with: "[APPENDUID \(code)]") }
      )
      try stage.configure(url: proxy.clearURL)
      let outcome = try stage.syncWell("-v")
      try stage.configure(url: stage.server.clearURL)
      try stage.expectSettled("\(code): \(outcome)")
      #expect(stage.tree["Archive"].count == 5 + (round + 1) * count, "\(code): \(outcome)")
    }
  }

  /// "Done only for UIDs that COPYUID names", and not for those that cannot be.
  @Test(arguments: Turn.part(of: [[], ["MOVE"]]))
  func aCopiedUIDThatCannotBeIsNotBelieved(_ hidden: [String]) throws {
    let stage = try stage(hidden)
    let validity = try stage.imap.status("UIDVALIDITY", of: "Archive")
    let uids = ["1 1", "1 0", "1:12 900", "1:3 4", "99 1 77", "x y z"]
    for (round, uid) in uids.enumerated() {
      try LocalFolder(stage.maildir, "INBOX").move(0, to: "Archive", flags: "FS")
      let code = uid.split(separator: " ").count > 2 ? uid : "\(validity) \(uid)"
      let proxy = try BendingProxy(
        to: stage.server.ports.clear,
        reply: { $0.replacingCode("[COPYUID", with: "[COPYUID \(code)]") }
      )
      try stage.configure(url: proxy.clearURL)
      let outcome = try stage.syncWell("-v")
      try stage.configure(url: stage.server.clearURL)
      try stage.expectSettled("\(code): \(outcome)")
      #expect(stage.tree["INBOX"].count == 11 - round, "\(code): \(outcome)")
      #expect(stage.tree["Archive"].count == 6 + round, "\(code): \(outcome)")
    }
  }

  /// A relay that adds a header field, or a server that mends line ends: the message is the same.
  @Test(arguments: Turn.part(of: [[], ["UIDPLUS"]]), ["header", "line ends"])
  func anAppendThatTheServerRewritesArrivesOnce(_ hidden: [String], _ change: String) throws {
    let stage = try stage(hidden)
    let archive = LocalFolder(stage.maildir, "Archive")
    try archive.add("one", mail("added one", body: "a \nb"), flags: "S")
    try archive.add("two", Array("Subject: nameless\r\n\r\ntext \r\nmore\r\n".utf8), flags: "")
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      command: { line in
        guard line.hasPrefix("APPEND ") else { return .passed }
        return .rewritten { octets in
          if change == "header" { return Array("X-Relay: yes\r\n".utf8) + octets }
          return Array(
            String(decoding: octets, as: UTF8.self).split(separator: " \r\n")
              .joined(separator: "\r\n").utf8
          )
        }
      },
      reply: { hidden.isEmpty ? $0 : BendingProxy.silenced($0) }
    )
    try stage.configure(url: proxy.clearURL)
    for _ in 1...3 { try stage.syncWell() }
    let subjects = try stage.imap.messages(in: "Archive").map {
      String(decoding: $0.body, as: UTF8.self)
    }
    #expect(subjects.filter { $0.contains("added one") }.count == 1)
    #expect(subjects.filter { $0.contains("nameless") }.count == 1)
    #expect(stage.tree["Archive"].count == 7)
  }

  /// Size and date are no longer those with which it was sent: that is no sign that another message has its UID, so that neither
  /// what is written in it anew is left here, nor a flag put back that another client took away.
  @Test func anAppendThatTheServerRewritesAndDatesIsTheSameMessage() throws {
    let stage = try stage([])
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      command: { line in
        guard line.hasPrefix("APPEND ") else { return .passed }
        return .rewritten { Array("X-Relay: yes\r\n".utf8) + $0 }
      },
      reply: { $0.replacingDate(with: "01-Feb-2024 10:00:00 +0000") }
    )
    try stage.configure(url: proxy.clearURL)
    let archive = LocalFolder(stage.maildir, "Archive")
    try archive.add("one", mail("draft", body: "first"), flags: "D")
    try stage.imap.select("Archive")
    try stage.imap.store("1:*", "+FLAGS (\\Flagged)")
    for _ in 1...2 { try stage.syncWell() }
    try archive.write(archive.index("draft"), mail("draft", body: "second"))
    try stage.imap.select("Archive")
    try stage.imap.store("1:*", "-FLAGS (\\Flagged)")
    for _ in 1...3 { try stage.syncWell() }
    let messages = try stage.imap.messages(in: "Archive")
    let drafts = messages.map { String(decoding: $0.body, as: UTF8.self) }
      .filter { $0.contains("Subject: draft") }
    #expect(drafts.count == 1 && drafts[0].contains("second"), "\(drafts)")
    #expect(messages.allSatisfy { !$0.flags.contains("\\Flagged") })
    #expect(stage.tree["Archive"].count == 6)
  }

  // MARK: Rules

  /// They stay here and are not pushed again.
  @Test func flagsThatTheServerCannotKeepStayLocal() throws {
    let stage = try stage([])
    try LocalFolder(stage.maildir, "INBOX").setFlags("FP", of: 0)
    let system = "\\Answered \\Deleted \\Seen"
    for flags in ["(\(system))", "(\(system) \\*)", "()"] {
      let proxy = try BendingProxy(
        to: stage.server.ports.clear,
        reply: { $0.replacingCode("[PERMANENTFLAGS", with: "[PERMANENTFLAGS \(flags)]") }
      )
      try stage.configure(url: proxy.clearURL)
      for _ in 1...2 {
        try stage.syncWell()
        #expect(LocalFolder(stage.maildir, "INBOX").flags(0).contains("F"), "\(flags)")
      }
      let stored = proxy.commands.filter { $0.hasPrefix("UID STORE") && $0.contains("Flagged") }
      #expect(stored == [], "\(flags)")
    }
    #expect(try stage.imap.messages().allSatisfy { !$0.flags.contains("\\Flagged") })
  }

  /// Nobody took them away: a file that goes, or follows its message, to where they are lost goes on showing them.
  @Test(arguments: [true, false], Turn.part(of: [[], ["MOVE"]]))
  func flagsThatAMoveLosesStayLocal(isMovedHere: Bool, hidden: [String]) throws {
    let stage = try stage(hidden)
    try stage.imap.select()
    try stage.imap.store("1:*", "+FLAGS (\\Flagged \\Seen)")
    try stage.settle()
    if isMovedHere {
      try LocalFolder(stage.maildir, "INBOX").move(0, to: "Archive", flags: "FS")
    } else {
      try stage.imap.move("1", to: "Archive")
    }
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      reply: { line in
        if line.contains("FETCH (") {
          return line.replacing("\\Flagged", with: "").replacing("\\Seen", with: "")
        }
        return line.replacingCode("[PERMANENTFLAGS", with: "[PERMANENTFLAGS (\\Deleted)]")
      }
    )
    try stage.configure(url: proxy.clearURL)
    for _ in 1...3 {
      try stage.syncWell()
      #expect(stage.tree["Archive"].count { $0.flags.contains("FS") } == 1)
      // Some other message comes, so that the mailbox is looked at.
      try stage.imap.append(mail("other"), to: "Archive")
    }
  }

  @Test func aReadOnlyMailboxIsLeftAlone() throws {
    let stage = try stage([])
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.setFlags("FS", of: 0)
    try inbox.remove(1)
    try inbox.move(1, to: "Archive")
    try inbox.add("mine", mail("mine"), flags: "")
    let before = try stage.imap.everything()
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      reply: { line in
        line.replacingCode("[READ-WRITE]", with: "[READ-ONLY]")
          .replacingCode("[PERMANENTFLAGS", with: "[PERMANENTFLAGS ()]")
      }
    )
    try stage.configure(url: proxy.clearURL)
    for _ in 1...2 {
      let outcome = try stage.sync()
      #expect([0, 1].contains(outcome.code), "\(outcome)")
      #expect(try stage.imap.everything() == before)
      #expect(inbox.flags(0) == "FS" && stage.tree["INBOX"].count == 11)
    }
    try stage.configure(url: stage.server.clearURL)
    try stage.expectSettled()
    #expect(stage.tree["Archive"].count == 6 && stage.tree["Trash"].count == 1)
  }

  /// "Deletion against flag change: deletion wins unless the message became \Flagged": at the last moment too.
  @Test(arguments: ["UID MOVE", "UID SEARCH", #"SELECT "INBOX""#, "UID FETCH", "UID STORE"])
  func aMessageFlaggedAtTheLastMomentIsNotLost(_ moment: String) throws {
    let stage = try stage(moment == "UID FETCH" ? ["SEARCHRES"] : [])
    let folder = moment == "UID STORE" ? "Trash" : "INBOX"
    if folder == "Trash" {
      try stage.imap.append(mail("thrown away"), to: "Trash", flags: "\\Seen")
      try stage.settle()
    }
    try LocalFolder(stage.maildir, folder).remove(0)
    let (port, user) = (stage.server.ports.clear, stage.user)
    let proxy = try BendingProxy(to: port) { line in
      let isMoment = line == moment || line.hasPrefix("\(moment) ") && !line.contains("QRESYNC")
      guard isMoment, moment != "UID FETCH" || line.hasSuffix("(UID FLAGS)"),
        !line.contains(":*")
      else { return .passed }
      return .after {
        guard let other = try? RawIMAP(port: port, user: user) else { return }
        try? other.select(folder)
        try? other.store("1", "+FLAGS (\\Flagged)")
      }
    }
    try stage.configure(url: proxy.clearURL)
    let outcome = try stage.sync("-v")
    #expect(outcome.code == 0, "\(outcome)")
    try stage.configure(url: stage.server.clearURL)
    try stage.expectSettled("\(outcome)")
    // MOVE has no condition: what was flagged that late lies in Trash, with its flag. So does what was flagged after the
    // mailbox was opened.
    let place = ["UID MOVE", "UID SEARCH"].contains(moment) ? "Trash" : folder
    #expect(stage.tree[OctetName(place)].contains { $0.flags.contains("F") }, "\(outcome)")
  }

  @Test func aTrashThatIsGoneIsMadeAnew() throws {
    let stage = try stage(["MOVE"])
    try LocalFolder(stage.maildir, "INBOX").remove(0)
    let user = stage.user
    let port = stage.server.ports.clear
    let proxy = try BendingProxy(to: port) { line in
      guard line.hasPrefix("UID COPY ") else { return .passed }
      guard let other = try? RawIMAP(port: port, user: user) else { return .passed }
      try? other.delete("Trash")
      return .unanswered
    }
    try stage.configure(url: proxy.clearURL)
    _ = try stage.sync(timeLimit: 120)
    try stage.configure(url: stage.server.clearURL)
    for _ in 1...3 { _ = try stage.sync() }
    #expect(try stage.imap.everything()["Trash"]?.count == 1)
    #expect(try stage.imap.everything()["INBOX"]?.count == 11)
  }

  /// "Only pulling": what was under way when it was cut off is neither fetched nor sent again.
  @Test func aPullAfterAnAppendThatWasCutOffFetchesNothing() throws {
    let stage = try stage([])
    try LocalFolder(stage.maildir, "Archive").add("one", mail("added one"), flags: "S")
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      line.hasPrefix("APPEND ") ? .unanswered : .passed
    }
    try stage.configure(url: proxy.clearURL, sync: "connections = 1")
    let run = try stage.program.command([]).start()
    #expect(Stopwatch.wait(upTo: 20) { proxy.commands.contains { $0.hasPrefix("APPEND ") } })
    run.signal(9)
    _ = run.wait()
    try stage.configure(url: stage.server.clearURL)
    try stage.syncWell("--pull")
    #expect(stage.tree["Archive"].count == 6)
    try stage.expectSettled()
    #expect(stage.tree["Archive"].count == 6)
  }

  private func stage(_ hidden: [String]) throws -> Stage {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    options.specialUse["Drafts"] = "\\Drafts"
    let stage = try Stage(options)
    try stage.fill()
    try stage.imap.create("Trash")
    try stage.settle()
    return stage
  }
}

extension String {
  /// With another INTERNALDATE where it has one.
  fileprivate func replacingDate(with other: String) -> String {
    guard let start = firstRange(of: "INTERNALDATE \"")?.upperBound,
      let end = self[start...].firstIndex(of: "\"")
    else { return self }
    return "\(self[..<start])\(other)\(self[end...])"
  }

  /// With the response code that begins like that replaced.
  fileprivate func replacingCode(_ start: String, with other: String) -> String {
    guard let range = firstRange(of: start), let end = self[range.lowerBound...].firstIndex(of: "]")
    else { return self }
    return self[..<range.lowerBound] + other + self[index(after: end)...]
  }
}
