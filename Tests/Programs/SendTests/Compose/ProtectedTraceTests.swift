import TestSupport
import Testing

/// Where a passphrase and a text go while a message is signed and encrypted: what the program and gpg write is looked at call by
/// call.
@Suite(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
struct ProtectedTraceTests {
  /// A word in the text, in the subject, and in what is attached.
  private static let words = ["walrus", "pelican", "otter"]
  private static let passphrase = "ocelot"

  private let stage: ProtectedStage

  /// One's own key has a passphrase, for which the agent asks a script.
  init() throws {
    stage = try ProtectedStage(keysOf: ["ada@x.org"])
    try stage.keys.addKey("Name <me@x.test>", passphrase: Self.passphrase)
    let pinentry = try stage.memory.write(
      """
      #!/bin/sh
      echo OK
      while read -r line; do
        case $line in
        GETPIN*) echo asked >>"$0.asked"; echo D \(Self.passphrase); echo OK ;;
        BYE*) echo OK; exit ;;
        *) echo OK ;;
        esac
      done
      """,
      to: "pinentry",
      mode: 0o755
    )
    try Files.write(Array("pinentry-program \(pinentry)\n".utf8), to: stage.keys["gpg-agent.conf"])
    // It knows the passphrase of the key that it has just made.
    for action in ["--kill", "--launch"] {
      try stage.keys.output(of: "gpgconf", [action, "gpg-agent"])
    }
    stage.compose.variables["DISPLAY"] = ":9"
    let message = "To: ada@x.org\nSubject: pelican\n\nwalrus\n"
    try stage.memory.write(message, to: "message.eml")
    try stage.memory.write("otter\n", to: "notes.txt")
  }

  /// The calls with which a message is written, as strace has them: what is written where, with what programs are started, and
  /// what they connect to.
  private func calls(_ options: [String]) throws -> [Substring] {
    let words = ["compose", "-", "--send", "--attach", stage.memory["notes.txt"]] + options
    let log = stage.memory["trace"]
    var command = Strace.tracing(
      stage.compose.magnum.command(words, stage.compose.variables),
      "execve,connect,write,writev,pwrite64,pwritev,sendto,sendmsg",
      ["-v", "-yy", "-s", "100000"],
      log: log
    )
    command.input = try #require(Files.read(stage.memory["message.eml"]))
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(stage.compose.sink.messages.count == 1)
    return try #require(Files.text(log)).split(whereSeparator: \.isNewline)
  }

  /// Whether a call writes to a file without a name in memory.
  private static func isInMemory(_ call: Substring) -> Bool {
    let name = call.drop { $0 != " " }.dropFirst().drop { $0 == " " }
    return name.hasPrefix("write(") && name.prefix(40).contains("</memfd:magnum")
  }

  @Test(
    .enabled("strace cannot trace here") { Strace.canTrace },
    arguments: [["--sign"], ["--encrypt"], ["--sign", "--encrypt"]]
  )
  func onlyMemoryHasWhatIsSecret(_ options: [String]) throws {
    let calls = try calls(options)
    #expect(calls.contains { $0.contains("\"gpg\", \"--batch\"") && $0.contains("GNUPGHOME=") })
    // The passphrase is between the agent and what it asks.
    #expect(Files.exists(stage.memory["pinentry.asked"]) == options.contains("--sign"))
    #expect(!calls.contains { $0.contains(Self.passphrase) })
    let sink = "inet_addr(\"127.0.0.1\")"
    for call in calls where call.contains("connect(") {
      #expect(
        call.contains("S.gpg-agent") || call.contains(sink) || call.contains("/nscd/"),
        "\(call)"
      )
    }
    #expect(calls.contains { $0.contains("connect(") && $0.contains("S.gpg-agent") })
    for word in Self.words {
      let found = calls.filter { $0.contains(word) }
      #expect(found.contains(where: Self.isInMemory), "\(word)")
      guard options.contains("--encrypt") else {
        // Of a message that is signed alone only the queue, the folder for sent ones and the server get the text.
        #expect(!found.contains { $0.contains("execve(") }, "\(word)")
        continue
      }
      #expect(
        found.allSatisfy(Self.isInMemory),
        "\(word): \(found.filter { !Self.isInMemory($0) })"
      )
      let home = stage.compose.magnum.home.path
      #expect(try Command.shell("grep -rla \"$2\" \"$1\" || true", [home, word]) == "")
    }
  }
}
