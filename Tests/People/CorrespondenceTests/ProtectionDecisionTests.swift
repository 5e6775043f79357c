import Configuration
import Correspondence
import Platform
import Protection
import TestSupport
import Testing

/// What is decided about protection before any program runs; the tables are in Fixtures.
struct ProtectionDecisionTests {
  /// The lines of a table, each cut at its blanks; what follows the last column stays together.
  private static func rows(_ name: String, _ columns: Int) throws -> [[String]] {
    let text = try #require(Files.text(Fixtures.path("Fixtures/\(name)")))
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let words = line.split(separator: " ").map { "\($0)" }
      return Array(words.prefix(columns)) + [words.dropFirst(columns).joined(separator: " ")]
    }
  }

  private static func list(_ text: String) -> [[UInt8]] {
    text == "-" ? [] : text.split(separator: ",").map { Array($0.utf8) }
  }

  @Test func textIsQuotedWhereItIsKnownWhoGetsIt() throws {
    let rows = try Self.rows("quotations.txt", 5)
    #expect(rows.count >= 33)
    for row in rows {
      var facts = QuotationFacts(own: OwnAddresses([Array("me@x.test".utf8)]))
      facts.verdict = Verdict(rawValue: row[0])
      facts.sender = SenderMatch(rawValue: row[1])
      #expect((facts.verdict == nil) == (row[0] == "-") && (facts.sender == nil) == (row[1] == "-"))
      facts.author = Array("ada@x.org".utf8)
      facts.protected = Self.list(row[2])
      facts.recipients = Self.list(row[3])
      facts.isClear = row[4].contains("clear")
      facts.canAsk = row[4].contains("ask")
      facts.isAllowed = row[4].contains("--quote")
      let decision =
        switch QuotationDecision.decide(facts) {
        case .quoted: "quoted"
        case .left: "left"
        case .asked(let addresses):
          (["ask"] + addresses.map { String(decoding: $0, as: UTF8.self) }).joined(separator: " ")
        }
      #expect(decision == row[5], "\(row)")
    }
  }

  @Test func optionsCountMoreThanTheAccount() throws {
    let rows = try Self.rows("protections.txt", 4)
    #expect(rows.count >= 30)
    for row in rows {
      var wishes = DraftProtection.Wishes(try Self.settings(row[2]))
      let options = row[0].split(separator: ",")
      wishes.signs = options.contains("sign") ? true : options.contains("no-sign") ? false : nil
      wishes.encrypts =
        options.contains("encrypt") ? true : options.contains("no-encrypt") ? false : nil
      wishes.draft = row[1] == "-" ? nil : DraftProtection(text: Array(row[1].utf8))
      wishes.concernsEncrypted = row[3] != "no"
      wishes.mayHoldText = row[3].hasPrefix("text")
      wishes.allowsText = row[3].hasSuffix("--quote")
      let decision =
        switch DraftProtection.decide(wishes) {
        case .refused(let instead): "refused " + Self.text(instead)
        case .decided(nil): "nothing"
        case .decided(let protection?): Self.text(protection)
        case .ifPossible(let protection): Self.text(protection) + " if-possible"
        }
      #expect(decision == row[4], "\(row)")
    }
  }

  private static func text(_ protection: DraftProtection) -> String {
    String(decoding: protection.text, as: UTF8.self).replacing(", ", with: ",")
  }

  /// The settings of an account whose section has these words.
  private static func settings(_ words: String) throws -> ProtectionSettings {
    let lines = words.split(separator: ",").filter { $0 != "-" }
      .map { $0 == "sign" ? "sign = true" : "encrypt = \"\($0)\"" }
    let directory = try TempDirectory("settings")
    let file = try directory.write(
      """
      [account.work]
      smtp = "smtp+plain://127.0.0.1"
      [account.work.crypto]
      \(lines.joined(separator: "\n"))
      """,
      to: "config.toml"
    )
    let configuration = try Configuration.load(explicit: Path(file))
    return try #require(configuration.senders.first).composing.protection
  }

  /// Words of a line in the editor, and what they ask for.
  @Test(arguments: [
    ("sign", "sign"), ("Sign ,  ENCRYPT", "sign, encrypt"), ("encrypt,encrypt", "encrypt"),
    ("", "none"), ("none", "none"), ("  ", "none"), ("no", nil), ("sign encrypt", nil),
    ("if-possible", "if-possible"), ("if-possible, sign", "sign, if-possible"),
    ("if-possible, encrypt", "encrypt"), ("encrypt, if-possible", "encrypt"),
    ("none, if-possible", nil), ("if possible", nil), ("sign,", nil), ("none, sign", nil),
    ("sing", nil), ("sign; encrypt", nil),
  ])
  func aLineIsRead(_ text: String, _ result: String?) {
    let protection = DraftProtection(text: Array(text.utf8))
    #expect(protection.map { String(decoding: $0.text, as: UTF8.self) } == result)
  }
}
