import MailModel
import Maildir
import MemoryStore
import Octets
import Platform
import TestSupport

/// A folder with a server in memory, an account's Maildirs and state: what a scene plays in.
struct Scene {
  let folder: TempDirectory

  private var root: Path { Path(folder["Mail"]) }

  /// An empty account on a server with these abilities.
  init(_ abilities: MemoryAbilities) throws {
    folder = try TempDirectory("scene")
    _ = try MemoryServer(abilities, file: Path(folder["server"]))
    try folder.writeConfiguration()
  }

  /// A copy of a scene as it is now.
  init(copying other: Scene) throws {
    folder = try TempDirectory("scene")
    _ = try Command.shell("cp -a \"$1/.\" \"$2\"", [other.folder.path, folder.path])
    let config = Files.text(folder["config.toml"]) ?? ""
    try folder.write(
      config.replacing(other.folder.path, with: folder.path),
      to: "config.toml",
      mode: 0o600
    )
  }

  // MARK: Steps

  /// Takes one step: see the head of `scenes.txt`.
  func perform(_ line: String) throws {
    let words = line.split(separator: " ").map { "\($0)" }
    switch words.first {
    case "sync": try sync(expecting: words.count > 1 ? words[1] : "done")
    case "server": try there(Array(words.dropFirst()))
    case "here": try here(Array(words.dropFirst()))
    default: throw HarnessError("no such step: \(line)")
    }
  }

  /// Runs a sync in a process of its own.
  @discardableResult
  func run(_ variables: [String: String] = [:]) throws -> Outcome {
    let environment = [
      "HOME": folder.path, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
    ]
    return try Command(
      "\(ProgramUnderTest.products)/magnum-scene",
      [folder.path],
      environment: environment.merging(variables) { _, given in given }
    ).run()
  }

  /// The number of fault points of a sync, which is done.
  func points() throws -> Int {
    let file = folder["points"]
    _ = try run(["MAGNUM_FAULT_COUNT": file])
    return Int((Files.text(file) ?? "").prefix { $0.isNumber }) ?? 0
  }

  private func sync(expecting end: String) throws {
    let outcome = try run()
    let codes: [String: Int32] = ["done": 0, "killed": 0, "partial": 1, "failed": 2]
    guard outcome.code == codes[end] else { throw HarnessError("sync: \(outcome)") }
  }

  /// The octets of a message, which its token makes one of its own.
  static func message(_ token: String) -> [UInt8] {
    Array(
      """
      From: a@example.org
      Subject: \(token)
      Message-ID: <\(token)@example.org>
      Date: Mon, 2 Jan 2023 10:00:00 +0000

      Text of \(token).

      """.utf8
    )
  }

  // MARK: On the server

  private func there(_ words: [String]) throws {
    let server = try MemoryServer(file: Path(folder["server"]))
    switch words[0] {
    case "append":
      let octets = LineEnds.restored(Self.message(words[1])[...])
      let flags = Self.names(words.count > 3 ? words[3] : "")
      _ = try server.change {
        $0.mailboxes[words[2]]?.add(octets, flags: flags, date: 1_672_653_600)
      }
    case "relay":
      let octets = Self.message(words[1]) + Array("-- \nlist footer\n".utf8)
      _ = try server.change {
        $0.mailboxes[words[2]]?
          .add(LineEnds.restored(octets[...]), flags: [], date: 1_672_657_200)
      }
    case "reuse":
      let octets = LineEnds.restored(Self.message(words[1])[...])
      _ = try server.change {
        $0.mailboxes[words[2]]?.reuseLast(octets, date: 1_672_657_200)
      }
    case "remove": try each(server, words[1], words[2]) { $0.expunge($1) }
    case "flag":
      let flags = Self.names(String(words[3].dropFirst()))
      let isAdded = words[3].hasPrefix("+")
      try each(server, words[1], words[2]) { mailbox, uid in
        mailbox.change(uid, adding: isAdded ? flags : [], removing: isAdded ? [] : flags)
      }
    case "move":
      let found = try uids(server, words[1], words[2])
      try server.change { content in
        for uid in found { content.transfer(uid, from: words[2], to: words[3], isMove: true) }
      }
    case "deny":
      try server.change { $0.mailboxes[words[1]]?.denied = Set(words.count > 2 ? words[2] : "") }
    case "create": try server.change { $0.make(words[1]) }
    case "delete": try server.change { $0.mailboxes[words[1]] = nil }
    case "rename": _ = try server.change { $0.rename(words[1], to: words[2]) }
    case "renumber":
      try server.change { content in
        let validity = content.freshValidity()
        content.mailboxes[words[1]]?.renumber(validity)
      }
    default: throw HarnessError("no such step on the server: \(words)")
    }
  }

  private func uids(_ server: MemoryServer, _ token: String, _ box: String) throws -> [UInt32] {
    let subject = Array("Subject: \(token)\r\n".utf8)
    let found = server.read { content in
      content.mailboxes[box]?.messages.filter { $0.value.octets.firstRange(of: subject) != nil }
        .map(\.key) ?? []
    }
    guard !found.isEmpty else { throw HarnessError("no \(token) in \(box)") }
    return found
  }

  private func each(
    _ server: MemoryServer,
    _ token: String,
    _ box: String,
    _ change: @Sendable @escaping (inout MemoryMailbox, UInt32) -> Void
  ) throws {
    let found = try uids(server, token, box)
    try server.change { content in
      guard var mailbox = content.mailboxes[box] else { return }
      for uid in found { change(&mailbox, uid) }
      content.mailboxes[box] = mailbox
    }
  }

