import Testing
import TestSupport

/// Mailbox names that a file system or a terminal must not see as they are.
@Suite struct NameTests {
  @Test(arguments: ["verbatim", "maildir++"])
  func oddNamesStayApartAndInside(layout: String) throws {
    let cases = try Fixtures.load("Fixtures/names.txt")
    let stage = try Stage(.freeNames)
    for block in cases {
      try stage.imap.create(block.body)
      try stage.imap.append(mail(block.name), to: block.body)
    }
    try stage.configure(account: "layout = \"\(layout)\"")
    let before = Files.names(in: stage.program.home.path)
    try stage.syncWell()

    let tree = stage.tree
    for block in cases {
      let found = tree.mailboxes.filter { $0.value.contains { $0.subject == block.name } }
      #expect(found.count == 1 && found.first?.value.count == 1, "\(block.name): \(found.keys)")
      if layout == "verbatim", block.has("directory") {
        #expect(found.keys.first == OctetName(try block.octets("directory")), "\(found.keys)")
      }
    }
    #expect(tree.count == cases.count)
    let after = Files.names(in: stage.program.home.path).filter { !before.contains($0) }
    let names = after.map { String(decoding: $0, as: UTF8.self) }
    #expect(Set(names).isSubset(of: ["Mail", ".local", ".cache"]))
    #expect(Files.names(in: stage.program.home["Mail"]) == [Array("test".utf8)])
  }

  @Test(arguments: ["verbatim", "maildir++"])
  func oddNamesAreFoundAgain(layout: String) throws {
    let cases = try Fixtures.load("Fixtures/names.txt")
    let stage = try Stage(.freeNames)
    for block in cases { try stage.imap.create(block.body) }
    try stage.configure(account: "layout = \"\(layout)\"")
    try stage.syncWell()
    let directories = Set(stage.tree.mailboxes.keys)
    for block in cases { try stage.imap.append(mail(block.name), to: block.body) }
    try stage.syncWell()
    #expect(Set(stage.tree.mailboxes.keys) == directories)
    #expect(stage.tree.count == cases.count)
  }

  @Test(arguments: try Fixtures.load("Fixtures/hostile-names.txt"))
  func hostileNamesNeitherEscapeNorReachTheTerminal(block: Fixture) throws {
    var box = FakeMailServer.Mailbox("hostile", [FakeMailServer.Mail(1, "Subject: x\r\n\r\nx\r\n")])
    box.listed = String(decoding: try block.octets(), as: UTF8.self)
    box.name = block["name"] ?? "hostile"
    let good = FakeMailServer.Mailbox("INBOX", [FakeMailServer.Mail(1, "Subject: y\r\n\r\ny\r\n")])
    let fake = try FakeMailServer([good, box])
    let stage = try Stage()
    try stage.configure(url: fake.clearURL)
    let before = Set(Files.names(in: stage.program.home.path))
    let outcome = try stage.sync("-v")
    #expect([0, 1].contains(outcome.code), "\(outcome)")
    #expect(stage.tree["INBOX"].count == 1)
    let after = Set(Files.names(in: stage.program.home.path)).subtracting(before)
    #expect(after.isSubset(of: [Array("Mail".utf8), Array(".local".utf8), Array(".cache".utf8)]))
    #expect(Files.names(in: stage.program.home["Mail"]) == [Array("test".utf8)])
    let said = outcome.outputOctets + outcome.errorOctets
    #expect(!said.contains { $0 < 32 && $0 != 10 || $0 == 127 }, "\(said)")
    #expect(!outcome.output.unicodeScalars.contains { (0x80...0x9f).contains($0.value) })
    #expect(!outcome.output.unicodeScalars.contains { (0x202a...0x202e).contains($0.value) })
  }

  @Test(arguments: ["-v", "--list-mailboxes", "--json", "--dry-run"])
  func textFromTheServerIsMadeHarmless(option: String) throws {
    let hidden = "\u{1b}]0;owned\u{07}\u{9b}31m\u{202e}"
    let fake = try FakeMailServer([FakeMailServer.Mailbox("INBOX")]) { request in
      guard ["LIST", "STATUS", "EXAMINE", "SELECT"].contains(request.name) else { return nil }
      return [.lines("* OK [ALERT] \(hidden)", "{tag} NO [ALERT] \(hidden)")]
    }
    let stage = try Stage()
    try stage.configure(url: fake.clearURL)
    let outcome = try stage.sync(option)
    #expect(outcome.code != 0)
    for scalar in (outcome.output + outcome.errors).unicodeScalars where scalar != "\n" {
      #expect(scalar.value >= 32 && !(0x7f...0x9f).contains(scalar.value) && scalar.value != 0x202e)
    }
  }
}

extension DovecotOptions {
  /// A server on which a mailbox may have any name.
  static var freeNames: DovecotOptions {
    var options = DovecotOptions()
    options.hasFreeNames = true
    return options
  }
}

extension MaildirTree.Message {
  /// The text after "Subject:" in the header.
  var subject: String {
    let lines = String(decoding: body, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix("Subject: ") }.map { String($0.dropFirst(9)) } ?? ""
  }
}
