import Octets
import Proxies
import TestSupport
import Testing

/// What proxies answer: each of a table, at once and cut at each octet.
@Suite struct ProxyDialogueTests {
  /// What a dialogue came to, what it sent, and how much of what came it left.
  private struct Outcome: Equatable {
    var sent: [UInt8]
    var result: String
    var left: [UInt8]
  }

  private static func dialogue(_ words: [String]) throws(ProxyRefusal) -> ProxyDialogue {
    let target: ProxyTarget =
      switch words[1] {
      case "4": ProxyTarget(name: Array("192.0.2.1".utf8), port: 143, address: [192, 0, 2, 1])
      case "6":
        ProxyTarget(
          name: Array("2001:db8::1".utf8),
          port: 993,
          address: [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [1]
        )
      case "long": ProxyTarget(name: [UInt8](repeating: 0x61, count: 256), port: 993, address: nil)
      default: ProxyTarget(name: Array(words[1].utf8), port: 993, address: nil)
      }
    let login =
      words.count > 2 ? words[2].split(separator: "/", omittingEmptySubsequences: false) : []
    return try ProxyDialogue(
      words[0] == "socks" ? .socks5 : .http,
      to: target,
      login: login.isEmpty
        ? nil : ProxyLogin(user: Array(login[0].utf8), password: Array(login[1].utf8))
    )
  }

  /// Plays a dialogue with a proxy that says this, of which at most `piece` octets come at once.
  private static func play(_ words: [String], _ said: [UInt8], piece: Int) -> Outcome {
    var outcome = Outcome(sent: [], result: "", left: said)
    do throws(ProxyRefusal) {
      var dialogue = try dialogue(words)
      outcome.sent += dialogue.takeOutgoing()
      while !dialogue.isOpen {
        let part = outcome.left.prefix(min(dialogue.wanted, piece))
        if part.isEmpty { outcome.result = "waits"; break }
        outcome.left.removeFirst(part.count)
        try dialogue.receive(part)
        outcome.sent += dialogue.takeOutgoing()
      }
      if outcome.result.isEmpty { outcome.result = "open" }
    } catch {
      outcome.result = "\(error.help): \(error)"
    }
    return outcome
  }

  @Test(arguments: try Fixtures.load("Fixtures/replies.txt"))
  func replies(_ fixture: Fixture) throws {
    let words = fixture.body.split(separator: " ").map { "\($0)" }
    let isSocks = words[0] == "socks"
    let said = try isSocks ? Self.octets(fixture["says"] ?? "") : Self.header(fixture, "says")
    let whole = Self.play(words, said, piece: said.count)
    #expect(whole.result == (try fixture.text("result")))
    if let sent = fixture["sent"] {
      let expected = try isSocks ? Self.octets(sent) : Self.header(fixture, "sent")
      #expect(whole.sent == expected)
    }
    // Behind the end of the reply nothing is read: it is the server's.
    let greeting = Array("* OK ready\r\n".utf8)
    let more = Self.play(words, said + greeting, piece: .max)
    if whole.result == "open" {
      #expect(more == Outcome(sent: whole.sent, result: "open", left: greeting))
    }
    let slow = Self.play(words, said, piece: 1)
    #expect(slow.sent == whole.sent && slow.result == whole.result, "\(slow) \(whole)")
    guard whole.result == "open" else { return }
    for end in said.indices {
      #expect(Self.play(words, Array(said[..<end]), piece: 1).result == "waits", "\(end)")
    }
  }

  /// A header with the empty line behind it, unless it is cut off.
  private static func header(_ fixture: Fixture, _ part: String) throws -> [UInt8] {
    let octets = try fixture.wire(part)
    return octets.last == 10 ? octets + [13, 10] : octets
  }

  /// Octets in hexadecimal digits, and texts in quotation marks.
  private static func octets(_ text: String) throws -> [UInt8] {
    try text.split { $0 == " " || $0 == "\n" }.flatMap { word -> [UInt8] in
      if word.first == "'" { return Array(word.dropFirst().dropLast().utf8) }
      return try #require(Hex.decode(Array(word.utf8)))
    }
  }

  /// A header without an end has a limit, and so have answers before the answer.
  @Test(arguments: ["HTTP/1.1 200 x\r\nX: ", "HTTP/1.1 100 x\r\n\r\n", "HTTP/1.1 200 "])
  func headersHaveALimit(_ start: String) throws {
    var dialogue = try Self.dialogue(["http", "imap.example.org"])
    let filler = start.hasSuffix("\n\r\n") ? Array(start.utf8) : [0x61]
    var count = 0
    do throws(ProxyRefusal) {
      try dialogue.receive(Array(start.utf8))
      while count <= ProxyDialogue.headerLimit {
        try dialogue.receive(filler)
        count += filler.count
      }
      Issue.record("no limit")
    } catch {
      #expect(error.help == .configuration)
    }
  }
}
