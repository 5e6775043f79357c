import TestSupport
import Testing

/// The scripts in real shells: what is offered for a command line.
@Suite struct CompletionTests {
  private static let shells = ["bash", "zsh", "fish"].filter { shell in
    (try? Command(shell, ["-c", "true"]).run().code) == 0
  }

  /// A command line up to the cursor, with some of what is offered there, and some of what is not.
  struct Case: Sendable, CustomTestStringConvertible {
    let line: String
    let offered: [String]
    var not: [String] = []

    var testDescription: String { line }
    var program: String { String(line.prefix { $0 != " " }) }
  }

  static let cases =
    [
      Case(line: "magnum ", offered: ["queue", "status", "sync"], not: ["complete", "work"]),
      Case(line: "magnum st", offered: ["status"], not: ["queue"]),
      Case(line: "magnum queue ", offered: ["list", "flush", "work"], not: ["queue"]),
      Case(line: "magnum queue hold ", offered: ["ENTRY"], not: ["list", "work"]),
      Case(line: "magnum status ", offered: ["work", "home"], not: ["list"]),
      Case(line: "magnum --config status --account ", offered: ["work", "home"]),
      Case(line: "magnum show --he", offered: ["--headers"], not: ["--json"]),
      Case(
        line: "magnum-sync ",
        offered: ["work", "work/INBOX", "work/Lists/swift"],
        not: ["home"]
      ),
      Case(line: "magnum-sync -", offered: ["--dry-run", "-n"], not: ["help", "--limit"]),
      Case(line: "magnum-sync --account ", offered: ["work", "home"], not: ["work/INBOX"]),
      Case(line: "magnum-sync --allow-mass-delete work/L", offered: ["work/Lists/swift"]),
      Case(line: "magnum-search --sort ", offered: ["newest-first", "unsorted"], not: ["--sort"]),
      Case(line: "magnum-search --config c", offered: ["config.toml"]),
      Case(line: "magnum-search --exclude ", offered: ["unread", "inbox"], not: ["flagged"]),
      Case(line: "magnum-search alice tag:u", offered: ["tag:unread"], not: ["tag:inbox"]),
      Case(line: "magnum-search folder:", offered: ["folder:Lists/swift"], not: ["tag:unread"]),
      Case(line: "magnum queue undiscard ", offered: ["DISCARDED"], not: ["ENTRY"]),
      Case(line: "magnum-send --", offered: ["--account", "--wait"], not: ["-a", "work"]),
      Case(line: "magnum-send --account ", offered: ["work"], not: ["work/INBOX"]),
      Case(line: "magnum-send -a w", offered: ["work"]),
      Case(line: "magnum-send --config c", offered: ["config.toml"]),
    ]
    + ["read", "unread", "flag", "archive", "delete", "junk", "notjunk", "mute", "unmute", "show"]
    .map { Case(line: "magnum \($0) tag:u", offered: ["tag:unread"], not: ["tag:work"]) }
    + ["reply", "reply-all", "forward", "resume", "attachments list", "attachments save"]
    .map { Case(line: "magnum \($0) folder:L", offered: ["folder:Lists/swift"]) }
    + [
      Case(line: "magnum show c", offered: ["config.toml"]),
      Case(line: "magnum read ", offered: ["tag:unread", "folder:Lists/swift"]),
      Case(line: "magnum move ", offered: ["Lists/swift"], not: ["tag:unread", "config.toml"]),
      Case(line: "magnum copy L", offered: ["Lists/swift"]),
      Case(line: "magnum move Lists/swift tag:u", offered: ["tag:unread"], not: ["Lists/swift"]),
      Case(line: "magnum archive --folder L", offered: ["Lists/swift"], not: ["work/Lists/swift"]),
      Case(line: "magnum tag +u", offered: ["+unread"], not: ["tag:unread"]),
      Case(line: "magnum tag +unread tag:u", offered: ["tag:unread"]),
      Case(line: "magnum read --account ", offered: ["work", "home"]),
      Case(line: "magnum compose --account ", offered: ["work", "home"]),
      Case(
        line: "magnum compose --use-template ",
        offered: ["weekly"],
        not: ["below", "no.name", "config.toml"]
      ),
      Case(line: "magnum queue show ", offered: ["ENTRY"]),
      Case(line: "magnum queue cancel ", offered: ["ENTRY"]),
      Case(line: "magnum queue flush ", offered: ["work"]),
      Case(line: "magnum accounts test ", offered: ["work"]),
      Case(line: "magnum watch ", offered: ["work"]),
      Case(line: "magnum verify work/L", offered: ["work/Lists/swift"]),
      Case(line: "magnum sync ", offered: ["work", "work/Lists/swift"], not: ["home"]),
      Case(line: "magnum sync --fetch-again work/L", offered: ["work/Lists/swift"]),
      Case(line: "magnum sync --dr", offered: ["--dry-run"], not: ["--json"]),
      Case(line: "magnum search tag:u", offered: ["tag:unread"], not: ["tag:inbox"]),
      Case(line: "magnum search --sort ", offered: ["newest-first"]),
      Case(line: "magnum send --account ", offered: ["work"], not: ["work/INBOX"]),
      Case(line: "magnum --account work sync work/L", offered: ["work/Lists/swift"]),
    ]

