import TestSupport
import Testing

/// The program killed against Cyrus and Courier while both sides have news for each other; then it runs again.
///
/// Some of the points are tried (`Turn`); all of them take about ten minutes.
@Suite struct ThreeServerFaultTests {
  @Test(arguments: OtherServer.there)
  func everyKillIsSurvived(_ kind: OtherServer) throws {
    let whole = try stage(kind)
    let file = whole.program.home["points"]
    let outcome = try whole.program.command(["-v"], ["MAGNUM_FAULT_COUNT": file]).run()
    try #require(outcome.code == 0, "\(outcome)")
    try whole.expectSettled()
    let expected = try contents(whole)
    let points = Int((Files.text(file) ?? "").prefix { $0.isNumber }) ?? 0
    try #require(points > 10, "a debug build has fault points")
    let stride = Turn.stride(25)
    var tried = 0
    var kills = 0
    for point in Turn.chosen(of: points, every: stride) {
      tried += 1
      let stage = try stage(kind)
      let killed = try stage.program.command(["-v"], ["MAGNUM_FAULT": "\(point)"]).run()
      let place = "\(kind), point \(point): \(killed)"
      // The points of a run vary a little with what the server answers together.
      guard killed.end == .signalled(9) else {
        #expect(killed.code == 0, "\(place)")
        continue
      }
      kills += 1
      try stage.expectSettled()
      #expect(try contents(stage) == expected, "\(place)")
    }
    print("fault points: \(kind): \(points), tried \(tried)")
    #expect(kills > 0)
  }

  /// Both sides after a sync, with changes on each: uploads, moves, deletions, flags, arrivals, a folder.
  private func stage(_ kind: OtherServer) throws -> OtherStage {
    let stage = try OtherStage(kind)
    for number in 0..<8 { try stage.append(mail("m\(number)"), flags: "\\Seen") }
    try stage.append(mail("kept"), to: "Archive", flags: "\\Seen")
    try stage.sync()

    let inbox = stage.local("INBOX")
    let archive = stage.server.directory(stage.server.wire("Archive"))
    try inbox.setFlags("FS", of: "m0")
    try inbox.move("m1", to: archive, flags: "S")
    try stage.local("Archive").add("mutt", try inbox.content("m2"), flags: "S")
    try inbox.remove("m2")
    try inbox.remove("m3")
    for number in 0..<3 {
      try stage.local("Archive").add("up\(number)", mail("up \(number)"), flags: "S")
    }
    try stage.local("Made").add("made", mail("made here"), flags: "S")
    try stage.imap.select()
    try stage.imap.store("5", "+FLAGS (\\Answered)")
    try stage.imap.expunge("6")
    try stage.imap.command("UID COPY 7 \(stage.server.wire("Archive"))")
    try stage.imap.expunge("7")
    try stage.append(mail("arrived"))
    return stage
  }

  /// What the server has, a line a message, whatever the UIDs.
  private func contents(_ stage: OtherStage) throws -> [String] {
    try stage.imap.everything().flatMap { mailbox, messages in
      messages.map { message in
        let subject = String(decoding: message.body, as: UTF8.self).split(separator: "\r\n")
          .first { $0.hasPrefix("Subject:") }
        return "\(mailbox) [\(MaildirTree.letters(message.flags))] \(subject ?? "")"
      }
    }.sorted()
  }
}
