import AccountImport
import TestSupport
import Testing

/// Files that are no configuration, or are meant to do harm.
@Suite struct HostileFileTests {
  private func remarks(_ octets: [UInt8]) -> [String] {
    AccountImport([ForeignFile(name: "file", octets: octets)]).remarks.map(\.description)
  }

  @Test func octetsThatAreNoTextArePassedOver() {
    let lines = ["IMAPAccount a", "Host \u{0}x", "User a\u{1B}[2J"].map { Array($0.utf8) }
    let octets = lines.joined(separator: [10]) + [10] + Array("Pass ".utf8) + [0xFF, 0xFE, 10]
    let found = remarks(octets)
    #expect(found.count == 4, "\(found)")
    #expect(
      found.prefix(3).allSatisfy {
        $0.hasSuffix("not UTF-8, or with control characters: passed over")
      }
    )
  }

  @Test(
    arguments: [
      ("", nil), ("\n\n# nothing\n", nil), ("hello world\n", nil), ("[core]\neditor = vi\n", nil),
      ("\u{FEFF}IMAPAccount a\n", nil), ("  IMAPSTORE a\r\n", .mbsync),
      ("[Account x]\n", .offlineIMAP),
      ("; x\n[general]\n", .offlineIMAP), ("defaults\n", .msmtp), ("account a : b\n", .msmtp),
      ("[database]\npath=/x\n", .notmuch), ("{\"host\": 1}", .goimapnotify),
      ("Create Both\n\nIMAPAccount a\n", .mbsync),
    ] as [(String, ForeignKind?)]
  )
  func kinds(_ text: String, _ kind: ForeignKind?) {
    #expect(ForeignFile(name: "x", octets: Array(text.utf8)).kind == kind, "\(text)")
  }

  @Test func namesOfFilesCannotSteerATerminal() {
    let file = ForeignFile(name: "a\u{1B}[2J\nb", octets: Array("[Account x]\nx\n".utf8))
    let found = AccountImport([file]).remarks
    #expect(found.count == 2)
    #expect(found.allSatisfy { !$0.description.utf8.contains { $0 < 0x20 } })
  }

  /// A megabyte is the longest file that is read: none takes long.
  @Test(arguments: [
    "Channel c\n", "Patterns ***************a b\n", "account a : a\n", "account a : a, a\nhost a\n",
    "account a\nx y\n", "[Account a]\n", "\\\"",
    "a = %(",
  ])
  func longFiles(_ line: String) {
    let head =
      line.hasPrefix("Patterns")
      ? "IMAPStore s\n\nMaildirStore m\n\nChannel c\nFar :s:\nNear :m:\n" : "defaults\n"
    let octets = Array(head.utf8) + (0..<6_000).flatMap { _ in Array(line.utf8) }
    let time = ProcessorTime.measure { _ = remarks(octets) }
    #expect(time < .seconds(5))
  }

  /// What is compared with all others, or put into others, is bounded.
  @Test(arguments: [
    "Channel c\nFar :far:\nNear :near:\nPatterns "
      + (0..<20_000).map { "a\($0)* !b\($0)%" }.joined(separator: " "),
    (0..<1_200).map { "Channel c\($0)\nFar :far:x\($0)\nNear :near:y\nSync Pull\n" }
      .joined(separator: "\n"),
  ])
  func manyMailboxes(_ channels: String) {
    let text = """
      IMAPAccount a
      Host h.example
      User u
      PassCmd p

      IMAPStore far
      Account a

      MaildirStore near
      Path ~/M/
      Inbox ~/M/INBOX

      \(channels)
      """
    let time = ProcessorTime.measure {
      #expect(remarks(Array(text.utf8)).contains { $0.contains("more than 300 mailboxes") })
    }
    #expect(time < .seconds(5))
  }

  @Test func valuesOfValuesHaveALimit() {
    let many = (0..<9).map { number in
      "v\(number) = " + String(repeating: "%(v\(number + 1))s", count: 1_000)
    }
    let text = "[Account a]\n" + many.joined(separator: "\n") + "\nv9 =\nself = %(self)s\n"
    let time = ProcessorTime.measure {
      #expect(remarks(Array(text.utf8)).contains { $0.contains("not there: write it out") })
    }
    #expect(time < .seconds(5))
  }
}
