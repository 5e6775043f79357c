import Glibc
import TestSupport
import Testing

/// What is said in an encrypted draft is nowhere on the disk, whatever becomes of the draft.
@Suite(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
struct SecretDraftTests {
  /// A word in the text, the subject, Bcc and an attachment.
  private static let words = ["walrus", "pelican", "heron", "otter"]

  private let stage: ProtectedStage
  /// Where the attached file is, which is not a part of the draft.
  private let elsewhere: TempDirectory
  private let file: String

  init() throws {
    stage = try ProtectedStage(keysOf: ["me@x.test", "ada@x.org", "heron@x.org"])
    elsewhere = try TempDirectory("elsewhere")
    file = try elsewhere.write("otter\n", to: "notes.txt")
    try Files.makeDirectories(stage.compose.magnum.home["tmp"])
    stage.compose.variables["TMPDIR"] = stage.compose.magnum.home["tmp"]
    try Command.shell(
      "cd \"$1\"; mkdir -p .local mail saved; cp -a mail .local saved",
      [stage.compose.magnum.home.path]
    )
  }

  /// The directory in memory that an editor may use.
  private var memory: TempDirectory { stage.memory }

  private var options: [String] {
    ["compose", "-t", "ada@x.org", "-b", "heron@x.org", "-s", "pelican", "--attach", file]
      + ["--encrypt"]
  }

  private func restore() throws {
    try Command.shell(
      "cd \"$1\"; rm -rf mail .local; cp -a saved/mail saved/.local .; rm -rf \"$2\"/*",
      [stage.compose.magnum.home.path, memory.path]
    )
    stage.compose.sink.clear()
  }

  /// Files of the home in which one of the words is found, with the word.
  private func findings(besides allowed: [String: [String]] = [:]) throws -> [String] {
    var found: [String] = []
    for word in Self.words {
      let home = stage.compose.magnum.home.path
      // The text is looked for as it is written, and as base64 and as quoted-printable have it.
      let lines = try Command.shell(
        "grep -rlaiF -e \"$2\" -e \"$(printf %s \"$2\" | base64)\" \"$1\" || true",
        [home, word]
      )
      for line in lines.split(separator: "\n") {
        let place = String(line.dropFirst(home.count + 1))
        let isScript = place == "editor" || place.hasPrefix("saved/")
        let isAllowed = allowed[word]?.contains { place.contains($0) } ?? false
        if !isScript, !isAllowed { found.append("\(word) in \(place)") }
      }
    }
    return found
  }

  /// Where Bcc may be: the envelope of the queue, and its log.
  private static let queue = ["heron": [".local/state/magnum/spool/"]]

  private func expectNothing(_ what: String, besides allowed: [String: [String]] = [:]) throws {
    let found = try findings(besides: allowed)
    #expect(found.isEmpty, "\(what): \(found)")
  }

  // MARK: Without a terminal

  @Test(arguments: ["--send", "--hold", "--draft", "--print", "--template"])
  func aDraftOnStandardInputComesToItsEnd(_ end: String) throws {
    let outcome = try stage.compose.run(options + ["--body", "-", end], input: "walrus\n")
    #expect(outcome.code == 0, "\(outcome)")
    try expectNothing(end, besides: Self.queue)
    #expect(stage.compose.left.isEmpty && Files.names(in: memory.path).isEmpty)
  }

  @Test func aDraftOnStandardInputAsAMessage() throws {
    let message =
      "To: ada@x.org\nBcc: heron@x.org\nSubject: pelican\n\nwalrus\n"
      + String(repeating: "walrus\n", count: 200_000)
    let outcome = try stage.compose.run(["compose", "-", "--encrypt", "--draft"], input: message)
    #expect(outcome.code == 0, "\(outcome)")
    try expectNothing("a message")
  }

  /// A long one is put aside in a file, unless its header, an option or the account may have it encrypted.
  @Test(arguments: [
    ("", [], "never", true), ("Protect: encrypt\n", [], "never", false),
    ("X-Magnum-Protect: encrypt\n", [], "never", false), ("", ["--encrypt"], "never", false),
    ("", [], "if-possible", false), ("", ["--no-encrypt"], "if-possible", true),
  ])
  func aLongMessageIsNotOnTheDisk(
    _ field: String,
    _ words: [String],
    _ setting: String,
    _ isPutAside: Bool
  ) throws {
    let stage = try ProtectedStage("encrypt = \"\(setting)\"")
    // There is no place for a file.
    stage.compose.variables["TMPDIR"] = stage.compose.magnum.home["none"]
    let message =
      "To: ada@x.org\nSubject: pelican\n\(field)\n" + String(repeating: "walrus\n", count: 200_000)
    let outcome = try stage.compose.run(["compose", "-", "--print"] + words, input: message)
    #expect(outcome.code == (isPutAside ? 1 : 0), "\(outcome.code) \(outcome.errors)")
    #expect(outcome.errors.contains(stage.compose.magnum.home["none"]) == isPutAside)
    #expect(!outcome.output.contains("walrus"))
  }

  /// What a message says of its outer header is made anew, and never shown to be edited.
  @Test func theOuterHeaderIsNoPartOfADraft() throws {
    let held = try stage.compose.run(options + ["--body", "-", "--hold"], input: "walrus\n")
    #expect(held.code == 0, "\(held)")
    let entry = try #require(stage.compose.names(".local/state/magnum/spool/work/hold").first)
    #expect(try stage.compose.run("queue", "cancel", entry).code == 0)
    let draft = { stage.compose.magnum.home["mail/Drafts/cur/\(stage.compose.drafts[0])"] }
    for _ in 0..<2 { #expect(try stage.compose.run("resume", "--draft", draft()).code == 0) }
    for words in [["--template"], ["--no-encrypt", "--quote", "--print"], ["--print"]] {
      let outcome = try stage.compose.run(["resume"] + words + [draft()])
      #expect(outcome.code == 0 && !outcome.output.contains("HP-Outer"), "\(outcome)")
    }
    let set = try stage.compose.run(options + ["--header", "HP-Outer: Subject: x", "--print"])
    #expect(set.code == 65 && set.errors.contains("cannot be added"), "\(set)")
  }

  @Test func aDraftIsCancelledResumedAndSent() throws {
    #expect(
      try stage.compose.run(options + ["--sign", "--body", "-", "--hold"], input: "walrus\n").code
        == 0
    )
    let entry = try #require(stage.compose.names(".local/state/magnum/spool/work/hold").first)
    let cancelled = try stage.compose.run("queue", "cancel", entry)
    #expect(cancelled.code == 0 && stage.compose.drafts.count == 1, "\(cancelled)")
    try expectNothing("cancelled", besides: Self.queue)
    let draft = stage.compose.magnum.home["mail/Drafts/cur/\(stage.compose.drafts[0])"]
    let kept = Files.text(draft) ?? ""
    #expect(kept.contains("X-Magnum-Protect: sign, encrypt\n") && kept.contains("Subject: [...]"))
    #expect(!kept.contains("ada@x.org"))
    let template = try stage.compose.run("resume", "--template", draft)
    for line in ["To: ada@x.org", "Bcc: heron@x.org", "Subject: pelican", "Attached: 1 notes.txt"] {
      #expect(template.output.contains(line + "\n"), "\(template)")
    }
    #expect(template.output.contains("Protect: sign, encrypt\n"))
    #expect(template.output.hasSuffix("\n\nwalrus\n"), "\(template)")
    let again = try stage.compose.run("resume", "--draft", draft)
    #expect(again.code == 0 && !again.errors.contains("clear text"), "\(again)")
    let second = stage.compose.magnum.home["mail/Drafts/cur/\(stage.compose.drafts[0])"]
    let sent = try stage.compose.run("resume", "--send", second)
    #expect(sent.code == 0 && stage.compose.drafts.isEmpty, "\(sent)")
    try expectNothing("resumed and sent", besides: Self.queue)
    let text = try stage.compose.sent().text
    #expect(try stage.compose.sent().to.count == 2)
    let shown = try stage.show(text, "--decrypt", "true")
    #expect(shown.output.contains("Subject: pelican\n") && shown.output.contains("walrus"))
  }

  /// A signed entry becomes a draft without a signature, which is signed again.
  @Test func aSignedEntryIsCancelled() throws {
    let words = ["compose", "-t", "ada@x.org", "-b", "heron@x.org", "-s", "pelican", "--sign"]
    #expect(try stage.compose.run(words + ["--body", "-", "--hold"], input: "walrus\n").code == 0)
    let entry = try #require(stage.compose.names(".local/state/magnum/spool/work/hold").first)
    #expect(try stage.compose.run("queue", "cancel", entry).code == 0)
    let draft = stage.compose.magnum.home["mail/Drafts/cur/\(stage.compose.drafts[0])"]
    let kept = Files.text(draft) ?? ""
    #expect(kept.contains("X-Magnum-Protect: sign\n") && !kept.contains("BEGIN PGP"), "\(kept)")
    #expect(kept.contains("\n\nwalrus\n") && kept.contains("heron@x.org"), "\(kept)")
    #expect(try stage.compose.run("resume", "--send", draft).code == 0)
    let sent = try stage.compose.sent()
    #expect(sent.to.count == 2 && sent.text.contains("multipart/signed"))
    #expect(try stage.show(sent.text).output.contains("[signature: signed by me@x.test"))
  }

  /// Without the key the entry stays.
  @Test func anEntryThatCannotBeDecryptedIsNotCancelled() throws {
    #expect(
      try stage.compose.run(options + ["--body", "-", "--hold"], input: "walrus\n").code == 0
    )
    let entry = try #require(stage.compose.names(".local/state/magnum/spool/work/hold").first)
    stage.compose.variables["GNUPGHOME"] = stage.compose.magnum.home["none"]
    let outcome = try stage.compose.run("queue", "cancel", entry)
    #expect(outcome.code == 77, "\(outcome)")
    #expect(stage.compose.names(".local/state/magnum/spool/work/hold") == [entry])
    #expect(stage.compose.drafts.isEmpty)
  }

  /// What `magnum queue edit` refuses, and what it does: the protection, options, the status.
  @Test(arguments: [
    ("--sign", [], 65), ("--encrypt", [], 65), ("--encrypt", ["--to", "bob@x.org"], 65),
    ("--sign", ["--to", "bob@x.org"], 0),
  ])
  func aProtectedEntryIsNotEdited(_ option: String, _ words: [String], _ code: Int32) throws {
    let start = ["compose", "-t", "ada@x.org", "-s", "s", "--body", "-", option, "--hold"]
    #expect(try stage.compose.run(start, input: "walrus\n").code == 0)
    let entry = try #require(stage.compose.names(".local/state/magnum/spool/work/hold").first)
    stage.compose.variables["EDITOR"] = "false"
    let outcome = try stage.compose.run(["queue", "edit"] + words + [entry])
    #expect(outcome.code == code, "\(outcome)")
    if code != 0 {
      #expect(outcome.errors.contains("magnum queue cancel \(entry)"), "\(outcome)")
      #expect(outcome.errors.contains("magnum resume"))
      #expect(stage.compose.names(".local/state/magnum/spool/work/hold") == [entry])
    }
  }

  /// A captured message among the drafts is not decrypted.
  @Test func aCapturedMessageIsNotDecrypted() throws {
    let inside = "Content-Type: text/plain\nSubject: pelican\n\nwalrus\n"
    let armour = try stage.keys.encrypted(Array(inside.utf8), to: "me@x.test")
    let text = String(decoding: armour, as: UTF8.self)
    let message = """
      From: me@x.test
      To: eve@x.org
      Subject: [...]
      Message-ID: <captured@x.test>
      X-Magnum-Protect: encrypt
      MIME-Version: 1.0
      Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b

      --b
      Content-Type: application/pgp-encrypted

      Version: 1

      --b
      Content-Type: application/octet-stream

      \(text)
      --b--

      """
    try stage.compose.deliver("captured", message, folder: "Drafts")
    let draft = stage.compose.magnum.home["mail/Drafts/cur/captured:2,S"]
    for end in ["--send", "--template", "--print", "--draft"] {
      let outcome = try stage.compose.run("resume", end, draft)
      #expect(outcome.code == 65 && outcome.errors.contains("not kept as a draft"), "\(outcome)")
      #expect(!outcome.output.contains("walrus"))
    }
    #expect(stage.compose.sink.messages.isEmpty)
  }

  @Test func nothingIsLeftByAnyKill() throws {
    let ends = [["--send"], ["--draft"], ["--hold"]]
    for end in ends {
      try restore()
      let points = stage.compose.magnum.home["points"]
      let words = options + ["--body", "-"] + end
      stage.compose.variables["MAGNUM_FAULT_COUNT"] = points
      #expect(try stage.compose.run(words, input: "walrus\n").code == 0)
      stage.compose.variables["MAGNUM_FAULT_COUNT"] = nil
      let count = (Files.text(points) ?? "").split(separator: "\n").first.flatMap { Int($0) } ?? 0
      try #require(count > 5, "a debug build has fault points")
      for point in Turn.chosen(of: count, every: Turn.stride(1)) {
        for (name, value) in [
          ("MAGNUM_FAULT", "\(point)"), ("MAGNUM_FAULT_ERROR", "\(point):ENOSPC"),
        ] {
          try restore()
          stage.compose.variables[name] = value
          _ = try stage.compose.run(words, input: "walrus\n")
          stage.compose.variables[name] = nil
          try expectNothing("\(end) \(name) \(value)", besides: Self.queue)
        }
      }
    }
  }

  // MARK: With an editor

  private static let edit = "printf 'walrus\\n' >>\"$1\"; "

  /// What is typed after the editor, what the editor does at its end, and whether the draft is left in memory.
  @Test(arguments: [
    ("s\n", "", false), ("d\n", "", false), ("x\ny\n", "", false), ("q\n", "", true),
    ("e\nq\n", "", true), ("k\n", "sed -i 's/^To:.*/nonsense/' \"$1\"", true),
    ("k\n", "exit 3", true),
    ("k\n", "kill -9 $$", true), ("", "kill -9 $PPID $(ps -o ppid= -p $PPID)", true),
  ])
  func aDraftInTheEditorComesToItsEnd(_ keys: String, _ end: String, _ isLeft: Bool) throws {
    let outcome = try stage.compose.type(
      keys,
      editor: Self.edit + end,
      "compose",
      "-t",
      "ada@x.org",
      "-b",
      "heron@x.org",
      "-s",
      "pelican",
      "--attach",
      file,
      "--encrypt"
    )
    try expectNothing("\(keys) \(end)", besides: Self.queue)
    #expect(stage.compose.left.isEmpty != isLeft, "\(outcome)")
    #expect(Files.names(in: memory["magnum/compose"]).isEmpty != isLeft, "\(outcome)")
    guard isLeft, let name = stage.compose.left.first else { return }
    let list = try stage.compose.run("resume")
    #expect(list.output == "\(name)  (encrypted)  [...]\n", "\(list)")
    #expect(try stage.compose.run("resume", "--json").output.contains("\"encrypted\":true"))
    // The text outlives the program, but not the power.
    let isText = !end.contains("nonsense")
    let template = try stage.compose.run("resume", "--template", name)
    #expect(template.output.contains("walrus") == isText, "\(template)")
    try Command.shell("rm -rf \"$1\"/*", [memory.path])
    let later = try stage.compose.run("resume", "--template", name)
    #expect(later.code == 0 && later.output.contains("Subject: pelican\n"), "\(later)")
    #expect(later.output.contains("Bcc: heron@x.org\n") && later.output.contains("notes.txt"))
    // What an editor left that failed is not saved.
    let isSaved = end.isEmpty
    #expect(later.output.contains("walrus") == isSaved, "\(later)")
    try expectNothing("resumed", besides: Self.queue)
  }

  @Test(arguments: ["s\n", "d\n"])
  func nothingIsLeftByAKillInTheMenu(_ keys: String) throws {
    let words = options
    let points = stage.compose.magnum.home["points"]
    stage.compose.variables["MAGNUM_FAULT_COUNT"] = points
    _ = try stage.compose.typeAll(keys, editor: Self.edit, words)
    stage.compose.variables["MAGNUM_FAULT_COUNT"] = nil
    let count = (Files.text(points) ?? "").split(separator: "\n").first.flatMap { Int($0) } ?? 0
    try #require(count > 10, "a debug build has fault points")
    for point in Turn.chosen(of: count, every: Turn.stride(4)) {
      for (name, value) in [
        ("MAGNUM_FAULT", "\(point)"), ("MAGNUM_FAULT_ERROR", "\(point):ENOSPC"),
      ] {
        try restore()
        stage.compose.variables[name] = value
        _ = try stage.compose.typeAll(keys, editor: Self.edit, words)
        stage.compose.variables[name] = nil
        try expectNothing("\(keys) \(name) \(value)", besides: Self.queue)
      }
    }
  }

  /// What is encrypted is decided before a text is written: also where it is encrypted if possible.
  @Test(arguments: [[], ["--sign"], ["--no-sign"]])
  func nothingIsOnTheDiskWhereAllHaveKeys(_ options: [String]) throws {
    let stage = try ProtectedStage("encrypt = \"if-possible\"")
    let home = stage.compose.magnum.home
    let body = try elsewhere.write("walrus\n", to: "body.txt")
    let look =
      "grep -rla -e walrus -e pelican \"$HOME/.local\" >\"$HOME/found\"; echo otter >>\"$1\""
    let outcome = try stage.compose.typeAll(
      "s\n",
      editor: look,
      ["compose", "-t", "ada@x.org", "-s", "pelican", "--body", body] + options
    )
    #expect(Files.text(home["found"]) == "", "\(outcome)")
    #expect(outcome.output.contains("Encrypt: ada@x.org"), "\(outcome)")
    let sent = try stage.compose.sent().text
    #expect(!sent.contains("walrus") && !sent.contains("pelican"), "\(sent)")
  }

  /// A draft that is to be encrypted from now on leaves no clear text where it was.
  @Test func clearFilesGoWhenEncryptionIsSwitchedOn() throws {
    let outcome = try stage.compose.type(
      "e\nq\n",
      editor: #"if [ -e "$HOME/once" ]; then sed -i 's/^Protect:.*/Protect: encrypt/' "$1"; "#
        + #"else printf 'walrus\n' >>"$1"; touch "$HOME/once"; fi"#,
      "compose",
      "-t",
      "ada@x.org",
      "-s",
      "pelican",
      "--sign"
    )
    #expect(outcome.output.contains("the draft is kept encrypted from now on"), "\(outcome)")
    try expectNothing("switched on")
    let name = try #require(stage.compose.left.first)
    let template = try stage.compose.run("resume", "--template", name)
    #expect(template.output.contains("walrus"), "\(template)")
    // One in the folder for drafts likewise.
    try restore()
    #expect(
      try stage.compose.run(
        ["compose", "-t", "ada@x.org", "-s", "pelican", "--body", "-", "--draft"],
        input: "walrus\n"
      ).code == 0
    )
    let draft = stage.compose.magnum.home["mail/Drafts/cur/\(stage.compose.drafts[0])"]
    let again = try stage.compose.run("resume", "--encrypt", "--draft", draft)
    #expect(again.code == 0 && again.errors.contains("may still have"), "\(again)")
    // The index forgets it with the next sync.
    let index = ["mail/.magnum/index/"]
    try expectNothing("switched on in the folder", besides: ["walrus": index, "pelican": index])
  }

  /// The text lies in memory of the user alone, or nowhere.
  @Test func aPlaceThatIsNotPrivateIsRefused() throws {
    let shared = "/dev/shm/magnum-\(UInt32(getuid()))"
    // Somebody may work there.
    guard !Files.exists(shared) else { return }
    defer { Files.removeTree(shared) }
    try Files.makeDirectories(memory["magnum"])
    try Command.shell("chmod 777 \"$1\"; mkdir -m 755 \"$2\"", [memory["magnum"], shared])
    let edit = "printf %s \"$1\" >\"$HOME/place\""
    let place = stage.compose.magnum.home["place"]
    let refused = try stage.compose.type("x\ny\n", editor: edit, "compose", "--encrypt")
    #expect(refused.code == 73 && refused.output.contains("no place in memory"), "\(refused)")
    #expect(Files.text(place) == nil && stage.compose.left.isEmpty)
    try Command.shell("chmod 700 \"$1\"", [shared])
    let outcome = try stage.compose.type("x\ny\n", editor: edit, "compose", "--encrypt")
    #expect((Files.text(place) ?? "").hasPrefix("\(shared)/compose/"), "\(outcome)")
    // Where the first place is on a disk, the text is found in the second.
    let disk = try TempDirectory("run", isOnDisk: true)
    stage.compose.variables["XDG_RUNTIME_DIR"] = disk.path
    let kill = "kill -9 $PPID $(ps -o ppid= -p $PPID)"
    _ = try stage.compose.type("", editor: Self.edit + kill, "compose", "--encrypt")
    let name = try #require(stage.compose.left.first)
    let template = try stage.compose.run("resume", "--template", name)
    #expect(template.output.contains("walrus"), "\(template)")
    #expect(Files.names(in: disk.path).isEmpty)
  }
}
