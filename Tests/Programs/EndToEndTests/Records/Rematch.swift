import Testing
import TestSupport

/// What a run has to show that matches the mail of both sides anew, here or there.
struct Rematch {
  /// Messages that have to be fetched, files that have to be uploaded.
  var fetched = 0
  var uploaded = 0
  /// Files that are found to be messages of the server; nil where that does not matter.
  var recognised: Int?
  /// Files that stay here alone, as `mailbox: subject`.
  var apart: [String] = []
  /// How many of those are reported as kept apart; nil is all of them.
  var reportedApart: Int?
  /// Whether whole messages may be read only to compare them.
  var mayReadBodies = false
  /// Where a mailbox lies.
  var directory: (String) -> String = { $0 }
}

extension Stage {
  /// Runs three times: a dry run that says what will be and changes nothing; the run itself, which fetches and
  /// uploads just that and removes nothing; and one that changes no mail.
  func expect(
    _ expected: Rematch,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = TreeSnapshot(program.home.path)
    let mail = try imap.everything()
    let said = try sums(of: sync("--json", "--dry-run", timeLimit: 120))
    #expect(
      TreeSnapshot(program.home.path).differences(from: before) == [],
      "a dry run",
      sourceLocation: sourceLocation
    )
    #expect(try imap.everything() == mail, "a dry run", sourceLocation: sourceLocation)
    let (done, commands) = try recorded { try sync("--json", timeLimit: 120) }
    for sums in [said, done] {
      #expect(sums.outcome.code == 0, "\(sums.outcome)", sourceLocation: sourceLocation)
      expectCounts(sums, expected, sourceLocation)
    }
    expectCommands(commands, expected, sourceLocation)
    try expectAgreement(expected, sourceLocation)
    try expectRest(sourceLocation)
  }

  /// Expects that both sides hold the same except for what has to stay apart.
  func expectAgreement(_ expected: Rematch, _ sourceLocation: SourceLocation) throws {
    let agreement = Agreement(tree, try imap.everything(), directory: expected.directory)
    #expect(agreement.onlyThere == [], sourceLocation: sourceLocation)
    #expect(agreement.onlyHere == expected.apart.sorted(), sourceLocation: sourceLocation)
  }

  /// Expects that a further run changes no mail.
  func expectRest(_ sourceLocation: SourceLocation) throws {
    let before = TreeSnapshot(maildir)
    let mail = try imap.everything()
    let (sums, commands) = try recorded { try sync("--json") }
    #expect(sums.outcome.code == 0, "\(sums.outcome)", sourceLocation: sourceLocation)
    let changes = TreeSnapshot(maildir).differences(from: before)
    #expect(changes.filter { !$0.contains("/.magnum") } == [], sourceLocation: sourceLocation)
    #expect(try imap.everything() == mail, sourceLocation: sourceLocation)
    #expect(!commands.contains("BODY.PEEK[]"), "\(commands)", sourceLocation: sourceLocation)
  }

  private func expectCounts(_ sums: Sums, _ expected: Rematch, _ sourceLocation: SourceLocation) {
    let outcome = sums.outcome
    #expect(
      sums["fetched"] == expected.fetched,
      "fetched: \(outcome)",
      sourceLocation: sourceLocation
    )
    #expect(
      sums["uploaded"] == expected.uploaded,
      "uploaded: \(outcome)",
      sourceLocation: sourceLocation
    )
    let apart = expected.reportedApart ?? expected.apart.count
    #expect(sums["detached"] == apart, "detached: \(outcome)", sourceLocation: sourceLocation)
    if let recognised = expected.recognised {
      #expect(sums["rematched"] == recognised, "\(outcome)", sourceLocation: sourceLocation)
    }
    for name in ["removedHere", "movedHere", "moved", "trashed", "deleted", "failed", "blocked"] {
      #expect(sums[name] == 0, "\(name): \(outcome)", sourceLocation: sourceLocation)
    }
  }

  private func expectCommands(
    _ commands: String,
    _ expected: Rematch,
    _ sourceLocation: SourceLocation
  ) {
    let unwanted =
      ["EXPUNGE", " MOVE ", " COPY ", "\\Deleted", " DELETE ", " CREATE "]
      + (expected.uploaded == 0 ? ["APPEND"] : [])
      + (expected.fetched == 0 && !expected.mayReadBodies ? ["BODY.PEEK[]"] : [])
    for word in unwanted {
      #expect(
        !commands.contains(word),
        "\(word): \(commands.prefix(3000))",
        sourceLocation: sourceLocation
      )
    }
  }

  /// Runs over a line that notes what the program says to the server.
  private func recorded(_ run: () throws -> Outcome) throws -> (Sums, String) {
    var link = DelayProxy.Link()
    link.isRecorded = true
    let proxy = try DelayProxy(to: server.ports.clear, link)
    let file = program.home[".config/magnum/config.toml"]
    let text = try #require(Files.text(file))
    let clear = "imap = \"imap+plain://127.0.0.1:\(proxy.port)\""
    try program.configure(
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("tls-ca-file = ") }
        .map { $0.hasPrefix("imap = ") ? clear : String($0) }.joined(separator: "\n")
    )
    let sums = try sums(of: try run())
    try program.configure(text)
    return (sums, proxy.transcript)
  }

  private func sums(of outcome: Outcome) throws -> Sums {
    Sums(outcome: outcome, events: try outcome.lines.map { try ParsedJSON($0) })
  }
}

