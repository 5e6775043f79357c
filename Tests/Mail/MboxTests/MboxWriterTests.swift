import MailModel
@testable import Mbox
import Octets
import TestSupport
import Testing

@Suite("Messages written as mbox")
struct MboxWriterTests {
  private static func written(_ octets: [UInt8], by size: Int) -> [UInt8] {
    var writer = MboxWriter()
    var text: [UInt8] = []
    for start in stride(from: 0, to: octets.count, by: size) {
      text += writer.write(octets[start..<min(octets.count, start + size)])
    }
    return text + writer.finish()
  }

  @Test(
    "a text",
    arguments: [
      ("A: b\n\nText\n", "A: b\n\nText\n\n"), ("A: b\n\nText", "A: b\n\nText\n\n"),
      ("A: b\n\nFrom x\n", "A: b\n\n>From x\n\n"), ("A: b\n\n>From x\n", "A: b\n\n>>From x\n\n"),
      ("A: b\n\n>>>From x\n", "A: b\n\n>>>>From x\n\n"),
      ("A: b\n\n> From x\n", "A: b\n\n> From x\n\n"),
      ("A: b\r\n\r\nFrom x\r\n", "A: b\n\n>From x\n\n"), ("A: b\n\nFrom", "A: b\n\nFrom\n\n"),
      ("A: b\n\nFro\nFrom:\n", "A: b\n\nFro\nFrom:\n\n"), ("", "\n"), ("A: b\n", "A: b\n\n"),
      ("A: b\n\nx\ry\n", "A: b\n\nx\ry\n\n"), ("From ", ">From \n\n"),
      ("A: b\n\n>", "A: b\n\n>\n\n"),
    ]
  )
  func text(octets: String, expected: String) {
    for size in [1, 2, 3, 1000] {
      let text = Self.written([UInt8](octets.utf8), by: size)
      #expect(String(decoding: text, as: UTF8.self) == expected)
    }
  }

  @Test(
    "a separator",
    arguments: [
      ("a@x", "From a@x Thu Jul  9 13:00:00 2026\n"),
      ("", "From MAILER-DAEMON Thu Jul  9 13:00:00 2026\n"),
      ("a b@x", "From MAILER-DAEMON Thu Jul  9 13:00:00 2026\n"),
      ("a\nb@x", "From MAILER-DAEMON Thu Jul  9 13:00:00 2026\n"),
    ]
  )
  func separator(sender: String, expected: String) {
    let line = MboxWriter.separator(sender: [UInt8](sender.utf8), date: 1_783_602_000)
    #expect(String(decoding: line, as: UTF8.self) == expected)
    #expect(MboxSeparator(line.dropLast())?.date == 1_783_602_000)
  }

  @Test(
    "flags and tags",
    arguments: [
      ("S", "", "Status: RO\n"), ("", "", "Status: O\n"),
      ("DFRS", "", "Status: RO\nX-Status: AFT\n"),
      ("S", "work,home office", "Status: RO\nX-Keywords: work, home office,\n"),
      ("P", "a", "Status: O\nX-Keywords: a, $Forwarded,\n"),
    ]
  )
  func fields(letters: String, words: String, expected: String) {
    let flags = SystemFlags(letters.utf8.compactMap { SystemFlags(character: $0) })
    let tags = words.split(separator: ",").map { [UInt8]($0.utf8) }
    let text = MboxWriter.fields(flags, tags: tags)
    #expect(String(decoding: text, as: UTF8.self) == expected)
    let read = ContainerFields(text)
    #expect(read.flags == flags)
    #expect(read.tags == tags)
    #expect(read.rest.isEmpty)
  }

  @Test("many signs before From come back", arguments: [999, 1000, 1001, 2000])
  func signs(count: Int) {
    let message = [UInt8](("A: b\n\n" + String(repeating: ">", count: count) + "From x\n").utf8)
    var reader = MboxReader()
    var read: [UInt8] = []
    let start = [UInt8]("From a@x Thu Jul  9 13:00:00 2026\n".utf8)
    for event in reader.read((start + Self.written(message, by: 7))[...]) + reader.finish() {
      switch event {
      case .head(let head): read += head.octets
      case .body(let octets): read += octets
      case .end: break
      }
    }
    #expect(read == message)
  }

