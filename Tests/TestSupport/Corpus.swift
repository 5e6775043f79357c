/// Mails of many shapes, the same in every run for the same seed.
package struct Corpus: Sendable {
  /// The shapes of mail that have broken a mail program somewhere.
  package enum Shape: CaseIterable, Sendable {
    /// A short text in ASCII.
    case plain
    /// Raw octets above 127 in header and body, not all of them UTF-8.
    case eightBit
    /// Parts, one of them a large attachment in base64.
    case attachment
    /// No Message-ID.
    case anonymous
    /// A header and no body.
    case bodiless
    /// A header without the empty line after it.
    case headerOnly
    /// LF without CR inside a body, which a server may or may not mend.
    case bareLineFeed
    /// Lines far above the 998 octets of RFC 5322.
    case longLines
    /// No line end at the end.
    case unfinished
    /// Lines that look like mbox and IMAP: "From ", a lone dot, a literal's braces.
    case lookalikes
    /// A header of many lines.
    case folded
  }

  private var random: SeededGenerator
  private var count = 0

  /// Mails that depend on the seed alone.
  package init(seed: UInt64 = 1) {
    random = SeededGenerator(seed: seed)
  }

  /// The next mails, going through all shapes again and again.
  package mutating func take(_ number: Int) -> [[UInt8]] {
    (0..<number).map { _ in next() }
  }

  /// The next mail, of the next shape.
  package mutating func next() -> [UInt8] {
    next(Shape.allCases[count % Shape.allCases.count])
  }

  /// The next mail, of one shape.
  package mutating func next(_ shape: Shape) -> [UInt8] {
    count += 1
    var head = header()
    if shape == .anonymous { head.removeAll { $0.hasPrefix("Message-ID") } }
    if shape == .folded { head.append(folded()) }
    let start = Array(head.joined(separator: "\r\n").utf8)
    if shape == .headerOnly { return start + [13, 10] }
    return start + extra(shape) + [13, 10, 13, 10] + body(shape)
  }

  private mutating func header() -> [String] {
    [
      "Return-Path: <sender\(Int.random(in: 1...400, using: &random))@example.org>",
      "Date: Mon, 06 Jan 2025 12:\(10 + count % 50):00 +0000",
      "From: Ada <ada@example.org>",
      "To: user@example.net",
      "Message-ID: <\(random.next()).\(count)@corpus.example>",
      "Subject: \(words(Int.random(in: 2...8, using: &random))) (\(count))",
    ]
  }

  private func extra(_ shape: Shape) -> [UInt8] {
    switch shape {
    case .eightBit: Array("\r\nX-Name: J".utf8) + [0xfc] + Array("rgen and привет".utf8)
    case .attachment:
      Array("\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b".utf8)
    default: []
    }
  }

  private mutating func body(_ shape: Shape) -> [UInt8] {
    switch shape {
    case .bodiless: []
    case .eightBit: Array("Grüße, 東京\r\n".utf8) + [0xff, 0xfe, 0x80, 13, 10]
    case .attachment: attachment()
    case .bareLineFeed: Array("one\r\ntwo\nthree\n\r\nfour\r\n".utf8)
    case .longLines: Array((words(3_000) + "\r\nshort\r\n").utf8)
    case .unfinished: Array((words(20) + "\r\nno end").utf8)
    case .lookalikes:
      Array("From me\r\n.\r\n>From you\r\n* 1 FETCH {12}\r\na OK done\r\n)\r\n".utf8)
    case .plain, .anonymous, .headerOnly, .folded: Array((words(60) + "\r\n").utf8)
    }
  }

  private mutating func attachment() -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let start = ["--b", "", words(30), "--b", "Content-Transfer-Encoding: base64", "", ""]
    var text = Array(start.joined(separator: "\r\n").utf8)
    for _ in 0..<Int.random(in: 50...2_000, using: &random) {
      var word = random.next()
      for position in 0..<76 {
        if position % 10 == 0 { word = random.next() }
        text.append(alphabet[Int(word & 63)])
        word >>= 6
      }
      text += [13, 10]
    }
    return text + Array("--b--\r\n".utf8)
  }

  private func folded() -> String {
    "References: " + (0..<200).map { "<\($0).\(count)@corpus.example>" }.joined(separator: "\r\n ")
  }

  private mutating func words(_ number: Int) -> String {
    let choice = ["the", "agenda", "invoice", "release", "patch", "meeting", "of", "and", "to"]
    return (0..<number).map { _ in choice.randomElement(using: &random) ?? "" }
      .joined(separator: " ")
  }
}
