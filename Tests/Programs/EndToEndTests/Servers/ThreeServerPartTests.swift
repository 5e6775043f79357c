import TestSupport
import Testing

/// Messages without their attachments, and parts that are fetched alone, on servers that are not Dovecot.
///
/// What a server does otherwise than it should costs a round trip or a whole fetch, never an octet.
@Suite struct ThreeServerPartTests {
  /// A mailbox with the messages of the fixtures, mirrored without their attachments.
  private final class Scene {
    let kind: OtherServer
    let stage: OtherStage
    let cases: [Fixture]

    init(_ kind: OtherServer, _ cases: [Fixture]) throws {
      self.kind = kind
      self.cases = cases
      stage = try OtherStage(kind, sync: "size-limit = \"100kB\"")
      for (number, block) in cases.enumerated() {
        try stage.append(Scene.message(number, block), flags: "\\Seen")
      }
      try stage.sync()
    }

    private static func message(_ number: Int, _ block: Fixture) throws -> [UInt8] {
      let head = "From: a@example.org\r\nSubject: case \(number)\r\nMIME-Version: 1.0\r\n"
      let id = "Message-ID: <case\(number)@parts.example.org>\r\n"
      let mark = Array("LARGE\r\n".utf8)
      let body = try block.wire()
      var large: [UInt8] = []
      for line in 0..<1600 {
        let word = "QU\(String(1000 + line).suffix(2))"
        large += Array("\(String(repeating: word, count: 19))\r\n".utf8)
      }
      guard let start = body.indices.first(where: { body[$0...].starts(with: mark) }) else {
        throw HarnessError("\(block): nothing large")
      }
      return Array((head + id).utf8) + body[..<start] + large + body[(start + mark.count)...]
    }

    func file(_ number: Int) throws -> String {
      let path = "\(stage.maildir)/INBOX/cur/"
      let names = Files.names(in: path).map { path + String(decoding: $0, as: UTF8.self) }
      let file = names.first { Scene.text($0).contains("<case\(number)@") }
      return try #require(file, "no file of \(cases[number])")
    }

    func isPartial(_ number: Int) throws -> Bool {
      Scene.text(try file(number)).contains("access-type=\"x-magnum\"")
    }

    private static func text(_ file: String) -> String {
      String(decoding: Files.read(file) ?? [], as: UTF8.self)
    }

    /// Saves a part; gives the names and octets of what was saved.
    func save(_ part: String, of number: Int, to folder: String) throws -> [String: [UInt8]] {
      let path = stage.program.home["\(folder)/\(number)-\(part)"]
      try Files.makeDirectories(path)
      let words = ["attachments", "save", "--part", part, "--to", path, try file(number)]
      var command = stage.program.command(words)
      command.program = "\(ProgramUnderTest.products)/magnum"
      let outcome = try command.run()
      #expect(outcome.code == 0, "\(cases[number]) \(part): \(outcome)")
      var saved: [String: [UInt8]] = [:]
      for name in Files.names(in: path).map({ String(decoding: $0, as: UTF8.self) }) {
        saved[name] = Files.read("\(path)/\(name)")
      }
      return saved
    }

    func parts(_ number: Int) throws -> [String] {
      try cases[number].text("parts").split(separator: " ").map { "\($0)" }
    }
  }

  /// Each part is what the whole message has there, and only what cannot be had alone makes the message whole.
  @Test(arguments: OtherServer.there)
  func partsAloneAreWhatTheWholeMessageHas(_ kind: OtherServer) throws {
    let cases = try Fixtures.load("Fixtures/parts.txt")
    let scene = try Scene(kind, cases)
    var alone: [[String: [UInt8]]] = []
    for (number, block) in cases.enumerated() {
      let comesWhole = block.lines("comes whole").contains(kind.rawValue)
      #expect(try scene.isPartial(number) != comesWhole, "\(block)")
      for part in try scene.parts(number) {
        let wasPartial = try scene.isPartial(number)
        alone.append(try scene.save(part, of: number, to: "alone"))
        let made = try wasPartial && !scene.isPartial(number)
        let expected = block.lines("makes whole").contains("\(kind.rawValue) \(part)")
        #expect(made == expected, "\(block) \(part)")
      }
    }
    try scene.stage.configure()
    try scene.stage.expectSettled()
    let whole = try cases.indices.flatMap { number in
      try scene.parts(number).map { try scene.save($0, of: number, to: "whole") }
    }
    #expect(alone == whole)
    #expect(alone.allSatisfy { $0.count == 1 })
  }
}