  /// Thunderbird takes each line `From ` for the beginning of a message, whatever is before and behind it; it removes one sign from
  /// `>From `, `>>From ` and so on, and one empty line behind a message.
  private static func readByThunderbird(_ mbox: String) -> [String] {
    var messages: [[Substring]] = []
    for line in mbox.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("From ") {
        messages.append([])
      } else if let last = messages.indices.last {
        let isQuoted = line.hasPrefix(">") && line.drop { $0 == ">" }.hasPrefix("From ")
        messages[last].append(isQuoted ? line.dropFirst() : line)
      }
    }
    return messages.map { $0.dropLast().map { $0 + "\n" }.joined() }
  }

  @Test(
    "by the rules of Thunderbird",
    arguments: [
      "", "Text\n", "\n\nText\n\n\n", "From x\n", "\nFrom x\n\n", ">From x\n",
      ">>From x\n>From y\n",
      "From a@x Thu Jul  9 13:00:00 2026\nSubject: b\n\nText\n",
      "From - Thu Jul  9 13:00:00 2026\n",
      "From \n", "From\n", "From:\n", " From x\n", "> From x\n", ">\n", "--b\n\nFrom: x\n\n--b--\n",
      "X-Mozilla-Status: 0008\n", "\n\n\nFrom x\n\n\n\n",
    ]
  )
  func thunderbird(text: String) {
    let messages = ["one", "two"].map { "Subject: \($0)\n\n\(text)" }
    let mbox = messages.map { message in
      MboxWriter.separator(sender: [UInt8]("a@x".utf8), date: 1_783_602_000)
        + Self.written([UInt8](message.utf8), by: 3)
    }.joined()
    #expect(Self.readByThunderbird(String(decoding: Array(mbox), as: UTF8.self)) == messages)
  }

  /// Messages put together of lines that separators and quoting are about.
  private static func message(_ random: inout some RandomNumberGenerator) -> [UInt8] {
    let lines = [
      "", "", "Text", "From here on", ">From one", ">>From two",
      "From a@x Thu Jul  9 13:00:00 2026",
      "Subject: a", "Date: b", "From: c", ">", ">>", "From ", "From", "--b", " ", "\t", "F", ".",
      "Content-Length: 12", "X-Mozilla-Status: 0008", "\u{FF}", "Fro\rm", "\0",
    ]
    var text = [UInt8](
      "Subject: \(UInt32.random(in: 0...(.max), using: &random))\nFrom: a@x\n".utf8
    )
    if Bool.random(using: &random) { return text }
    text.append(ASCII.lineFeed)
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      text += [UInt8](lines.randomElement(using: &random)?.utf8 ?? "".utf8) + [ASCII.lineFeed]
    }
    return text
  }

  @Test("what is written is read as it was: 2,000 messages", arguments: [MboxKind.auto, .rd])
  func roundTrip(kind: MboxKind) {
    var random = SeededGenerator(seed: 17)
    let messages = (0..<2000).map { _ in Self.message(&random) }
    var mbox: [UInt8] = []
    for message in messages {
      mbox += MboxWriter.separator(sender: [UInt8]("a@x".utf8), date: 1_783_602_000)
      mbox += MboxWriter.fields(.seen, tags: [])
      mbox += Self.written(message, by: Int.random(in: 1...40, using: &random))
    }
    var reader = MboxReader(kind)
    var read: [[UInt8]] = []
    var events = reader.read(mbox[...])
    events += reader.finish()
    for event in events {
      switch event {
      case .head(let head): read.append(ContainerFields(head.octets).rest)
      case .body(let octets): read[read.count - 1] += octets
      case .end: break
      }
    }
    #expect(read.count == messages.count)
    for (was, expected) in zip(read, messages) where was != expected {
      Issue.record(
        "\(String(decoding: expected, as: UTF8.self).debugDescription) came back as \(String(decoding: was, as: UTF8.self).debugDescription)"
      )
      break
    }
    #expect(reader.lookalikes == 0)
  }
}
