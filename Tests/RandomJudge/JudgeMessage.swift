import Octets

/// What the messages of the judge look like: the token and its revision stand in the subject and in the body.
///
/// Kinds: plain, nomid (no Message-ID), mid=tN (that token's), 8bit, long, parts (with an attachment of 120,000 octets),
/// nomidparts (such a one without Message-ID), twin=tN (all headers and the size of that token's first revision, a plain one's),
/// longtwin=tN (a longer one), nomidtwin=tN and nomidlongtwin=tN (those of one without Message-ID).
enum JudgeMessage {
  /// A message as it is on the wire.
  static func wire(_ token: String, _ revision: Int, _ kind: String) -> [UInt8] {
    let kind = plain(kind)
    let number = Int(token.dropFirst()) ?? 0
    if let twin = Twin(kind) { return twin.wire(token, revision) }
    var lines = [
      "From: Judge <judge@example.org>",
      "Date: Mon, 06 Jan 2025 12:\(padded(number % 60, 2, "0")):00 +0000",
      "Subject: \(token) r\(revision)",
    ]
    if kind.hasPrefix("mid=") {
      lines.append("Message-ID: <\(kind.dropFirst(4))@judge.example.org>")
    } else if kind != "nomid", kind != Parts.namelessKind {
      lines.append("Message-ID: <\(token)@judge.example.org>")
    }
    if Parts.kinds.contains(kind) {
      lines += parts(token, revision)
    } else {
      lines += ["", "\(padded(token, 5, " ")) r\(revision)"]
    }
    if kind == "8bit" { lines += ["Grüße, Jürgen", ".", "..", "From here"] }
    if kind == "long" {
      lines += (0..<40).map { "line \($0) of \(token) " + String(repeating: "x", count: 60) }
    }
    if revision > 1, number % 2 == 1 {
      lines += Array(repeating: "a longer text", count: revision)
    }
    return Array((lines + [""]).joined(separator: "\r\n").utf8)
  }

  /// The rest of the header, a text and an attachment that tells the token.
  private static func parts(_ token: String, _ revision: Int) -> [String] {
    let line = "\(padded(token, 8, "A"))\(padded(revision, 8, "0"))"
    return [
      "MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=\"=_b\"", "", "--=_b",
      "Content-Type: text/plain; charset=utf-8", "", "\(padded(token, 5, " ")) r\(revision)",
      "--=_b", "Content-Type: application/octet-stream; name=\"\(token).bin\"",
      "Content-Disposition: attachment; filename=\"\(token).bin\"",
      "Content-Transfer-Encoding: base64", "",
    ] + Array(repeating: String(repeating: line, count: 4), count: 2500) + ["--=_b--"]
  }

  /// The kind without what it says of the date.
  private static func plain(_ kind: String) -> String {
    kind.hasPrefix(Window.mark) ? String(kind.dropFirst(Window.mark.count)) : kind
  }

  /// Whether messages of a kind have no Message-ID.
  static func isNameless(_ kind: String) -> Bool { plain(kind).hasPrefix("nomid") }

  /// Whether messages of a kind have the headers of another one.
  static func isTwin(_ kind: String) -> Bool { origin(ofTwin: kind) != nil }

  /// The token whose headers messages of a kind have; nil where they have their own.
  static func origin(ofTwin kind: String) -> String? { Twin(plain(kind))?.origin }

  /// The kind of a message that is like another one; nil where there is none.
  static func twin(of token: String, _ kind: String, isLonger: Bool) -> String? {
    let kind = plain(kind)
    guard ["plain", "nomid", "long", "8bit"].contains(kind) || Twin(kind) != nil else { return nil }
    let origin = Twin(kind)?.origin ?? token
    return (isNameless(kind) ? "nomid" : "") + (isLonger ? "longtwin=" : "twin=") + origin
  }

  /// A message with the headers of another one.
  private struct Twin {
    let origin: String
    private let isNameless: Bool
    private let isLonger: Bool

    init?(_ kind: String) {
      let parts = kind.split(separator: "=")
      guard parts.count == 2, parts[0].hasSuffix("twin") else { return nil }
      origin = String(parts[1])
      isNameless = parts[0].hasPrefix("nomid")
      isLonger = parts[0].hasSuffix("longtwin")
    }

    func wire(_ token: String, _ revision: Int) -> [UInt8] {
      let head = JudgeMessage.wire(origin, 1, isNameless ? "nomid" : "plain")
      var lines = ["\(padded(token, 5, " ")) r\(revision)", ""]
      if isLonger { lines.insert("A footer of a list.", at: 1) }
      let text = "\(padded(origin, 5, " ")) r1\r\n"
      return head.dropLast(text.utf8.count) + Array(lines.joined(separator: "\r\n").utf8)
    }
  }

  /// The octets of a file.
  static func file(_ token: String, _ revision: Int, _ kind: String) -> [UInt8] {
    stored(wire(token, revision, kind))
  }

  /// What is on the wire, as it is in a file.
  static func stored(_ wire: [UInt8]) -> [UInt8] { wire.filter { $0 != ASCII.carriageReturn } }

  /// Token and revision of a message in either form; nil for what the judge did not make.
  static func identify(_ octets: [UInt8]) -> (token: String, revision: Int)? {
    let mark = Array("\nSubject: ".utf8)
    guard let start = start(of: octets.prefix(400), behind: mark), start < octets.endIndex,
      octets[start] == UInt8(ascii: "t")
    else { return nil }
    let line = octets[start...].prefix { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
    return text(of: octets).flatMap(said) ?? said(line)
  }

  /// The first line of the text.
  private static func text(of octets: [UInt8]) -> ArraySlice<UInt8>? {
    let head = octets.prefix(600)
    let start =
      start(of: head, behind: Array("\n\r\n".utf8)) ?? start(of: head, behind: Array("\n\n".utf8))
    return start.map { octets[$0...].prefix { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn } }
  }

  /// What a line tells, of which a "t" is the first letter.
  private static func said(_ line: ArraySlice<UInt8>) -> (token: String, revision: Int)? {
    let words = line.split(separator: ASCII.space)
    guard words.count == 2, words[0].first == UInt8(ascii: "t"),
      words[1].first == UInt8(ascii: "r"),
      let revision = Int(String(decoding: words[1].dropFirst(), as: UTF8.self))
    else { return nil }
    return (String(decoding: words[0], as: UTF8.self), revision)
  }

  /// Where what follows the mark begins; nil where it is not there.
  private static func start(of octets: ArraySlice<UInt8>, behind mark: [UInt8]) -> Int? {
    var place = octets.startIndex
    while place + mark.count <= octets.endIndex {
      if octets[place] == mark[0], octets[place..<place + mark.count].elementsEqual(mark) {
        return place + mark.count
      }
      place += 1
    }
    return nil
  }

  private static func padded(_ value: some CustomStringConvertible, _ width: Int, _ fill: String)
    -> String
  {
    let text = value.description
    return String(repeating: fill, count: max(0, width - text.count)) + text
  }
}

/// The order of tokens: t2 before t10.
func number(of token: String) -> Int { Int(token.dropFirst()) ?? 0 }
