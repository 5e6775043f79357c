import MIME
import Octets
import TestSupport
import Testing

/// Asks a message everything that can be asked of it; nothing may trap.
@discardableResult
func digest(_ message: Message) -> Int {
  var sum = 0
  for part in message.parts {
    sum &+= part.decodedSize &+ part.losses.count &+ (part.fileName(MIMEText.decoder)?.count ?? 0)
    sum &+= part.plainText(MIMEText.decoder)?.count ?? 0
    sum &+= part.contentID?.octets.count ?? 0
    for field in part.header.fields {
      sum &+= field.text(MIMEText.decoder).count
      sum &+= Address.list(field.body[...], MIMEText.decoder).flatMap(\.mailboxes).count
      sum &+= MessageID.list(field.body).count
      sum &+= Int(truncatingIfNeeded: MessageDate(field.body)?.seconds ?? 0)
    }
    sum &+= Uuencode.blocks(part.body).reduce(0) { $0 + $1.decode().count }
  }
  return sum &+ message.bodies().count &+ message.attachments.count
}

/// Checks that the parts of the tree cover their message: header, empty line and body, in order,
/// none outside of what it lies in.
func expectWhole(_ message: Message) {
  #expect(message.root.octets == message.octets[...])
  for part in message.parts {
    let header = part.header.octets
    #expect(part.octets.starts(with: header))
    let between = part.octets.dropFirst(header.count).prefix {
      $0 == ASCII.carriageReturn || $0 == ASCII.lineFeed
    }
    let type = part.header.first("Content-Type").flatMap { ContentType($0.body) }
    if part.kind == .leaf, type?.isType("multipart") == true {
      // Without parts it may be without the delimiter too.
      #expect(part.body.startIndex >= part.octets.startIndex + header.count)
      #expect(part.body.endIndex <= part.octets.endIndex)
      continue
    }
    #expect(part.octets.endIndex == part.body.endIndex)
    #expect(part.body.startIndex - part.octets.startIndex - header.count <= min(2, between.count))
    guard part.kind == .multipart || part.encoding == .identity, !part.isTNEF else { continue }
    var place = part.body.startIndex
    for child in part.children {
      #expect(child.octets.startIndex >= place)
      #expect(part.body[child.octets.indices] == child.octets)
      place = child.octets.endIndex
    }
    #expect(place <= part.body.endIndex)
  }
}

@Test(arguments: try Mails.all())
func parsingAndWritingKeepsEveryOctet(_ fixture: Fixture) throws {
  expectWhole(Message(try Mails.octets(fixture)))
}

@Test(arguments: try Mails.all())
func everyTruncationIsAMessage(_ fixture: Fixture) throws {
  let octets = try Mails.octets(fixture)
  for end in stride(from: 0, through: octets.count, by: 1 + octets.count / 50) {
    let message = Message([UInt8](octets[..<end]))
    #expect(message.root.octets.count == end)
    digest(message)
  }
}

@Test(arguments: try Mails.all())
func mutationsNeverTrap(_ fixture: Fixture) throws {
  let octets = try Mails.octets(fixture)
  var random = SeededGenerator(seed: UInt64(octets.count))
  for _ in 0..<40 {
    let message = Message(mutated(octets, &random))
    expectWhole(message)
    digest(message)
  }
}

@Test func rubbishNeverTraps() {
  var random = SeededGenerator(seed: 4)
  let pieces: [StaticString] = [
    "<", ">", "=?", "?=", "?Q?", "?B?", "utf-8", "\"", "(", ")", "@", ",", ":", ";", "=", "--b",
    "\r\n", "\n", "\r", " ", "Content-Type: multipart/mixed; boundary=b\n", "a", "*0*", "%", "'",
    "&#x", "&amp", "<!--", "-->", "<a href=", "<td>", "</table>", "<style>", "begin 644 x\n", "\0",
    "Content-Type: text/html\n", "Content-Type: message/rfc822\n", "\n\n", "é", "<p hidden>", "0",
  ]
  for _ in 0..<1500 {
    var octets: [UInt8] = []
    for _ in 0..<Int.random(in: 0..<40, using: &random) {
      octets.append(ascii: pieces.randomElement(using: &random) ?? "")
    }
    let message = Message(octets)
    expectWhole(message)
    digest(message)
    expectClean(PlainText.render(octets), octets)
  }
}

@Test(arguments: try Fixtures.load("Fixtures/html.txt"))
func htmlNeverGivesControls(_ fixture: Fixture) throws {
  let octets = try fixture.octets()
  var random = SeededGenerator(seed: 7)
  for _ in 0..<60 {
    let broken = mutated(octets, &random)
    expectClean(PlainText.render(broken), broken)
  }
}

private func expectClean(_ text: [UInt8], _ html: [UInt8]) {
  for scalar in String(decoding: text, as: UTF8.self).unicodeScalars where scalar != "\n" {
    let isControl = scalar.properties.generalCategory == .control
    #expect(!isControl && scalar.properties.isBidiControl == false, "\(MIMEText.visible(html))")
  }
}

/// The octets with some changed, removed, doubled or moved.
private func mutated(_ octets: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
  var result = octets
  for _ in 0..<Int.random(in: 1...8, using: &random) where result.count > 2 {
    let place = Int.random(in: 0..<result.count, using: &random)
    let length = min(Int.random(in: 1...30, using: &random), result.count - place)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: result[place] = UInt8.random(in: 0...255, using: &random)
    case 1: result.removeSubrange(place..<place + length)
    case 2: result.insert(contentsOf: result[place..<place + length], at: place)
    case 3: result[place] = [0, 10, 13, 34, 45, 60, 61, 62, 63].randomElement(using: &random) ?? 0
    default: result.removeLast(length)
    }
  }
  return result
}

/// What fuzzing has found to be worth keeping (Tests/fuzz).
@Test func whatFuzzingFound() throws {
  let folder = Fixtures.project("Tests/fuzz/corpus/mime")
  let names = Files.names(in: folder)
  #expect(names.count > 20)
  for name in names {
    let octets = try #require(Files.read(Array("\(folder)/".utf8) + name))
    let message = Message(octets)
    digest(message)
    expectWhole(message)
  }
}
