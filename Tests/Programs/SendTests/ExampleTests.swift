import Glibc
import TestSupport
import Testing

/// What a stranger named is data in every language that an example hands it to: the programs run as they do for users, with
/// folders whose names would be commands.
@Suite struct ExampleTests {
  /// Names that would make the file `pwned` in the languages of mutt, shells, Vim and Emacs.
  private static let names = [
    "`touch pwned`", "$(touch pwned)", "\";!touch pwned;\"", "';!touch pwned;'",
    "a\" `touch pwned` \"b", "|touch pwned",
    "\\140touch pwned\\140", "$HOME", "a b'c\"d\\e", "(shell-command \"touch pwned\")",
    "<shell-escape>touch pwned<enter>",
    "line\nend", "\u{e9}\u{1F4E7}", "#{touch}", "~root", "%s%n",
  ]

  private let magnum: ProgramUnderTest
  private let folders: [String]

  init() throws {
    magnum = try ProgramUnderTest("magnum")
    try magnum.configure("[account.work]\nmaildir = \"~/Mail/work\"\n")
    let root = magnum.home["Mail/work"]
    folders = (["INBOX", "Trash", "Sent", "Drafts"] + Self.names).map { "\(root)/\($0)" }
    for folder in folders {
      for part in ["cur", "new", "tmp"] { try Files.makeDirectories("\(folder)/\(part)") }
    }
  }

  /// Whether a name was a command for some program.
  private func isPwned(_ place: String) -> Bool {
    [place, magnum.home.path].contains { Files.exists("\($0)/pwned") }
  }

  /// A command in a directory in which what it runs by mistake would leave its file.
  private static func command(in place: TempDirectory, _ program: String, _ words: [String])
    -> Command
  {
    Command("sh", ["-c", "cd \"$0\" && exec \"$@\"", place.path, program] + words)
  }

  private func output(_ format: String) throws -> [UInt8] {
    let outcome = try magnum.run("accounts", "folders", "--format", format, "work")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    return outcome.outputOctets
  }

  @Test func eachFormatHasAllFolders() throws {
    let plain = try output("text0").split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    #expect(Set(plain) == Set(folders))
    #expect(try output("text").split(separator: 10).count == folders.count)
    #expect(try magnum.run("accounts", "folders", "-0").outputOctets == output("text0"))
    #expect(try magnum.run("accounts", "folders", "other").code == 64)
  }

  @Test(arguments: ["sh", "bash", "zsh", "fish"]) func shellsReadThemAsWords(_ shell: String) throws
  {
    let place = try TempDirectory()
    let list = try place.write(try output("sh"), to: "list")
    let script =
      shell == "fish"
      ? "eval set words (string collect < '\(list)'); printf '%s\\0' $words"
      : "eval \"set -- $(cat '\(list)')\"; printf '%s\\0' \"$@\""
    let command = Self.command(in: place, shell, ["-c", script])
    let outcome = try command.run()
    #expect(outcome.outputOctets == (try output("text0")), "\(outcome)")
    #expect(!isPwned(place.path))
  }