  private static let letters: [Character: String] = [
    "S": "\\Seen", "R": "\\Answered", "F": "\\Flagged", "T": "\\Deleted", "D": "\\Draft",
  ]

  private static func names(_ letters: String) -> Set<String> {
    Set(letters.compactMap { Self.letters[$0] })
  }

  // MARK: Here

  private func here(_ words: [String]) throws {
    let tree = FolderTree(root: root, layout: .verbatim)
    switch words[0] {
    case "new":
      let letters = words.count > 3 ? words[3] : ""
      try AtomicFile.replace(
        path(words[2]).appending("cur").appending("1.\(words[1]).host:2,\(letters)"),
        with: Self.message(words[1])
      )
    case "remove": for file in try files(words[1], words[2]) { try FileSystem.remove(file) }
    case "flag":
      for file in try files(words[1], words[2]) {
        let name = FileName(file.lastComponent)
        let shown = Array("\(words[3])".utf8)
        let renamed = name.base + Array(":2,".utf8) + shown
        try FileSystem.rename(file, to: path(words[2]).appending("cur").appending(renamed))
      }
    case "move":
      for file in try files(words[1], words[2]) {
        let target = path(words[3]).appending("cur").appending(file.lastComponent)
        try FileSystem.rename(file, to: target)
      }
    case "copy":
      for file in try files(words[1], words[2]) {
        let target = path(words[3]).appending("cur").appending(file.lastComponent)
        _ = try Command.shell("cp -p \"$1\" \"$2\"", [file.display, target.display])
      }
    case "clone":
      let letters = words.count > 4 ? words[4] : ""
      for file in try files(words[1], words[2]) {
        let name = "3.\(words[1]).host:2,\(letters)"
        let target = path(words[3]).appending("cur").appending(name)
        _ = try Command.shell("cp -p \"$1\" \"$2\"", [file.display, target.display])
      }
    case "double":
      for file in try files(words[1], words[2]) {
        let target = path(words[2]).appending("cur").appending("2.\(words[1]).host:2,")
        _ = try Command.shell("cp -p \"$1\" \"$2\"", [file.display, target.display])
      }
    case "save":
      for file in try files(words[1], words[2]) {
        _ = try Command.shell("cp \"$1\" \"$1.new\" && mv \"$1.new\" \"$1\"", [file.display])
      }
    case "keeps":
      let names = try files(words[1], words[2]).map { FileName($0.lastComponent).base }
      guard names == [Array("1.\(words[1]).host".utf8)] else {
        throw HarnessError("\(words[1]) has another file: \(names)")
      }
    case "mkdir": try tree.create(Array(words[1].utf8))
    case "rename": try FileSystem.rename(path(words[1]), to: path(words[2]))
    case "rmdir":
      _ = try Command.shell("rm -r \"$1\"", ["\(folder["Mail"])/\(words[1])"])
    default: throw HarnessError("no such step here: \(words)")
    }
  }

  private func path(_ box: String) -> Path { root.appending(box) }

  private func files(_ token: String, _ box: String) throws -> [Path] {
    let scan = try MaildirScan.scan(path(box))
    let subject = Array("Subject: \(token)\n".utf8)
    let found = try scan.files.map { $0.path(in: path(box)) }.filter {
      try FileSystem.readFile($0, limit: 1 << 20)?.firstRange(of: subject) != nil
    }
    guard !found.isEmpty else { throw HarnessError("no \(token) in \(box) here") }
    return found
  }

  // MARK: What is there

  /// What the server has: a line a mailbox that is not empty, its messages with their flags.
  func serverLines() throws -> [String] {
    let server = try MemoryServer(file: Path(folder["server"]))
    return server.read { content in
      content.mailboxes.compactMap { name, mailbox in
        let messages = mailbox.messages.values.map { message in
          Self.entry(message.octets, Self.letters.filter { message.flags.contains($0.value) }.keys)
        }
        return Self.line(name, messages)
      }.sorted()
    }
  }

  /// What the folders have, in the same form.
  func localLines() throws -> [String] {
    let tree = FolderTree(root: root, layout: .verbatim)
    return try tree.maildirs().maildirs.compactMap { relative in
      let directory = tree.path(of: relative)
      let messages = try MaildirScan.scan(directory).files.map { file in
        let octets = try FileSystem.readFile(file.path(in: directory), limit: 1 << 20) ?? []
        let letters = file.name.flags.characters.map { Character(UnicodeScalar($0)) }
        return Self.entry(octets, letters)
      }
      return Self.line(String(decoding: relative, as: UTF8.self), messages)
    }.sorted()
  }

  private static func line(_ name: String, _ messages: [String]) -> String? {
    messages.isEmpty ? nil : "\(name): \(messages.sorted().joined(separator: " "))"
  }

  private static func entry(_ octets: [UInt8], _ letters: some Sequence<Character>) -> String {
    let lines = String(decoding: octets, as: UTF8.self).split { $0.isNewline }
    let subject = lines.first { $0.hasPrefix("Subject: ") }?.dropFirst(9) ?? "?"
    let flags = String(letters.sorted())
    return flags.isEmpty ? String(subject) : "\(subject)[\(flags)]"
  }
}
