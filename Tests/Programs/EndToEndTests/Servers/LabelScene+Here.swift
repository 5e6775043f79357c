import TestSupport

// What people and their programs do here, and what the server has then.
extension LabelScene {
  private func folder(_ word: String) -> LocalFolder { LocalFolder(maildir, Self.name(word)) }

  /// Does what the words of a step say; gives what is wrong afterwards.
  func performHere(_ words: [String]) throws -> String? {
    switch words[0] {
    case "pass": return try test(expecting: 0)
    case "test": return try test(expecting: Int32(words[1]) ?? 0)
    case "mv":
      let (source, target) = (folder(words[2]), Self.name(words[3]))
      let index = try source.index(words[1])
      try folder(words[3]).make()
      try source.move(index, to: target, flags: source.flags(index))
    case "rm": try folder(words[2]).remove(words[1])
    case "mark":
      let letters = words.count > 2 ? words[2].replacing("-", with: "") : ""
      try folder(words.count > 3 ? words[3] : "ALL").setFlags(letters, of: words[1])
    case "write":
      let flags = (words.count > 2 ? words[2] : "S").replacing("-", with: "")
      let place = folder(words.count > 3 ? words[3] : "ALL")
      try place.add("\(words[1]).here", mail(words[1]), flags: flags)
    case "edit":
      try folder("ALL").write(words[1], mail(words[1]) + Array("\r\nmore: \(words[2])\r\n".utf8))
    case "style": try configure(words[1], words[2])
    case "relabel":
      let command = ["accounts", "relabel", "test", "--from"]
      return try read(words[1], by: command, words[2], expecting: words.dropFirst(3))
    case "restore":
      let command = ["restore", "-v", "--to", "test"]
      return try read(words[1], by: command, words[2], expecting: words.dropFirst(3))
    case "times":
      let count = server.requests.count { $0.contains(words[2].replacing("_", with: " ")) }
      return "\(count)" == words[1] ? nil : "\(count): \(server.requests)"
    case "check":
      let line = words.dropFirst().joined(separator: " ")
      let files = try files()
      return files.contains(line) ? nil : "\(files)"
    case "refuse": refuseOnce(words[1].replacing("_", with: " "))
    case "offer": server.bend(words[1] == "labels" ? nil : Self.withoutLabels)
    case "alike":
      let (here, there) = (try files(), served())
      return here == there ? nil : "here \(here) there \(there)"
    default: throw HarnessError("no step: \(words)")
    }
    return nil
  }

  /// Runs a command on another Maildir, which has to say that and leaves the Maildir as it is; "_" is a blank.
  private func read(
    _ directory: String,
    by command: [String],
    _ code: String,
    expecting words: ArraySlice<String>
  ) throws -> String? {
    let path = program.home["Mail/\(directory)"]
    let before = try Self.look(at: path)
    let outcome = try run(command + [path])
    last = outcome
    if try Self.look(at: path) != before { return "\(path) was changed: \(outcome)" }
    let missing = words.map { $0.replacing("_", with: " ") }.filter {
      !(outcome.output + outcome.errors).contains($0)
    }
    return "\(outcome.code)" == code && missing.isEmpty ? nil : "\(missing): \(outcome)"
  }

  /// Names, kinds, sizes, times and contents.
  private static func look(at path: String) throws -> String {
    guard Files.names(in: path).count > 0 else { return "" }
    let list = "cd \"$1\"; find . -printf '%P %y %m %s %i %T@\\n' | sort"
    return try Command.shell(list, [path])
      + TreeSnapshot(path, isDetailed: false).entries.map { "\($0) \($1)" }.sorted().joined()
  }

  /// The next command that contains a text is not understood.
  private func refuseOnce(_ text: String) {
    let server = server
    let known = server.requests.count { $0.contains(text) }
    server.refuse { _ in
      let count = server.requests.count { $0.contains(text) }
      let isNext = count == known + 1 && server.requests.last?.contains(text) == true
      return isNext ? [.lines("{tag} BAD Could not parse command")] : nil
    }
  }

  /// The server no longer offers labels.
  private static let withoutLabels: ProviderServer.Bend = { _, actions in
    actions.map { action in
      guard case .send(let text) = action else { return action }
      return .send(text.replacing(" X-GM-EXT-1", with: ""))
    }
  }

  /// Runs `magnum accounts test --labels`; from then on clients are judged.
  private func test(expecting code: Int32) throws -> String? {
    server.judgeClients()
    let outcome = try run(["accounts", "test", "--labels", "test"])
    last = outcome
    return outcome.code == code ? nil : "\(outcome)"
  }
}