  @Test(arguments: ["mutt", "neomutt"]) func muttReadsThemAsNames(_ program: String) throws {
    let place = try TempDirectory()
    for folder in folders {
      let line = try output("mutt").split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        .first { unquoted($0) == folder }
      #expect(line?.hasPrefix("mailboxes \"") ?? false, "\(folder)")
    }
    // The example as it is, in a directory in which a command would leave its file.
    var command = magnum.command([])
    let path = "\(ProgramUnderTest.products):\(command.environment["PATH"] ?? "")"
    let settings = "\(Fixtures.project("examples/muttrc"))"
    command = Self.command(in: place, program, ["-n", "-F", settings, "-e", "push <quit>"])
    command.environment = [
      "HOME": magnum.home.path, "PATH": path, "TERM": "xterm", "LANG": "C.UTF-8",
    ]
    command.isOnTerminal = true
    command.timeLimit = 20
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(!isPwned(place.path), "\(outcome)")
    // Each string means the name, as the program itself says.
    for folder in folders where !folder.contains("\n") {
      let quoted = try #require(
        try output("mutt").split(separator: 10).first {
          unquoted(String(decoding: $0, as: UTF8.self)) == folder
        }
      ).dropFirst("mailboxes ".utf8.count)
      let rc = try place.write(Array("set record=".utf8) + quoted + [10], to: "rc")
      let asked = try Command(program, ["-n", "-F", rc, "-Q", "record"]).run()
      let shown = folder.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      #expect(asked.output.contains(shown) || asked.output.contains(folder), "\(asked)")
    }
  }

  /// The path in a line of mutt's.
  private func unquoted(_ line: String) -> String {
    var octets: [UInt8] = []
    var rest = Array(line.utf8)[...]
    rest = rest.drop { $0 != 34 }.dropFirst().dropLast()
    while let octet = rest.popFirst() {
      guard octet == 92 else { octets.append(octet); continue }
      octets.append(UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) ?? 0)
      rest = rest.dropFirst(3)
    }
    return String(decoding: octets, as: UTF8.self)
  }

  @Test(.enabled("needs vim") { (try? Command("vim", ["--version"]).run().code) == 0 })
  func vimReadsThemAsAList() throws {
    let place = try TempDirectory()
    let list = try place.write(try output("vim"), to: "list")
    let script = "call writefile([json_encode(eval(readfile('\(list)')[0]))], 'out')"
    var command = Self.command(
      in: place,
      "vim",
      ["-N", "-u", "NONE", "-es", "--cmd", "set encoding=utf-8", "-c", script, "-c", "qall!"]
    )
    command.timeLimit = 20
    _ = try command.run()
    let read = try ParsedJSON(Files.text(place["out"]) ?? "")
    #expect(folders.indices.compactMap { read[$0]?.text }.sorted() == folders.sorted())
    #expect(!isPwned(place.path))
  }

  /// What a person pastes behind the commands of examples/vimrc is an argument, whatever it is.
  @Test(.enabled("needs vim") { (try? Command("vim", ["--version"]).run().code) == 0 })
  func vimGivesIdsAsArguments() throws {
    let place = try TempDirectory()
    try place.write(
      "#!/bin/sh\nfor word; do printf '%s\\n' \"$word\"; done >> '\(place["said"])'\n",
      to: "bin/magnum",
      mode: 0o755
    )
    let settings = Fixtures.project("examples/vimrc")
    for id in [
      "id:`touch\\ pwned`@x", "id:$(touch\\ pwned)@x", "id:';touch\\ pwned;'", "id:a!b%#@x",
    ] {
      var command = Self.command(
        in: place,
        "vim",
        [
          "-N", "-u", "NONE", "-es", "-c", "source \(settings)", "-c", "MagnumReply \(id)", "-c",
          "qall!",
        ]
      )
      command.environment = Command.ownEnvironment
      command.environment["PATH"] = "\(place["bin"]):\(Command.ownEnvironment["PATH"] ?? "")"
      command.timeLimit = 20
      _ = try command.run()
      let said = (Files.text(place["said"]) ?? "").split(separator: "\n").last
      #expect(said.map { "\($0)" } == id.replacing("\\ ", with: " "), "\(id)")
    }
    #expect(!isPwned(place.path))
  }

  @Test(.enabled("needs emacs") { (try? Command("emacs", ["--version"]).run().code) == 0 })
  func emacsReadsThemAsAList() throws {
    let place = try TempDirectory()
    let list = try place.write(try output("elisp"), to: "list")
    let script = """
      (with-temp-buffer (let ((coding-system-for-read 'utf-8)) (insert-file-contents "\(list)"))
        (let ((names (read (current-buffer))) (coding-system-for-write 'utf-8))
          (with-temp-file "out" (insert (json-encode names)))))
      """
    var command = Self.command(
      in: place,
      "emacs",
      ["-Q", "--batch", "--eval", "(require 'json)", "--eval", script]
    )
    command.timeLimit = 30
    let outcome = try command.run()
    let read = try ParsedJSON(Files.text(place["out"]) ?? "")
    #expect(
      folders.indices.compactMap { read[$0]?.text }.sorted() == folders.sorted(),
      "\(outcome)"
    )
    #expect(!isPwned(place.path))
  }
}