  private static let stage = Result { try makeStage() }

  @Test(arguments: shells)
  func linesAreCompleted(shell: String) throws {
    let stage = try Self.stage.get()
    for example in Self.cases {
      let found = try stage.words(shell, example.line, example.program)
      for word in example.offered.map(stage.word) {
        #expect(found.contains(word), "\(example.line): \(found)")
      }
      for word in example.not.map(stage.word) {
        #expect(!found.contains(word), "\(example.line): \(found)")
      }
    }
  }

  /// Names of mailboxes and tags that a server may have, and what is typed before each.
  private static let hostile = [
    "$(touch ran)`touch ran`", "';touch ran;'", "\";touch ran;\"", "|touch ran", "\\`touch ran\\`",
    "a;touch ran",
  ]

  /// The server chooses the names of mailboxes, and of tags: nothing in them is run, when they are offered or later.
  @Test(
    arguments: shells,
    [
      "magnum-sync work/x", "magnum-search folder:x", "magnum move x", "magnum tag +x",
      "magnum-search tag:x",
    ]
  )
  func namesAreData(shell: String, line: String) throws {
    let stage = try Self.stage.get()
    let found = try stage.words(shell, line, String(line.prefix { $0 != " " }))
    // Terms that would have to be quoted within a query are not offered.
    let isOfTerms = line.contains(":")
    let count = found.count { $0.contains("touch") }
    #expect(isOfTerms || count == Self.hostile.count && found.count == count, "\(found)")
    if shell == "bash" {
      // What bash puts into the line is run as it is.
      for word in found {
        _ = try Command(
          "sh",
          ["-c", "cd \"$0\"; exec bash -c \"printf %s $1\"", stage.home.path, word]
        ).run()
      }
    }
    #expect(!Files.exists(stage.home["ran"]))
  }

  // MARK: A home to complete in

  struct Stage: Sendable {
    let home: TempDirectory
    let entry: String
    let discarded: String
    let environment: [String: String]

    /// What a word of a case stands for.
    func word(_ word: String) -> String {
      switch word {
      case "ENTRY": entry
      case "DISCARDED": discarded
      default: word
      }
    }

    /// What a shell offers for a command line of a program.
    func words(_ shell: String, _ line: String, _ program: String) throws -> [String] {
      let name = shell == "zsh" ? "_\(program)" : "\(program).\(shell)"
      let options =
        ["bash": ["--norc", "--noprofile"], "zsh": ["-f"], "fish": ["-N"]][shell] ?? []
      var command = Command(
        "sh",
        [
          "-c", "cd \"$HOME\"; exec \"$@\"", "sh", shell,
        ] + options + [
          home["run.\(shell)"], home["scripts/\(name)"], line, program,
        ]
      )
      command.environment = environment
      let outcome = try command.run()
      #expect(outcome.code == 0 && outcome.errors == "", "\(line): \(outcome)")
      return outcome.output.split(whereSeparator: \.isNewline).map { word in
        String(word.prefix { $0 != "\t" })
      }
    }
  }

  /// Words end at colons and equals signs too, and only the last of them is replaced; what is printed is the whole word.
  private static let bash = """
    source "$1"
    COMP_LINE=$2 COMP_POINT=${#2}
    words=${2//:/ : }
    read -ra COMP_WORDS <<<"${words//=/ = }"
    [[ $2 != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    start=${2##* }
    case $start in *[:=]) ;; *) start=${start%"${COMP_WORDS[COMP_CWORD]}"} ;; esac
    function=$(complete -p "$3") && function=${function#*-F } && function=${function%% *}
    "$function" "$3" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\\n' "${COMPREPLY[@]/#/$start}"
    """

  private static let fish = """
    set -p fish_complete_path (dirname $argv[1])
    source $argv[1]
    complete -C $argv[2]
    """

