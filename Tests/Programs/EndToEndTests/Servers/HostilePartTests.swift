import TestSupport
import Testing

/// Servers that answer questions about parts of messages in ways that are wrong: no octet of that is kept or saved, and each
/// ends in one clear error or in the whole message.
@Suite struct HostilePartTests {
  /// What a server makes of one literal.
  enum Wrong: String, CaseIterable, CustomTestStringConvertible {
    case missing, empty, quoted, shorter, longer, muchLonger, surplus, early, huge, negative
    case otherMessage, unsolicited, endless

    var testDescription: String { rawValue }

    /// What takes the place of a line with the marker of a literal, and of that; nil where it has nothing that could be wrong so.
    func bend(_ line: String, _ literal: [UInt8]) -> [UInt8]? {
      let head = Array(line[..<(line.lastIndex(of: "{") ?? line.endIndex)].utf8)
      let marker = { (count: Int) in head + Array("{\(count)}\r\n".utf8) }
      let count = literal.count
      switch self {
      case .missing: return head + Array("NIL".utf8)
      case .empty: return head + Array("\"\"".utf8)
      case .quoted: return head + Array("\"QUJD\"".utf8)
      case .shorter: return marker(count - 1) + literal.dropLast()
      case .longer: return marker(count + 1) + literal + [65]
      case .muchLonger:
        return marker(count + 900_000) + literal + Array(repeating: 65, count: 900_000)
      case .surplus: return marker(count - 10) + literal
      case .early: return marker(count + 10) + literal
      case .huge: return marker(4 << 30) + literal
      case .negative: return marker(-1) + literal
      case .otherMessage:
        guard line.contains("UID 1 ") else { return nil }
        return Array(line.replacing("UID 1 ", with: "UID 7 ").utf8) + [13, 10] + literal
      case .unsolicited:
        guard line.hasPrefix("* ") else { return nil }
        let flags = "* 1 FETCH (UID 1 FLAGS (\\Seen \\Flagged))\r\n"
        return Array(flags.utf8) + marker(count) + literal
      case .endless: return marker(count) + literal + Array(repeating: 65, count: 20 << 20)
      }
    }
  }

  /// A mailbox with one large message, and a server that bends some answers about it.
  private final class Scene {
    let stage: Stage
    let proxy: BendingProxy

    init(
      command: @escaping @Sendable (String) -> BendingProxy.Fate = { _ in .passed },
      literal: @escaping @Sendable (String, [UInt8]) -> [UInt8]? = { _, _ in nil }
    ) throws {
      stage = try Stage()
      try stage.imap.append(SizeLimitTests.large("large1", lines: 9000), flags: "\\Seen")
      proxy = try BendingProxy(to: stage.server.ports.clear, command: command, literal: literal)
    }

    func configure(isBent: Bool, isLimited: Bool = true) throws {
      try stage.configure(
        url: isBent ? proxy.clearURL : nil,
        sync: isLimited ? "size-limit = \"100kB\"" : ""
      )
    }

    var file: String? {
      let path = "\(stage.maildir)/INBOX/cur/"
      return Files.names(in: path).first.map { path + String(decoding: $0, as: UTF8.self) }
    }

    var text: String { file.flatMap { Files.text($0) } ?? "" }
    var isPartial: Bool { text.contains("access-type=\"x-magnum\"") }

