import GnuPG
import Octets
import Platform
import Protection
import TestSupport
import Testing

/// What comes of programs that behave in one way or another: a script is in the place of gpg.
struct ToolAnswerTests {
  private static let request = ToolRequest.open(
    .openPGP,
    [UInt8](ascii: "input")[...],
    decrypts: true
  )

  private static func answer(
    _ script: String,
    _ request: ToolRequest = request,
    hasPerson: Bool = false,
    seconds: Double = 60
  ) throws -> ToolAnswer {
    try ScriptedProgram(script, hasPerson: hasPerson, seconds: seconds).answer(request)
  }

  /// An answer as words: the exit status, the lines for programs, the output.
  private static func ended(_ code: Int32, _ status: String, _ output: String) -> String {
    "\(code) \(status)|\(output)"
  }

  private static func text(_ answer: ToolAnswer) -> String {
    guard case .ended(let code, let status, let output) = answer else { return "\(answer)" }
    let octets = (try? output.whole()) ?? []
    return ended(
      code,
      String(decoding: status, as: UTF8.self),
      String(decoding: octets, as: UTF8.self)
    )
  }

  @Test(
    arguments: [
      ("exit 3", ended(3, "", "")),
      ("cat; echo line >&3", ended(0, "line\n", "input")),
      ("echo line >&3; exec 3>&-; sleep 0.1; echo late; exit 2", ended(2, "line\n", "late\n")),
      ("exec 1>&-; sleep 0.1; echo line >&3", ended(0, "line\n", "")),
      ("exec 1>&- 2>&- 3>&-; sleep 0.1; exit 4", ended(4, "", "")),
      ("echo words >&2; exit 0", ended(0, "", "")),
      ("head -c 10000 /dev/zero >&2; echo x", ended(0, "", "x\n")),
      ("test -e /proc/self/fd/4 && echo open", ended(1, "", "")),
      (
        "for n in 3 4 5 6 7 8 9; do test -e /proc/$$/fd/$n && echo $n; done; exit 0",
        ended(0, "", "3\n")
      ),
      (
        "head -c 1000000 /dev/zero | tr '\\0' a >&3 & head -c 30000 /dev/zero >/dev/null; wait",
        "broken"
      ),
      ("head -c 60000 /dev/zero >&3; head -c 1000000 /dev/zero; exit 1", nil),
      ("sleep 60", "broken"),
      ("trap '' TERM; sleep 60", "broken"),
      ("echo half >&3; sleep 60", "broken"),
      ("yes", "broken"), ("yes >&3", "broken"), ("yes >&2", "broken"),
      ("kill -SEGV $$", "broken"), ("echo x; kill -KILL $$", "broken"),
      ("sleep 60 & echo x", ended(0, "", "x\n")),
    ] as [(String, String?)]
  )
  func programsOfAllKinds(_ script: String, _ expected: String?) throws {
    let answer = try Self.answer(script, seconds: expected == "broken" ? 2 : 60)
    if let expected {
      #expect(Self.text(answer) == expected, "\(script)")
    } else if case .ended(1, let status, let output) = answer {
      #expect(status.count == 60_000 && output.count == 1_000_000)
    } else {
      Issue.record("\(script): \(answer)")
    }
  }

  @Test func aSignatureIsReadFromItsOwnDescriptor() throws {
    let request = ToolRequest.checkDetached(.openPGP, signed: [65], signature: [66])
    #expect(Self.text(try Self.answer("cat; cat <&4", request)) == Self.ended(0, "", "AB"))
  }

