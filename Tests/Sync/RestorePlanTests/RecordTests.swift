import MailModel
import RestorePlan
import TestSupport
import Testing

@Suite("Records of restores")
struct RecordTests {
  private static let inbox = MailboxName(wire: Array("INBOX".utf8))
  private static let other = MailboxName(wire: Array("a b%".utf8))

  private static let origin = Array("user mail.example.org".utf8)
  private static let head =
    RestoreRecords.title + RestoreRecords.origin(origin) + RestoreRecords.opening(inbox, 7)

  private static func mailbox(
    _ name: MailboxName,
    _ validity: UInt32,
    in octets: [UInt8]
  ) -> RestoreRecords.Mailbox {
    var mailbox = RestoreRecords.Mailbox()
    for section in RestoreRecords(octets: octets, of: origin).sections(of: name, validity) {
      mailbox.apply(section: octets[section])
    }
    return mailbox
  }

  private static func octets(_ lines: [RestoreRecords.Line]) -> [UInt8] {
    lines.flatMap(\.octets)
  }

  @Test func whatIsWrittenIsRead() throws {
    let first: [RestoreRecords.Line] = [
      .begun(try digest(1), uidNext: 5), .begun(try digest(1), uidNext: 5),
      .begun(try digest(2), uidNext: 5), .there(try digest(1), uid: 5, .unseen),
      .none(try digest(2)),
    ]
    let second: [RestoreRecords.Line] = [.there(try digest(3), uid: 9, .other)]
    let third: [RestoreRecords.Line] = [.there(try digest(1), uid: 5, .same)]
    let octets =
      Self.head + Self.octets(first)
      + RestoreRecords.opening(Self.other, 7) + Self.octets(second)
      + RestoreRecords.opening(Self.inbox, 7) + Self.octets(third)
    var inbox = RestoreRecords.Mailbox()
    for line in first + third { inbox.applyLine(line) }
    #expect(Self.mailbox(Self.inbox, 7, in: octets) == inbox)
    #expect(inbox.open.map(\.uidNext) == [5])
    #expect(inbox.messages(of: try digest(1)) == [5] && inbox.proof(of: 5) == .same)
    #expect(inbox.last == 5 && inbox.known == [5])
    #expect(Self.mailbox(Self.other, 7, in: octets).proof(of: 9) == .other)
    #expect(Self.mailbox(Self.inbox, 8, in: octets) == RestoreRecords.Mailbox())
  }

  /// Over what the server hung up, until it takes it.
  @Test func whatBreaksTheConnectionIsRead() throws {
    let lines: [RestoreRecords.Line] = [
      .begun(try digest(1), uidNext: 5), .breaks(try digest(1)), .none(try digest(1)),
      .breaks(try digest(2)), .there(try digest(2), uid: 5, .unseen),
    ]
    let mailbox = Self.mailbox(Self.inbox, 7, in: Self.head + Self.octets(lines))
    #expect(mailbox.breaking == [try digest(1)])
    #expect(mailbox.open.isEmpty && mailbox.known == [5])
  }

  /// A run that was killed left the end of a line behind, or of another one before it.
  @Test func anyCutLeavesWhatStandsBeforeIt() throws {
    let lines: [RestoreRecords.Line] = [
      .begun(try digest(1), uidNext: 5), .there(try digest(1), uid: 5, .same),
    ]
    let all = Self.head + Self.octets(lines)
    let firstEnd = Self.head.count + lines[0].octets.count
    for count in 0..<(all.count - 1) {
      let mailbox = Self.mailbox(Self.inbox, 7, in: Array(all[..<count]))
      let expected = count + 1 < firstEnd ? 0 : 1
      #expect(mailbox.open.count == expected && mailbox.isEmpty, "\(count)")
      // What the next run writes counts whatever stands before it.
      let next =
        Array(all[..<count]) + [0x0A] + RestoreRecords.origin(Self.origin)
        + RestoreRecords.opening(Self.inbox, 7) + lines[1].octets
      let isKnown = count + 1 >= RestoreRecords.title.count
      #expect(Self.mailbox(Self.inbox, 7, in: next).isEmpty == !isKnown, "\(count)")
    }
  }

  /// The same mailbox and UIDVALIDITY of another user or server are another mailbox, and so is what nobody is named for.
  @Test func whatIsOfOthersDoesNotCount() throws {
    let other = RestoreRecords.origin(Array("other mail.example.org".utf8))
    let own = RestoreRecords.origin(Self.origin)
    let opening = RestoreRecords.opening(Self.inbox, 7)
    let lines = try (1...4).map { number in
      RestoreRecords.Line.there(try digest(number), uid: UInt32(number), .same).octets
    }
    let parts = [
      RestoreRecords.title, opening, lines[0], own, opening, lines[1], other, opening, lines[2],
    ]
    let octets = parts.flatMap { $0 }
    #expect(Self.mailbox(Self.inbox, 7, in: octets).known == [2])
    var unnamed = RestoreRecords.Mailbox()
    let records = RestoreRecords(octets: octets, of: Self.origin)
    for section in records.unnamedSections(of: Self.inbox, 7) {
      unnamed.apply(section: octets[section])
    }
    #expect(unnamed.known == [1])
    #expect(!RestoreRecords(octets: octets, of: Self.origin).endsAtOrigin)
    let more = octets + own
    #expect(RestoreRecords(octets: more, of: Self.origin).endsAtOrigin)
    #expect(Self.mailbox(Self.inbox, 7, in: more + opening + lines[3]).known == [2, 4])
    #expect(Self.mailbox(Self.inbox, 7, in: more + lines[3]).known == [2])
  }

  @Test(arguments: [
    "there 5 same", "there x same DIGEST", "there 5 what DIGEST", "begun DIGEST", "none 3 DIGEST",
    "breaks 3 DIGEST",
    "there 5 same DIGESTx", "there 99999999999 same DIGEST", "what", " ",
  ])
  func linesThatMeanNothingArePassedOver(_ line: String) throws {
    let hex = String(decoding: try digest(1).hex, as: UTF8.self)
    let text = line.split(separator: "DIGEST", omittingEmptySubsequences: false).joined(
      separator: hex
    )
    let octets =
      Self.head + Array("\(text)\n".utf8)
    #expect(Self.mailbox(Self.inbox, 7, in: octets) == RestoreRecords.Mailbox())
  }

  @Test func digestsAreHexadecimal() throws {
    let octets = (0..<32).map { UInt8($0 * 7) }
    let digest = try #require(WireDigest(octets))
    #expect(WireDigest(hex: digest.hex) == digest)
    #expect(digest.hex.starts(with: "00070e15".utf8))
    #expect(WireDigest(octets.dropLast()) == nil && WireDigest(hex: digest.hex.dropLast()) == nil)
    #expect(try digest != RecordTests.changed(octets))
  }

  private static func changed(_ octets: [UInt8]) throws -> WireDigest {
    try #require(WireDigest(octets.dropLast() + [0]))
  }
}
