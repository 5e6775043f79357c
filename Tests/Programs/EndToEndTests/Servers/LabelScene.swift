import Octets
import Synchronization
import TestSupport

/// A scripted Gmail, a home whose account has its labels as tags, and the program.
final class LabelScene {
  let server: ProviderServer
  let program: ProgramUnderTest
  var last: Outcome?
  /// The requests of the last sync, and how many whole messages were sent since it began.
  private var requests: ArraySlice<String> = []
  private let bodies = BodyCount()

  private final class BodyCount: Sendable {
    let count = Mutex(0)
  }

  private static let names = [
    "ALL": "[Gmail]/All Mail", "TRASH": "[Gmail]/Trash", "SPAM": "[Gmail]/Spam",
    "DRAFTS": "[Gmail]/Drafts", "SENT": "[Gmail]/Sent Mail", "STARRED": "[Gmail]/Starred",
    "IMPORTANT": "[Gmail]/Important",
  ]

  /// The mailbox that a word of a step means.
  static func name(_ word: String) -> String {
    names[word] ?? String(word.map { $0 == "_" ? " " : $0 })
  }

  init(_ provider: Provider, configuration: String = "") throws {
    server = try ProviderServer(provider)
    program = try ProgramUnderTest()
    try configure(at: server.clearURL, configuration)
    server.bend { [bodies] request, answer in
      guard request.text.contains("BODY.PEEK[]") else { return answer }
      let sent = answer.count { if case .octets = $0 { true } else { false } }
      bodies.count.withLock { $0 += sent }
      return answer
    }
  }

  /// Another machine with the account of that one.
  init(beside other: LabelScene) throws {
    server = other.server
    program = try ProgramUnderTest()
    try configure(at: server.clearURL)
  }

  /// Has the account be on the server of that URL.
  func configure(at address: String, _ configuration: String = "") throws {
    let lines = configuration.split(separator: "\n").map { "\($0)" }
    let more = (["labels = \"tags\""] + lines).joined(separator: "\n")
    try program.configure(at: address, more)
  }

  /// Has the account be indexed, and more be in the configuration.
  func configureIndexed(labels: String = "tags", _ more: String = "") throws {
    try program.configure(
      """
      [account.test]
      maildir = "~/Mail/test"
      imap = "\(server.clearURL)"
      user = "user"
      password = "pass"
      labels = "\(labels)"
      \(more)

      """
    )
  }

  /// Runs `magnum`, which has to do what it is asked.
  func magnum(_ arguments: String...) throws { try magnum(arguments) }

  /// Runs `magnum`, which has to do what it is asked.
  func magnum(_ arguments: [String]) throws {
    let outcome = try run(arguments)
    guard outcome.code == 0 else { throw HarnessError("magnum \(arguments): \(outcome)") }
  }

  /// Runs `magnum`, and lets it end as it may.
  func run(_ arguments: [String], with variables: [String: String] = [:]) throws -> Outcome {
    let environment = program.command([], variables).environment
    return try Command("\(ProgramUnderTest.products)/magnum", arguments, environment: environment)
      .run()
  }

  /// How many messages a query finds.
  func found(_ query: String) throws -> Int {
    let environment = program.command([]).environment
    let path = "\(ProgramUnderTest.products)/magnum-search"
    let outcome = try Command(path, ["--count", query], environment: environment).run()
    return Int(outcome.output.prefix { $0.isNumber }) ?? -1
  }

  /// Does what a line says; gives what is wrong afterwards.
  func perform(_ line: String) throws -> String? {
    let words = line.split(separator: " ").map { "\($0)" }
    let places = words.map(Self.name)
    switch words[0] {
    case "deliver":
      server.deliver(mail(words[1]), to: places[2], flags: Set(words.dropFirst(3)))
    case "label":
      make(places[2])
      server.copy(words[1], from: Self.names["ALL"] ?? "", to: places[2])
    case "unlabel": server.expunge(words[1], from: places[2])
    case "lose": for place in places.dropFirst(2) { server.expunge(words[1], from: place) }
    case "move": server.move(words[1], from: places[2], to: places[3])
    case "flags":
      server.setFlags(Set(words.dropFirst(2)), of: words[1], in: Self.names["ALL"] ?? "")
    case "rename":
      guard let index = server.mailboxes.firstIndex(where: { $0.name == places[1] }) else { break }
      server.mailboxes[index].name = places[2]
    case "remove": server.mailboxes.removeAll { $0.name == places[1] }
    case "renumber": server.renumber(places[1])
    case "fill": for number in 1...(Int(words[1]) ?? 1) { server.deliver(mail("f\(number)")) }
    case "tag": try tag(words[1], words[2], in: words.count > 3 ? words[3] : "ALL")
    case "folders": try program.configure(at: server.clearURL)
    case "verify": try magnum("verify")
    case "sync": return try sync(Array(words.dropFirst()))
    case "taken":
      let count = bodies.count.withLock { $0 }
      return "\(count)" == words[1] ? nil : "\(count) bodies: \(requests)"
    case "quiet": return requests.contains { $0.contains("FETCH") } ? "\(requests)" : nil
    case "asked":
      let count = requests.count { $0.contains("X-GM-LABELS") }
      return "\(count)" == words[1] ? nil : "\(count) questions about labels: \(requests)"
    case "says":
      let text = words.dropFirst().joined(separator: " ")
      guard let last else { return "no sync" }
      return (last.errors + last.output).contains(text) ? nil : "\(last)"
    case "unchanged": return server.requests.first(where: Self.changes).map { "a change: \($0)" }
    default: return try performHere(words)
    }
    return nil
  }