  /// Nothing of mail is in an argument, and a person is asked only where that can be.
  @Test func argumentsAreOurs() throws {
    let echo = #"for word do printf '%s ' "$word"; done"#
    let key = try #require(KeyNumber("0123456789abcdef0123456789abcdef01234567".utf8))
    let digits = "0123456789ABCDEF0123456789ABCDEF01234567"
    let address = try #require(ArgumentAddress([UInt8](ascii: "o'neil@example.org")))
    let rows: [(ToolRequest, Bool, String)] = [
      (
        .open(.openPGP, [], decrypts: true), true,
        "--exit-on-status-write-error --output - --decrypt "
      ),
      (.open(.openPGP, [], decrypts: true), false, "--pinentry-mode cancel --output - --decrypt "),
      (.open(.openPGP, [], decrypts: false), true, "--pinentry-mode cancel --output - --decrypt "),
      (.checkDetached(.openPGP, signed: [], signature: []), true, "cancel --verify -- -&4 - "),
      (
        .listOwner(.openPGP, key), true,
        "--with-colons --list-keys -- 0123456789ABCDEF0123456789ABCDEF01234567 "
      ),
      (
        .sign(.openPGP, [], by: key), true,
        "--exit-on-status-write-error --output - --armor --no-textmode --local-user \(digits) --detach-sign "
      ),
      (
        .sign(.openPGP, [], by: key), false,
        "cancel --output - --armor --no-textmode --local-user \(digits) --detach-sign "
      ),
      (
        .encrypt(.openPGP, [], to: [key, key], hidden: [key], by: key), true,
        "--exit-on-status-write-error --output - --armor --no-textmode --no-throw-keyids --set-filename  "
          + "--trust-model always --no-encrypt-to --recipient \(digits) --recipient \(digits) "
          + "--hidden-recipient \(digits) --local-user \(digits) --sign --encrypt "
      ),
      (
        .encrypt(.openPGP, [], to: [key], hidden: [], by: nil), true,
        "cancel --output - --armor --no-textmode --no-throw-keyids --set-filename  "
          + "--trust-model always --no-encrypt-to --recipient \(digits) --encrypt "
      ),
      (
        .listKeys(.openPGP, .address(address), areSecret: false), true,
        "--pinentry-mode cancel --with-colons --list-keys -- <o'neil@example.org> "
      ),
      (
        .listKeys(.openPGP, .key(key), areSecret: true), true,
        "--with-colons --list-secret-keys -- \(digits) "
      ),
      (.exportKey(key), true, "--armor --export-options export-minimal --export -- \(digits) "),
      (
        .fetchKey(address), true,
        "--status-fd 3 --auto-key-locate clear,nodefault,wkd --locate-external-keys -- <o'neil@example.org> "
      ),
    ]
    for (request, hasPerson, end) in rows {
      guard
        case .ended(0, _, let output as [UInt8]) = try Self.answer(
          echo,
          request,
          hasPerson: hasPerson
        )
      else {
        Issue.record("\(request)")
        continue
      }
      let words = String(decoding: output, as: UTF8.self)
      #expect(words.hasSuffix(end) && words.hasPrefix("--batch --no-tty "), "\(words)")
    }
  }

  @Test(arguments: ["-x", "01234567", "0123456789ABCDEG", "", String(repeating: "A", count: 65)])
  func onlyDigitsAreKeys(_ text: String) {
    #expect(KeyNumber(text.utf8) == nil)
  }

  @Test func withoutAProgramOrKeysNothingIsStarted() throws {
    let directory = try TempDirectory()
    let empty = "\(directory.path)/empty/"
    let some = GnuPG(hasPerson: false, home: Path(directory.path), directory: empty)
    #expect(Self.text(some.answer(Self.request)) == "noProgram")
    try directory.write("#!/bin/sh\ntouch \(directory.path)/started\n", to: "gpg", mode: 0o755)
    let none = GnuPG(hasPerson: false, home: Path(empty), directory: "\(directory.path)/")
    #expect(Self.text(none.answer(Self.request)) == "noKeys")
    #expect(!Files.exists("\(directory.path)/started"))
  }

  @Test func keysAreListedOnceAndChecksCounted() throws {
    let directory = try TempDirectory()
    try directory.write("#!/bin/sh\necho x >>\(directory.path)/runs\n", to: "gpg", mode: 0o755)
    var limits = GnuPG.Limits()
    limits.messages = 2
    limits.partsOfMessage = 3
    let tools = GnuPG(
      limits: limits,
      hasPerson: false,
      home: Path(directory.path),
      directory: "\(directory.path)/"
    )
    let key = try #require(KeyNumber("0123456789ABCDEF0123456789ABCDEF01234567".utf8))
    for _ in 0..<3 { _ = tools.answer(.listOwner(.openPGP, key)) }
    #expect(Files.text("\(directory.path)/runs") == "x\n")
    for number in 1...3 {
      tools.beginMessage()
      for part in 1...5 {
        let answer = tools.answer(.checkDetached(.openPGP, signed: [], signature: []))
        let isTooMany = Self.text(answer) == "tooMany"
        #expect(isTooMany == (number == 3 || part > 3), "\(number) \(part)")
      }
      #expect(Self.text(tools.answer(Self.request)) != "tooMany")
    }
  }

  @Test func whatIsSaidToPeopleIsHandedOn() throws {
    let directory = try TempDirectory()
    try directory.write("#!/bin/sh\necho words >&2\n", to: "gpg", mode: 0o755)
    var said: [String] = []
    let tools = GnuPG(
      hasPerson: false,
      home: Path(directory.path),
      directory: "\(directory.path)/"
    ) { said.append("\($0): \(String(decoding: $1, as: UTF8.self))") }
    _ = tools.answer(Self.request)
    #expect(said == ["gpg: words\n"])
  }
}
