import Testing

@testable import Agents

/// What a person is shown of a message of an agent before it is sent.
@Suite struct ReviewTests {
  private static func keys(_ text: String) -> Set<[UInt8]> {
    Set(text.split(separator: " ").map { Array($0.utf8) })
  }

  /// An address, what is known of the mail of the person, and the warnings.
  static let addresses: [(address: String, thread: String?, written: String, words: String)] = [
    ("a@x.test", "a@x.test b@x.test", "a@x.test", ""),
    ("A@X.Test", "a@x.test", "a@x.test", ""),
    ("c@x.test", "a@x.test", "c@x.test", "not in the thread"),
    ("a@x.test", "a@x.test", "", "never written to"),
    ("c@x.test", "", "", "not in the thread; never written to"),
    ("c@x.test", nil, "c@x.test", ""), ("c@x.test", nil, "", "never written to"),
    ("r@x.test", "r@x.test", "r@x.test", "not From but Reply-To"),
    ("both@x.test", "both@x.test", "both@x.test", ""),
    ("r@x.test.evil.test", "r@x.test", "r@x.test", "not in the thread; never written to"),
  ]

  @Test(arguments: addresses.indices)
  func addressesHaveWarnings(_ index: Int) {
    let row = Self.addresses[index]
    var review = AddressReview()
    review.thread = row.thread.map(Self.keys)
    review.written = Self.keys(row.written)
    review.replyTo = Self.keys("r@x.test both@x.test")
    review.authors = Self.keys("a@x.test both@x.test")
    let words = review.warnings(of: Array(row.address.utf8)).map(\.rawValue)
    #expect(words.joined(separator: "; ") == row.words)
  }

  private static func lines(
    _ message: String,
    to addresses: [String] = [],
    width: Int = 1000
  ) throws -> [String] {
    try MessageReview(
      agent: Array("helper".utf8),
      Array(message.utf8),
      to: addresses.map { Array($0.utf8) },
      nil
    ).rows(width: width)
  }

  /// A text, a subject and addresses that imitate what the program says, however wide the terminal is.
  @Test(arguments: [60, 80, 200])
  func nothingImitatesTheAddresses(_ width: Int) throws {
    let row = { (text: String) in text + String(repeating: " ", count: max(0, width - text.count)) }
    let forged = ["", "To 1 address:", "    ann@x.test", "Subject: about a"].map(row).joined()
    let rows = try Self.lines(
      "From: a@x.test\nSubject: x\(forged)\n\n\(forged)\n\n\(forged)\nTo 1 address:\n",
      to: ["evil@evil.test", "\"ann@x.test\(String(repeating: " ", count: 270))\"@evil.test"],
      width: width
    )
    #expect(rows.allSatisfy { $0.count < width })
    #expect(rows.filter { $0.hasPrefix("To ") } == ["To 2 addresses:"])
    #expect(rows.filter { $0.hasPrefix("Subject: ") }.count == 1)
    let last = rows.suffix(5)
    #expect(last.first == "To 2 addresses:")
    #expect(last.dropFirst().prefix(2).allSatisfy { $0.contains("evil.test") })
    let unmarked = rows.filter { !$0.hasPrefix("| ") && !$0.isEmpty }
    #expect(unmarked.count == 7)
  }

  @Test func manyAddressesLeaveTheWarnedOnesLast() throws {
    let addresses = (0..<100).map { "a\($0)@x.test" }
    let rows = try Self.lines("From: a@x.test\n\ntext\n", to: addresses, width: 80)
    #expect(rows.count { $0.hasPrefix("    a") } == 111)
    #expect(rows.suffix(3).first == "    and 90 more, which are listed above the text")
    #expect(addresses.allSatisfy { address in rows.contains { $0.contains("    \(address)  (") } })
  }

  @Test func nothingSteersTheTerminal() throws {
    let lines = try Self.lines(
      "From: a@x.test\nSubject: =?utf-8?q?a=1B[2J=E2=80=AEb?=\n\none\u{1B}[1A\rtwo\n\u{200B}three\n",
      to: ["a\u{1B}@x.test"]
    )
    #expect(lines.contains("Subject: a [2J\\u{202E}b"))
    #expect(lines.contains("| one\\x1B[1A") && lines.contains("| two"))
    #expect(lines.contains("| \\u{200B}three"))
    #expect(lines.contains("    a\\x1B@x.test  (nothing is known of it)"))
  }

  /// Names of attachments: what no reader sees is shown, and of a long one the end.
  static let names: [(name: String, shown: String)] = [
    ("a.pdf", "a.pdf"), ("inv\u{202E}fdp.exe", "inv\\u{202E}fdp.exe"),
    ("a\u{200B}b\u{2066}.txt", "a\\u{200B}b\\u{2066}.txt"), ("../../a.sh", "../../a.sh"),
    ("a.pdf\(String(repeating: " ", count: 200)).exe", "a.pdf .exe"),
    (
      "a\(String(repeating: "b", count: 200)).exe", "a\(String(repeating: "b", count: 36))…bbbb.exe"
    ),
  ]

  @Test(arguments: names.indices)
  func namesOfAttachmentsAreShownAsTheyAre(_ index: Int) throws {
    let row = Self.names[index]
    let lines = try Self.lines(
      """
      From: a@x.test
      Content-Type: multipart/mixed; boundary=b

      --b

      text
      --b
      Content-Type: image/png
      Content-Disposition: attachment; filename="\(row.name)"

      x
      --b--

      """,
      width: 70
    )
    #expect(lines.contains("Attached: \(row.shown) (image/png)"), "\(lines)")
  }

  @Test func allOfALongTextIsShown() throws {
    let text = (0..<5000).map { "line \($0) \(String(repeating: "x", count: 500))" }
    let lines = try Self.lines("From: a@x.test\n\n\(text.joined(separator: "\n"))\n")
    let shown = Set(lines)
    #expect(text.allSatisfy { shown.contains("| \($0)") })
  }

  @Test func whatCannotBeShownIsNamed() throws {
    let mixed = """
      From: a@x.test
      MIME-Version: 1.0
      Content-Type: multipart/mixed; boundary=b

      --b
      Content-Type: multipart/alternative; boundary=c

      --c

      plain
      --c
      Content-Type: text/html

      <p>other</p>
      --c--
      --b
      Content-Type: application/pdf; name="a.pdf"
      Content-Disposition: attachment

      x
      --b--

      """
    let lines = try Self.lines(mixed)
    #expect(lines.contains("Attached: a.pdf (application/pdf)") && lines.contains("| plain"))
    #expect(lines.contains("(a form in HTML goes with it, which may say something else)"))
    let encrypted = """
      From: a@x.test
      Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b

      --b
      Content-Type: application/pgp-encrypted

      Version: 1
      --b
      Content-Type: application/octet-stream

      x
      --b--

      """
    #expect(try Self.lines(encrypted).contains { $0.contains("its text cannot be shown here") })
  }
}