    func magnum(_ words: String...) throws -> Outcome {
      var command = stage.program.command(words + [try #require(file)])
      command.program = "\(ProgramUnderTest.products)/magnum"
      return try command.run()
    }

    /// Saves the attachment; gives what was saved, by name.
    func save(to folder: String) throws -> (outcome: Outcome, files: [String: [UInt8]]) {
      let path = stage.program.home[folder]
      try Files.makeDirectories(path)
      let outcome = try magnum("attachments", "save", "--part", "2", "--to", path)
      var files: [String: [UInt8]] = [:]
      for name in Files.names(in: path).map({ String(decoding: $0, as: UTF8.self) }) {
        files[name] = Files.read("\(path)/\(name)")
      }
      return (outcome, files)
    }

    /// How many files the cache has, finished or not.
    var kept: Int {
      Files.names(in: stage.program.home[".cache/magnum/test/attachments"]).count
    }
  }

  private static func expectOneError(_ outcome: Outcome) {
    let errors = outcome.errors.split(separator: "\n").filter {
      $0.hasPrefix("magnum attachments: ")
    }
    #expect(errors.count == 1, "\(outcome)")
  }

  // MARK: A part

  /// Wrong answers about the first piece, one in the midst, and the last one.
  @Test(arguments: [0, 262_144, 524_288], Turn.part(of: Wrong.allCases))
  func partsThatAreSaved(_ origin: Int, _ wrong: Wrong) throws {
    let scene = try Scene(literal: { line, literal in
      line.contains("BODY[2]<\(origin)> {") ? wrong.bend(line, literal) : nil
    })
    try scene.configure(isBent: false)
    try scene.stage.syncWell()
    #expect(scene.isPartial)
    try scene.configure(isBent: true)
    let (outcome, files) = try scene.save(to: "bent")
    #expect(outcome.peakMemory < 100 * 1024, "\(outcome.peakMemory)")
    switch outcome.code {
    case 0:
      // Alone where nothing was wrong with it, else with the whole message.
      let isRight = wrong == .unsolicited || origin == 0 && wrong == .otherMessage
      #expect(scene.isPartial == isRight)
      #expect(scene.kept == (isRight ? 1 : 0))
    case 69:
      #expect(scene.isPartial && files.isEmpty && scene.kept == 0)
      #expect(outcome.errors.contains("its size differs"), "\(outcome)")
      Self.expectOneError(outcome)
    default: Issue.record("\(outcome)")
    }
    try scene.configure(isBent: false)
    let right = try scene.save(to: "right")
    #expect(right.outcome.code == 0, "\(right.outcome)")
    #expect(outcome.code != 0 || files == right.files)
    #expect(right.files["large1.pdf"]?.count == 9000 * 57)
  }

  @Test(arguments: ["OK", "NO not here", "BAD what", ""])
  func partsThatAreNotGiven(_ reply: String) throws {
    let scene = try Scene(command: { line in
      line.contains("BODY.PEEK[2]<") ? reply.isEmpty ? .hungUp("* BYE") : .refused(reply) : .passed
    })
    try scene.configure(isBent: false)
    try scene.stage.syncWell()
    try scene.configure(isBent: true)
    let (outcome, files) = try scene.save(to: "bent")
    #expect(outcome.code == (reply.isEmpty ? 75 : 0), "\(outcome)")
    #expect(scene.isPartial == reply.isEmpty && scene.kept == 0)
    #expect(files["large1.pdf"]?.count == (reply.isEmpty ? nil : 9000 * 57))
    if reply.isEmpty { Self.expectOneError(outcome) }
  }

  // MARK: A whole message

  /// The file stays as it is unless the whole message has come.
  @Test(arguments: [Wrong.missing, .empty, .surplus, .otherMessage])
  func messagesThatAreMadeWhole(_ wrong: Wrong) throws {
    let scene = try Scene(literal: { line, literal in
      line.contains("BODY[] {") ? wrong.bend(line, literal) : nil
    })
    try scene.configure(isBent: false)
    try scene.stage.syncWell()
    let before = scene.text
    try scene.configure(isBent: true)
    let outcome = try scene.magnum("attachments", "fetch")
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.errors.contains("its attachments could not be fetched"), "\(outcome)")
    #expect(scene.isPartial && scene.text == before)
    #expect(Files.names(in: "\(scene.stage.maildir)/INBOX/tmp").isEmpty)
    try scene.configure(isBent: false)
    #expect(try scene.magnum("attachments", "fetch").code == 0)
    try scene.stage.expectMirrored()
  }

  // MARK: A first sync

  /// Whatever is wrong with an answer about header and texts, the message comes, with its attachments if need be.
  @Test(
    arguments: ["BODY[1]", "BODY[1.MIME]", "BODY[2.MIME]", "BODY[HEADER]"],
    Turn.part(of: Wrong.allCases)
  )
  func messagesThatCome(_ section: String, _ wrong: Wrong) throws {
    let scene = try Scene(literal: { line, literal in
      line.contains("\(section) {") || line.contains("\(section)<0> {")
        ? wrong.bend(line, literal) : nil
    })
    try scene.configure(isBent: true)
    let outcome = try scene.stage.sync(timeLimit: 100)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.peakMemory < 100 * 1024, "\(outcome.peakMemory)")
    #expect(scene.text.contains("\n\nthe text of large1\n"), "\(outcome)")
    if wrong == .unsolicited { #expect(scene.isPartial) }
    try scene.configure(isBent: false, isLimited: false)
    try scene.stage.syncWell()
    try scene.stage.expectMirrored()
  }

  @Test(
    arguments: ["BODYSTRUCTURE", "BODY.PEEK[1]"],
    ["OK", "NO not here", "BAD what", "* BYE", "* 1 FETCH (UID 1 BODYSTRUCTURE (((", "* 1 FETCH ("]
  )
  func messagesOfWhichNothingIsTold(_ question: String, _ reply: String) throws {
    let scene = try Scene(command: { line in
      guard line.contains(question) else { return .passed }
      return reply.hasPrefix("*") ? .hungUp(reply) : .refused(reply)
    })
    try scene.configure(isBent: true)
    let outcome = try scene.stage.sync(timeLimit: 100)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(!scene.isPartial)
    try scene.stage.expectMirrored()
  }
}
