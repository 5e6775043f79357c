import Octets

/// What the messages of the judge look like: the token and its revision stand in the subject and in the body.
///
/// Kinds: plain, nomid (no Message-ID), mid=tN (that token's), 8bit, long, parts (with an attachment of 120,000 octets),
/// nomidparts (such a one without Message-ID).
enum JudgeMessage {
  /// A message as it is on the wire.
  static func wire(_ token: String, _ revision: Int, _ kind: String) -> [UInt8] {
    let number = Int(token.dropFirst()) ?? 0
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
    let words = line.split(separator: ASCII.space)
    guard words.count == 2,
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
