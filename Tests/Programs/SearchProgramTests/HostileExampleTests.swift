import TestSupport
import Testing

/// What a stranger named is data in every example: each runs over mail whose ids, senders, subjects and tags would be commands in
/// some language, or more of a query.
@Suite struct HostileExampleTests {
  /// Where each example is run with names of strangers; what nothing of theirs reaches has a reason.
  private static let tested = [
    "config.toml": "settings and numbers", "crontab": "HostileExampleTests",
    "magnum.el": "HostileExampleTests",
    "muttrc": "ExampleTests, MuttrcTests", "notify": "HostileExampleTests",
    "notmuch": "HostileExampleTests",
    "quickstart": "mail of its own", "vimrc": "ExampleTests",
    "packages/PKGBUILD": "no names", "packages/flake.nix": "no names",
    "systemd/magnum-queue.service": "no names", "systemd/magnum-queue.timer": "no names",
    "systemd/magnum-sync.service": "no names", "systemd/magnum-sync.timer": "no names",
    "systemd/magnum-watch.service": "no names",
    "systemd/system/magnum-queue-system.service": "no names",
    "systemd/system/magnum-queue-system.timer": "no names",
  ]

  private static let words = [
    "`touch${IFS}pwned`", "$(touch${IFS}pwned)", "';touch${IFS}pwned;'", "\";touch${IFS}pwned;\"",
    "|touch${IFS}pwned",
    "&touch${IFS}pwned&", "\\`touch${IFS}pwned\\`", "\"or\"*", "a)or(b", "*", "-x", "--yes", "--",
    "+inbox", "%s%n%25",
    "(shell-command\"touch${IFS}pwned\")", "#{touch}", "~root", "!touch", "$HOME", "a/../b",
    "é\u{1F4E7}",
  ]

  private let stage: SearchStage
  private let place: TempDirectory
  private let ids: [String]

  init() throws {
    stage = try SearchStage()
    place = try TempDirectory("hostile")
    for (number, word) in Self.words.enumerated() {
      let lines = [
        "From: \"\(word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\" <w\(number)@x.org>",
        "To: b@x.org",
        "Subject: \(word)", "Message-ID: <\(word)@x\(number)>",
        "Date: \(1 + number) Jul 2026 10:00:00 +0000", "", "text", "",
      ]
      try stage.search.home.write(lines.joined(separator: "\n"), to: "mail/INBOX/cur/\(number):2,S")
    }
    try stage.makeFolder()
    try stage.configureAccount()
    #expect(try stage.index().code == 0)
    ids = try stage.lines(["--output", "messages", "*"])
    try #require(ids.count == Self.words.count)
    try place.write(ids.map { $0 + "\n" }.joined(), to: "in/ids")
    try place.write(Self.words.map { $0 + "\n" }.joined(), to: "in/words")
    for directory in ["work", "wrapper"] { try Files.makeDirectories(place[directory]) }
    try Command.shell(
      "ln -s \"$1\" \"$2\"",
      [Fixtures.project("examples/notmuch"), place["wrapper/notmuch"]]
    )
    let stub = "#!/bin/sh\nprintf '%s\\n' \"$4\" >> \"$NOTICES\"\n"
    try place.write(stub, to: "in/notify-send", mode: 0o755)
    try place.write("#!/bin/sh\ncat '\(place["in/words"])'\n", to: "in/magnum-sync", mode: 0o755)
  }

  /// Runs a script in a directory in which a command would leave its file, and expects that none was run.
  private func run(_ script: String, _ input: String = "", isOfStubs: Bool = false) throws
    -> Outcome
  {
    var command = stage.search.command([])
    command.program = "/bin/sh"
    command.arguments = ["-ec", "cd '\(place["work"])'; \(script)"]
    let own = isOfStubs ? "\(place["in"]):" : ""
    command.environment["PATH"] =
      "\(own)\(ProgramUnderTest.products):\(command.environment["PATH"] ?? "")"
    command.environment["NOTICES"] = place["notices"]
    command.environment["LANG"] = "C.UTF-8"
    command.input = Array(input.utf8)
    command.timeLimit = 240
    let outcome = try command.run()
    for directory in [place["work"], stage.search.home.path, place["in"]] {
      #expect(!Files.exists("\(directory)/pwned"), "\(script): \(outcome)")
    }
    return outcome
  }

