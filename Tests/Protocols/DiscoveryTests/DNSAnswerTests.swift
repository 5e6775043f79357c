import Discovery
import Testing

/// Answers of DNS servers.
@Suite struct DNSAnswerTests {
  private static func name(_ text: String) -> [UInt8] {
    text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }

  private static func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }

  /// An answer about `x.test` with records, each with its own name, a type and its data.
  private static func answer(
    _ records: [(name: [UInt8], type: Int, data: [UInt8])],
    flags: Int = 0x8180
  ) -> [UInt8] {
    var octets = number(7) + number(flags) + number(1) + number(records.count) + number(0)
    octets += number(0) + name("x.test") + number(15) + number(1)
    for record in records {
      octets += record.name + number(record.type) + number(1) + [0, 0, 0, 60]
      octets += number(record.data.count) + record.data
    }
    return octets
  }

  /// The name of the question, by a pointer.
  private static let pointer: [UInt8] = [0xC0, 12]

  private static let mail = answer([
    (pointer, 15, number(10) + [2] + Array("mx".utf8) + pointer),
    (name("y.test"), 15, number(5) + name("mail.hoster.example")),
    (pointer, 5, name("other.test")), (pointer, 15, number(0) + [0]),
  ])

  private static let found: [DNSRecord] = [
    .mx(preference: 10, host: Array("mx.x.test".utf8)),
    .mx(preference: 5, host: Array("mail.hoster.example".utf8)),
    .mx(preference: 0, host: []),
  ]

  @Test func recordsOfAllTypes() {
    #expect(DNSAnswer.records(Self.mail, type: .mx) == Self.found)
    let strings = [3] + Array("a=b".utf8) + [0, 2] + Array("; ".utf8)
    let text = Self.answer([(Self.pointer, 16, strings)])
    #expect(DNSAnswer.records(text, type: .txt) == [.txt(Array("a=b; ".utf8))])
    let data = Self.number(1) + Self.number(2) + Self.number(993)
    let service = Self.answer([(Self.pointer, 33, data + Self.name("imap.x.test"))])
    #expect(
      DNSAnswer.records(service, type: .srv) == [
        .srv(priority: 1, weight: 2, port: 993, target: Array("imap.x.test".utf8))
      ]
    )
    #expect(DNSAnswer.records(service, type: .mx) == [])
  }

  @Test func whatIsNoAnswer() {
    #expect(DNSAnswer.records(Self.answer([], flags: 0x8183), type: .mx) == [], "no such name")
    #expect(DNSAnswer.records(Self.answer([], flags: 0x8182), type: .mx) == nil, "a failure")
    #expect(DNSAnswer.records(Self.answer([], flags: 0x0100), type: .mx) == nil, "a question")
    #expect(DNSAnswer.records([], type: .mx) == nil)
  }

  private static let broken: [[UInt8]] = [
    [0xC0, 0x26], [3, 97, 46, 98, 0], [3, 97, 47, 98, 0], [63, 97, 0], [0x80, 0], [0xC0],
    Array(repeatElement([63] + Array(repeating: 97, count: 63), count: 5).joined()) + [0],
  ]

  /// Names that are broken: in circles, with a dot within a label, with a slash, too long, beyond the end.
  @Test(arguments: broken)
  func brokenNames(name: [UInt8]) {
    let answer = Self.answer([(Self.pointer, 15, Self.number(1) + name)])
    #expect(DNSAnswer.records(answer, type: .mx) == [])
  }

  /// Each part of an answer is none, and each with an octet changed is read or refused.
  @Test func everyPartAndManyChanges() {
    for end in Self.mail.indices {
      #expect(DNSAnswer.records(Array(Self.mail[..<end]), type: .mx) == nil)
    }
    for place in Self.mail.indices {
      for octet in [0, 1, 2, 12, 13, 15, 45, 46, 47, 63, 64, 97, 0xC0, 0xFF] as [UInt8] {
        var changed = Self.mail
        changed[place] = octet
        for case .mx(_, let host) in DNSAnswer.records(changed, type: .mx) ?? [] {
          #expect(host.count <= 253 && host.allSatisfy { $0 > 0x2C && $0 < 0x7F && $0 != 0x2F })
        }
      }
    }
  }
}
