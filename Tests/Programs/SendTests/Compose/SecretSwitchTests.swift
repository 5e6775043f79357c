import TestSupport
import Testing

/// A draft that becomes encrypted: at each moment the disk says what it is, nothing typed is lost, and no clear text stays.
@Suite(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
struct SecretSwitchTests {
  private let stage: ProtectedStage

  init() throws {
    stage = try ProtectedStage()
  }

  private var home: TempDirectory { stage.compose.magnum.home }
  private var memory: TempDirectory { stage.memory }

  private static let clear = ["compose", "-t", "ada@x.org", "-s", "pelican", "--sign"]
  private static let secret = ["compose", "-t", "ada@x.org", "-s", "pelican", "--encrypt"]
  private static let edit = "printf 'walrus\\n' >>\"$1\"; "
  private static let kill = "kill -9 $PPID $(ps -o ppid= -p $PPID)"

  /// Files of the home that have a word, besides the script that types it.
  private func places(of word: String) throws -> [String] {
    let lines = try Command.shell("grep -rlaF -e \"$2\" \"$1\" || true", [home.path, word])
    return lines.split(separator: "\n").map { String($0.dropFirst(home.path.count + 1)) }
      .filter { $0 != "editor" }
  }

  /// Leaves a draft, and tells its name.
  private func leave(_ words: [String], _ end: String = "", keys: String = "q\n") throws -> String {
    let outcome = try stage.compose.typeAll(keys, editor: Self.edit + end, words)
    return try #require(stage.compose.left.first, "\(outcome)")
  }

  private func template(_ name: String) throws -> Outcome {
    try stage.compose.run("resume", "--template", name)
  }

  private func directory(_ name: String) -> String { ".local/state/magnum/compose/\(name)" }

  // MARK: What a kill leaves

  /// The files of a draft in clear text beside an encrypted one: the text of the encrypted one counts.
  @Test(arguments: [true, false])
  func clearFilesBesideAnEncryptedDraftGo(_ hasMemory: Bool) throws {
    let name = try leave(Self.secret)
    if !hasMemory { try Command.shell("rm -rf \"$1\"/*", [memory.path]) }
    let clear = "To: eve@x.org\nSubject: otter\n\notter\n"
    for file in ["text.eml", "message.eml", "message.eml.tmp-1-1"] {
      try home.write(clear, to: "\(directory(name))/\(file)")
    }
    try home.write("/otter\n", to: "\(directory(name))/files")
    let shown = try template(name)
    #expect(shown.code == 0 && shown.output.contains("To: ada@x.org\n"), "\(shown)")
    #expect(shown.output.contains("walrus") && !shown.output.contains("otter"), "\(shown)")
    #expect(try places(of: "otter") == [])
    #expect(shown.errors.contains("may still have the former text"), "\(shown)")
  }

  /// What an editor saved for a recovery moves to memory.
  @Test func filesOfAnEditorMoveToMemory() throws {
    let name = try leave(Self.secret)
    try home.write("otter\n", to: "\(directory(name))/text.eml.save")
    #expect(try template(name).errors.contains("text.eml.save"))
    #expect(try places(of: "otter") == [])
    #expect(Files.text(memory["magnum/compose/\(name)/text.eml.save"]) == "otter\n")
  }

  /// A text in memory without an encrypted draft: that in clear text counts.
  @Test func memoryOfAClearDraftGoes() throws {
    let name = try leave(Self.clear)
    try memory.write("Subject: otter\n\notter\n", to: "magnum/compose/\(name)/text.eml")
    try Command.shell("chmod -R go-rwx \"$1\"", [memory.path])
    let shown = try template(name)
    #expect(shown.output.contains("walrus") && !shown.output.contains("otter"), "\(shown)")
    #expect(Files.names(in: memory["magnum/compose"]).isEmpty)
  }

  /// The text is found in a session that has another environment.
  @Test func theTextIsFoundInAnotherSession() throws {
    let name = try leave(Self.secret, Self.kill, keys: "")
    stage.compose.variables["XDG_RUNTIME_DIR"] = nil
    let shown = try template(name)
    #expect(shown.code == 0 && shown.output.contains("walrus"), "\(shown)")
    // Nor does it stay there at the end.
    let outcome = try stage.compose.type("x\ny\n", editor: "true", "resume", name)
    #expect(Files.names(in: memory["magnum/compose"]).isEmpty, "\(outcome)")
  }

  // MARK: Each moment of the switch

  private static let change = "sed -i 's/^Protect:.*/Protect: encrypt/' \"$1\"; "

  private func points(_ editor: String, _ keys: String) throws -> Int {
    let file = home["points"]
    stage.compose.variables["MAGNUM_FAULT_COUNT"] = file
    _ = try stage.compose.typeAll(keys, editor: editor, Self.clear)
    stage.compose.variables["MAGNUM_FAULT_COUNT"] = nil
    return (Files.text(file) ?? "").split(separator: "\n").first.flatMap { Int($0) } ?? 0
  }

  private func clean() throws {
    try Command.shell(
      "rm -rf \"$1/.local/state/magnum/compose\" \"$2\"/*",
      [home.path, memory.path]
    )
  }

  @Test(arguments: ["MAGNUM_FAULT", "MAGNUM_FAULT_ERROR"])
  func nothingIsLostOrLeftInTheSwitch(_ kind: String) throws {
    // A text with a mistake is not kept: what follows it is the switch.
    let before = try points(Self.edit + "sed -i '1i no field' \"$1\"", "k\n")
    try clean()
    let all = try points(Self.edit + Self.change, "q\n")
    try #require(all > before + 8, "a debug build has fault points")
    for point in Turn.chosen(of: all - before, every: Turn.stride(1)) {
      try clean()
      let place = before + point
      stage.compose.variables[kind] = kind == "MAGNUM_FAULT" ? "\(place)" : "\(place):ENOSPC"
      // Where it is not kept it asks whether to edit again, else there is a menu, which has no "k".
      let name = try leave(Self.clear, Self.change, keys: "k\nq\n")
      stage.compose.variables[kind] = nil
      let shown = try template(name)
      try #require(shown.output.contains("\n\nwalrus\n"), "\(kind) \(place): \(shown)")
      #expect(shown.output.contains("Protect: encrypt\n"), "\(kind) \(place): \(shown)")
      let outcome = try stage.compose.type("q\n", editor: "true", "resume", name)
      #expect(try places(of: "walrus") == [], "\(kind) \(place): \(outcome)")
      let again = try template(name)
      try #require(again.output.contains("\n\nwalrus\n"), "\(kind) \(place): \(again)")
    }
  }

  // MARK: In the folder for drafts

  /// The version in clear text is replaced when the switch is made, not only when the draft is put back.
  @Test(arguments: ["q\n", "x\ny\n"])
  func theFolderForDraftsHasNoClearText(_ keys: String) throws {
    let words = Self.clear + ["--body", "-", "--draft"]
    #expect(try stage.compose.run(words, input: "walrus\n").code == 0)
    let draft = home["mail/Drafts/cur/\(try #require(stage.compose.drafts.first))"]
    let outcome = try stage.compose.type(keys, editor: "true", "resume", "--encrypt", draft)
    #expect(outcome.output.contains("may still have the former text"), "\(outcome)")
    // The index forgets it with the next sync.
    let found = try places(of: "walrus").filter { !$0.hasPrefix("mail/.magnum/index/") }
    #expect(found == [] && stage.compose.drafts.count == 1, "\(outcome)")
    let kept = home["mail/Drafts/cur/\(try #require(stage.compose.drafts.first))"]
    #expect(try template(kept).output.contains("walrus"))
    guard let name = stage.compose.left.first else { return }
    let sent = try stage.compose.run("resume", "--send", name)
    #expect(sent.code == 0 && stage.compose.drafts.isEmpty, "\(sent)")
  }

  /// A kill before the version in clear text is replaced: that is said, it does not go on, and the encrypted one replaces it.
  @Test func aClearVersionThatAKillLeftIsNoticed() throws {
    let words = Self.clear + ["--body", "-", "--draft"]
    #expect(try stage.compose.run(words, input: "otter\n").code == 0)
    let draft = home["mail/Drafts/cur/\(try #require(stage.compose.drafts.first))"]
    let name = try leave(Self.secret)
    let facts = Files.text(home["\(directory(name))/facts"]) ?? ""
    try home.write("draft: \(draft)\n\(facts)", to: "\(directory(name))/facts")
    for words in [["resume"], ["resume", "--template", name], ["resume", "--print", name]] {
      let said = try stage.compose.run(words)
      #expect(
        said.code == 0 && said.errors.contains("former text of an encrypted draft"),
        "\(said)"
      )
      #expect(said.errors.contains("magnum resume \(name) replaces it"), "\(said)")
    }
    for end in ["--template", "--send", "--draft"] {
      let refused = try stage.compose.run("resume", end, draft)
      #expect(refused.code == 1 && refused.errors.contains("its encrypted version counts"))
      #expect(refused.errors.contains("magnum resume \(name) goes on"), "\(refused)")
    }
    #expect(Files.exists(draft) && stage.compose.sink.messages.isEmpty)
    let kept = try stage.compose.run("resume", "--draft", name)
    #expect(kept.code == 0 && !Files.exists(draft) && stage.compose.drafts.count == 1, "\(kept)")
    #expect(try stage.compose.run("resume").output == "")
    let sealed = home["mail/Drafts/cur/\(try #require(stage.compose.drafts.first))"]
    #expect(try template(sealed).output.contains("walrus"))
  }

  // MARK: Without a key

  /// What lies in memory can be read without one, and its place is told.
  @Test func theTextIsNamedWhereTheDraftIsNotDecrypted() throws {
    let name = try leave(Self.secret)
    stage.compose.variables["GNUPGHOME"] = home["none"]
    let outcome = try template(name)
    let text = memory["magnum/compose/\(name)/text.eml"]
    #expect(outcome.code == 77 && outcome.errors.contains(text), "\(outcome)")
    #expect(Files.text(text)?.hasSuffix("walrus\n") ?? false)
    try Command.shell("rm -rf \"$1\"/*", [memory.path])
    let later = try template(name)
    #expect(later.code == 77 && !later.errors.contains(text), "\(later)")
  }
}