extension RawIMAP {
  /// The message of the inbox with that subject.
  func message(about subject: String) throws -> Message {
    let line = Array("Subject: \(subject)\r\n".utf8)
    return try #require(try messages().first { $0.body.firstRange(of: line) != nil })
  }
}

/// The numbers of a run, all mailboxes together.
private struct Sums {
  let outcome: Outcome
  let events: [ParsedJSON]

  subscript(name: String) -> Int {
    events.filter { ["mailbox", "flags-changed"].contains($0["event"]?.text) }
      .reduce(0) { $0 + ($1[name]?.integer ?? 0) }
  }
}

/// What two sides have and have not in common: flags, header without mbsync's mark, and body of each mail.
struct Agreement {
  /// As `mailbox: subject`, sorted.
  private(set) var onlyHere: [String] = []
  /// As `mailbox: [flags] subject`, sorted.
  private(set) var onlyThere: [String] = []

  init(
    _ tree: MaildirTree,
    _ server: [String: [RawIMAP.Message]],
    directory: (String) -> String = { $0 }
  ) {
    for (name, messages) in server {
      var here = tree[OctetName(directory(name))].map { Mail($0.flags, $0.body) }
      for message in messages {
        let mail = Mail(MaildirTree.letters(message.flags), message.body)
        if let place = here.firstIndex(of: mail) {
          here.remove(at: place)
        } else {
          onlyThere.append("\(name): [\(mail.flags)] \(mail.subject)")
        }
      }
      onlyHere += here.map { "\(name): \($0.subject)" }
    }
    let known = Set(server.keys.map { OctetName(directory($0)) })
    for (name, messages) in tree.mailboxes where !known.contains(name) && !messages.isEmpty {
      onlyHere.append("\(name): a Maildir that the server does not have")
    }
    onlyHere.sort()
    onlyThere.sort()
  }

  private struct Mail: Hashable {
    let flags: String
    let header: [[UInt8]]
    let body: String

    init(_ flags: String, _ octets: [UInt8]) {
      self.flags = flags
      let lines = octets.filter { $0 != 13 }.split(separator: 10, omittingEmptySubsequences: false)
      let end = lines.firstIndex { $0.isEmpty } ?? lines.endIndex
      header = lines[..<end].map(Array.init).filter { !$0.starts(with: "X-TUID:".utf8) }
      // Some tools write an empty line behind a header that came without.
      body = TreeSnapshot.hash(Array(lines[end...].drop { $0.isEmpty }.joined(separator: [10])))
    }

    var subject: String {
      let field = header.first { $0.starts(with: "Subject: ".utf8) }
      return field.map { String(decoding: $0.dropFirst(9), as: UTF8.self) } ?? "no subject"
    }
  }
}