  @Test func eachExampleIsGoneThrough() throws {
    let files = try Command.shell(
      "cd \"$1\"; find . -type f | sort",
      [Fixtures.project("examples")]
    )
    let names = files.split(separator: "\n").map { String($0.dropFirst(2)) }
    #expect(Set(names) == Set(Self.tested.keys), "a new one is to be run with names of strangers")
  }

  /// The output of each is that of all ids, one after the other: none finds another message, or more than one.
  @Test(arguments: [
    ("notmuch search --output=messages -- \"$id\"", ""),
    ("notmuch tag \"+n$n\" -- \"$id\"; notmuch search --output=messages \"tag:n$n\"", ""),
    ("notmuch reply --format=default \"$id\" | grep -c '^References: '", "1"),
    ("notmuch count -- \"$id\"", "1"),
    ("notmuch show --format=raw -- \"$id\" | grep -c '^Subject: '", "1"),
  ])
  func notmuchTakesIdsAsTheyAre(_ line: String, _ expected: String) throws {
    let notmuch = "PATH='\(place["wrapper"])':$PATH"
    let outcome = try run(
      "\(notmuch); n=0; while read -r id; do n=$((n + 1)); \(line); done <'\(place["in/ids"])'"
    )
    let lines = expected.isEmpty ? ids : ids.map { _ in expected }
    #expect(outcome.lines == lines && outcome.errors == "", "\(line): \(outcome)")
  }

  /// Tags are added, dumped and restored as what they are.
  @Test func notmuchTakesTagsAsTheyAre() throws {
    let script = """
      PATH='\(place["wrapper"])':$PATH; id=$(head -n 1 '\(place["in/ids"])')
      while read -r tag; do notmuch tag "+x$tag" -- "$id"; done <'\(place["in/words"])'
      notmuch dump -- "$id" >../dump; notmuch tag +other -- "$id"; notmuch restore <../dump
      notmuch search --output=tags -- "$id"
      """
    let outcome = try run(script)
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(
      Set(outcome.lines.filter { $0.hasPrefix("x") }) == Set(Self.words.map { "x\($0)" }),
      "\(outcome)"
    )
  }

  @Test(.enabled("emacs is not installed") { EmacsTests.isInstalled }) func emacsShowsAndAnswers()
    throws
  {
    let script = """
      (progn (magnum "*")
        (dotimes (line (length tabulated-list-entries))
          (with-current-buffer "*magnum*" (goto-char (point-min)) (forward-line line)
            (magnum-show)
            (with-current-buffer "*magnum thread*" (goto-char (point-min))
              (re-search-forward "^Subject: \\\\(.*\\\\)$") (princ (format "%s\\n" (match-string 1))))
            (set-buffer "*magnum*") (goto-char (point-min)) (forward-line line) (magnum-reply)
            (goto-char (point-min)) (search-forward "In-Reply-To: ") (set-buffer-modified-p nil) (kill-buffer)
            (set-buffer "*magnum*") (goto-char (point-min)) (forward-line line) (magnum-add-tag "`touch pwned`"))))
      """
    let file = Fixtures.project("examples/magnum.el")
    try place.write(script, to: "in/script.el")
    let outcome = try run("emacs -Q --batch -l '\(file)' -l '\(place["in/script.el"])'")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(Set(outcome.lines) == Set(Self.words), "\(outcome)")
    #expect(try stage.lines(["--output", "messages", "tag:\"`touch pwned`\""]).count == ids.count)
  }

  @Test func noticesAndLettersOfCronSayItAsItIs() throws {
    let lines = Self.words.map { word in
      let text = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "{\"from\":\"\(text) <a@x>\",\"subject\":\"\(text)\"}\n"
    }
    let notify = Fixtures.project("examples/notify")
    for line in lines {
      let outcome = try run("exec '\(notify)'", line, isOfStubs: true)
      #expect(outcome.code == 0, "\(outcome)")
    }
    let bodies = (Files.text(place["notices"]) ?? "").split(separator: "\n").map { "\($0)" }
    let expected = Self.words.map { word in
      word.replacing("&", with: "&amp;").replacing("\\", with: "\\\\")
    }
    #expect(bodies == expected)
    let table = Files.text(Fixtures.project("examples/crontab")) ?? ""
    let job = try #require(
      table.split(separator: "\n").last { !$0.hasPrefix("#") && $0.contains("magnum-sync") }
    )
    let line = String(job.split(separator: " ", maxSplits: 5)[5]).replacing("\\%", with: "%")
    let letter = try run(line, isOfStubs: true)
    #expect(letter.lines == Self.words, "\(letter)")
  }
}