  /// What a person does with `magnum tag`, without an index: the file of the folder has the change.
  private func tag(_ subject: String, _ change: String, in place: String) throws {
    let folder = "\(maildir)/\(Self.name(place))"
    let local = LocalFolder(maildir, Self.name(place))
    let base = Self.escaped(local.bases[try local.index(subject)])
    let lines = (Files.text("\(folder)/.magnum-tags") ?? "").split(separator: "\n").dropFirst()
    let others = lines.filter { !$0.hasPrefix("\(base) ") }.map { "\($0)\n" }.joined()
    try Files.write("magnum-tags 1\n\(others)\(base) \(change)\n", to: "\(folder)/.magnum-tags")
  }

  private func make(_ label: String) {
    guard !server.mailboxes.contains(where: { $0.name == label }) else { return }
    server.mailboxes.append(ProviderMailbox(label, "\\HasNoChildren"))
  }

  func sync(_ words: [String]) throws -> String? {
    var (code, variables): (Int32, [String: String]) = (0, [:])
    var arguments = ["-v"]
    for word in words {
      if word.hasPrefix("+") { variables["MAGNUM_DAYS_AHEAD"] = String(word.dropFirst()) }
      if word.hasPrefix("--") || word == "test" { arguments.append(word) }
      if let status = Int32(word), !word.hasPrefix("+") { code = status }
    }
    let before = server.requests.count
    bodies.count.withLock { $0 = 0 }
    var command = program.trustingCommand(arguments)
    command.environment.merge(variables) { _, given in given }
    let outcome = try command.run()
    last = outcome
    requests = server.requests[before...]
    return outcome.code == code ? nil : "\(outcome)"
  }

  private static func changes(_ request: String) -> Bool {
    let words = [
      "STORE", "COPY", "MOVE", "EXPUNGE", "APPEND", "CREATE", "DELETE", "RENAME", "SELECT",
    ]
    return words.contains { word in
      request.split(separator: " ").prefix(2).contains { $0.uppercased() == word }
    }
  }

  /// The name of the Maildir.
  private var directory = "test"
  var maildir: String { program.home["Mail/\(directory)"] }

  /// Has the account have labels of that style, and another Maildir.
  func configure(_ style: String, _ directory: String) throws {
    self.directory = directory
    try program.configure(
      """
      [account.test]
      maildir = "~/Mail/\(directory)"
      imap = "\(server.clearURL)"
      user = "user"
      password = "pass"
      index = false
      labels = "\(style)"

      """
    )
  }

  /// Runs the program, and lets it end as it may.
  func run(_ variables: [String: String]) throws -> Outcome {
    try program.command([], variables).run()
  }

  /// Has all that is here be as it was when it was first done.
  func putBack() throws {
    let (mail, state) = ("$1/Mail", "$1/.local")
    try Command.shell(
      "if [ -e $1/saved ]; then rm -rf \(mail) \(state); else mkdir $1/saved; "
        + "cp -a \(mail) \(state) $1/saved/; fi; cp -a $1/saved/. $1/",
      [program.home.path]
    )
  }

  /// What is here, a line a message: its folder, its subject, its flags, its tags.
  func files() throws -> [String] {
    var lines: [String] = []
    for (folder, messages) in MaildirTree(maildir).mailboxes {
      let name = "\(folder)".replacing("[Gmail]/", with: "")
      let path = Array("\(maildir)/\(folder)/.magnum-keywords".utf8)
      let octets = Files.read(path) ?? []
      let keywords = String(decoding: octets, as: UTF8.self).split(separator: "\n").dropFirst()
      for message in messages {
        let base = Self.escaped(String(message.name.prefix { $0 != ":" }))
        let tags = keywords.first { $0.hasPrefix("\(base) ") }?.split(separator: " ").last ?? "-"
        let words = tags.split(separator: ",").sorted().joined(separator: " ")
        let flags = message.flags.isEmpty ? "-" : message.flags
        lines.append("\(name): \(subject(message)) \(flags) \(words)")
      }
    }
    return lines.sorted()
  }

  /// A base name as the files of tags have it.
  private static func escaped(_ base: String) -> String { base.replacing(",", with: "%2C") }

  private func subject(_ message: MaildirTree.Message) -> String {
    let lines = String(decoding: message.body, as: UTF8.self).split(separator: "\n")
    return String(lines.first { $0.hasPrefix("Subject: ") }?.dropFirst(9) ?? "")
  }
}