  /// A second zsh on a terminal of its own, in which `compadd` prints what it is given.
  ///
  /// It is ready when it edits a line: what is typed while it still changes the modes of its terminal can be lost. It does not
  /// exit by itself: what zpty has not read of a shell that is gone is lost.
  private static let zsh = """
    zmodload zsh/zpty
    print -r -- "
    PROMPT=
    fpath=(${1:h} \\$fpath)
    autoload -Uz compinit
    compinit -C -d $HOME/completions
    bindkey '^M' undefined
    bindkey '^J' undefined
    bindkey '^I' complete-word
    say-begin () { print -r - BEGIN }
    say-end () { print -r - END }
    compprefuncs=(say-begin)
    comppostfuncs=(say-end)
    compadd () {
      if [[ \\${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd \\"\\$@\\"; return; fi
      local -a hits
      builtin compadd -A hits \\"\\$@\\"
      (( ! \\$#hits )) || print -rl - \\$IPREFIX\\${^hits}
      return 1
    }
    zle-line-init () { print -r - READY }
    zle -N zle-line-init" > $HOME/inner.$$.zsh
    zpty inner zsh -f -i
    zpty -w inner "source $HOME/inner.$$.zsh"
    # What is read need not be whole lines, and a signal ends a reading before anything came.
    said=
    while [[ $said != *READY* ]] && { part=; zpty -r inner part || zpty -t inner }; do said+=$part; done
    zpty -n -w inner "$2"$'\\t'
    said=
    while [[ $said != *BEGIN*END* ]] && { part=; zpty -r inner part || zpty -t inner }; do said+=$part; done
    said=${${said#*BEGIN}%%END*}
    print -rn -- "${said//$'\\r'/}"
    zpty -d inner
    """

  /// Has zsh look through its directories once: each shell would need longer for that than for all else.
  private static func listZshCompletions(_ environment: [String: String]) throws {
    let lines = """
      fpath=($HOME/scripts $fpath)
      autoload -Uz compinit
      compinit -u -d $HOME/completions
      """
    try #require(try Command("zsh", ["-f", "-c", lines], environment: environment).run().code == 0)
  }

  private static func makeStage() throws -> Stage {
    let products = ProgramUnderTest.products
    let server = try Dovecot.shared(DovecotOptions())
    let user = Dovecot.freshUser("complete")
    let program = try ProgramUnderTest("magnum-sync")
    try program.configure(
      """
      [account.work]
      address = "me@x.test"
      maildir = "~/Mail/work"
      imap = "\(server.clearURL)"
      user = "\(user)"
      password = "pass"
      smtp = "smtp+plain://127.0.0.1:1"
      [account.home]
      maildir = "~/Mail/home"
      """
    )
    try program.home.write("", to: "config.toml")
    for name in ["weekly", "no.name", "below/other"] {
      try program.home.write("Subject: a\n\n", to: ".config/magnum/templates/\(name)")
    }
    let imap = try RawIMAP(server, user: user)
    for name in ["Lists/swift"] + hostile.map({ "x\($0)" }) { try imap.create(name) }
    for name in ["INBOX", "Lists/swift"] {
      try imap.append([Array("Subject: a\r\n\r\n".utf8)], to: name)
    }
    try #require(try program.run().code == 0)
    var environment = program.command([]).environment
    environment["PATH"] = "\(ProgramUnderTest.products):\(environment["PATH"] ?? "")"
    environment["TERM"] = "xterm"
    var give = Command(
      "\(products)/magnum-send",
      ["--no-try", "you@x.test"],
      environment: environment
    )
    give.input = Array("Subject: a\n\n".utf8)
    for _ in 1...2 { try #require(try give.run().code == 0) }
    func magnum(_ words: String...) throws -> [String] {
      try Command("\(products)/magnum", words, environment: environment).run().lines
    }
    _ = try magnum("index")
    for word in hostile { try #require(try magnum("tag", "+x\(word)", "*").isEmpty == false) }
    let entries = try magnum("complete", "entries")
    try #require(entries.count == 2)
    _ = try magnum("queue", "discard", entries[1])
    for name in ["magnum", "magnum-sync", "magnum-send", "magnum-search"] {
      for (shell, file) in [
        ("bash", "\(name).bash"), ("zsh", "_\(name)"), ("fish", "\(name).fish"),
      ] {
        let script = try Command(
          "\(products)/\(name)",
          ["--generate-completion-script", shell],
          environment: environment
        ).run()
        try program.home.write(script.output, to: "scripts/\(file)")
      }
    }
    // Once: shells of several tests read them at the same time.
    for (shell, script) in [("bash", bash), ("zsh", zsh), ("fish", fish)] {
      try program.home.write(script, to: "run.\(shell)")
    }
    if shells.contains("zsh") { try listZshCompletions(environment) }
    return Stage(
      home: program.home,
      entry: entries[0],
      discarded: entries[1],
      environment: environment
    )
  }
}
