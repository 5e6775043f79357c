import TestSupport
import Testing

/// `magnum accounts add`: from an address to an account that works.
@Suite(.enabled(if: PrivateInternet.canBe && Judge.isInstalled)) struct AccountAddTests {
  /// An Internet with a Dovecot and an aiosmtpd, which take the user "me" with the password "pass".
  private final class World: Sendable {
    let internet: PrivateInternet
    let imap: Dovecot
    let smtp: Judge

    init() throws {
      imap = try Dovecot.shared()
      smtp = try Judge()
      internet = try PrivateInternet(trustFiles: [imap.trustFile, smtp.trustFile])
    }

    /// The file of a domain, as a text of JSON.
    var file: String {
      let servers = [
        ("incoming", "imap", "imap.x.test", imap.ports.tls),
        ("outgoing", "smtp", "smtp.x.test", smtp.tlsPort),
      ].map { kind, type, host, port in
        """
        <\(kind)Server type='\(type)'><hostname>\(host)</hostname><port>\(port)</port><socketType>SSL</socketType>\
        <username>%EMAILLOCALPART%</username><authentication>password-cleartext</authentication></\(kind)Server>
        """
      }
      return
        "\"<clientConfig version='1.1'><emailProvider id='x'>\(servers.joined())</emailProvider></clientConfig>\""
    }

    /// Records for both servers.
    var records: String {
      """
      {"records": {"_imaps._tcp.x.test SRV": ["0 0 \(imap.ports.tls) imap.x.test."],
      "_submissions._tcp.x.test SRV": ["0 0 \(smtp.tlsPort) smtp.x.test."]}}
      """
    }
  }

  private static let autoconfig =
    "https://autoconfig.x.test/mail/config-v1.1.xml?emailaddress=me%40x.test"
  private static let database = "https://autoconfig.thunderbird.net/v1.1/x.test"
  private static let world = Result { try World() }

  private let world: World
  private let program: ProgramUnderTest

  private var config: String { program.home[".config/magnum/config.toml"] }

  init() throws {
    world = try Self.world.get()
    program = try ProgramUnderTest("magnum")
  }

  private func add(_ words: String...) throws -> Outcome {
    try world.internet.command(magnum(["accounts", "add"] + words)).run()
  }

  /// The program with time to find what is there, however busy the machine is.
  private func magnum(_ words: [String], _ variables: [String: String] = [:]) -> Command {
    let patience = ["MAGNUM_PATIENCE": "60000"]
    return program.command(words, patience.merging(variables) { _, given in given })
  }

  /// The tests share the Internet, and take turns.
  @Test func fromAnAddressToAnAccount() throws {
    try byAutoconfig()
    try withoutExpat()
    try redirects()
    try recordsOfOtherTypes()
    try recordsNeedAgreement()
    try wrongPassword()
    try typedPassword()
    try killedAnywhere()
    try authorizationServer()
    try guesses()
    try noNetwork()
    try nothingIsAskedWithoutATerminal()
  }

  private func byAutoconfig() throws {
    try world.internet.set(#"{"pages": {"\#(Self.autoconfig)": {"body": \#(world.file)}}}"#)
    let shown = try add("--print", "me@x.test")
    #expect(shown.code == 0 && !Files.exists(config), "\(shown)")
    #expect(try add("--print", "me@x.test").output == shown.output)
    try world.internet.set(#"{"pages": {"\#(Self.autoconfig)": {"body": \#(world.file)}}}"#)
    let outcome = try add("--yes", "--password-command", "echo pass", "me@x.test")
    try #require(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("by a file of its domain (autoconfig)"), "\(outcome)")
    let text = try #require(Files.text(config))
    #expect(text.contains("[account.x]\naddress = \"me@x.test\"\nmaildir = \"~/Mail/x\"\n"))
    #expect(
      text.contains("imap = \"imaps://imap.x.test:\(world.imap.ports.tls)\"\nuser = \"me\"\n")
    )
    #expect(text.contains("smtp = \"submissions://smtp.x.test:\(world.smtp.tlsPort)\"\n"))
    let asked = Set(world.internet.requests)
    #expect(asked.isSubset(of: Self.all), "\(asked.subtracting(Self.all))")
    let again = try add("--print", "me@x.test")
    #expect(again.code == 64 && again.errors.contains("configured already, as x"), "\(again)")
    Files.removeTree(program.home[".config"])
  }

  /// A file of a domain that cannot be read for want of a library is named with the package that brings it.
  private func withoutExpat() throws {
    try world.internet.set(#"{"pages": {"\#(Self.autoconfig)": {"body": \#(world.file)}}}"#)
    let command = world.internet.command(magnum(["accounts", "add", "--print", "me@x.test"]))
    let script = """
      for file in $(/usr/sbin/ldconfig -p | sed -n 's/.*libexpat.so.1 .*=> //p'); do mount --bind /dev/null "$file"; done
      exec "$@"
      """
    let outcome = try Command(
      "unshare",
      ["-m", "sh", "-ec", script, "sh", command.program] + command.arguments,
      environment: command.environment
    ).run()
    #expect(outcome.code != 0 && outcome.errors.contains("(Debian: libexpat1)"), "\(outcome)")
  }

  /// All that may be asked about me@x.test where its mail goes nowhere.
  private static let all: Set<String> = [
    "GET \(autoconfig)", "GET \(database)", "MX x.test", "TXT x.test", "TXT _ua-auto-config.x.test",
    "GET https://ua-auto-config.x.test/.well-known/user-agent-configuration.json",
    "GET https://x.test/.well-known/autoconfig/mail/config-v1.1.xml?emailaddress=me%40x.test",
    "SRV _imaps._tcp.x.test", "SRV _imap._tcp.x.test", "SRV _submissions._tcp.x.test",
    "SRV _submission._tcp.x.test",
  ]

  /// Redirects stay with https and end after three; a file that is too long is none; who is silent holds nobody up.
  private func redirects() throws {
    func look(
      _ page: String,
      _ more: String = "",
      variables: [String: String] = [:]
    ) throws -> Outcome {
      let database = #""\#(Self.database)": {"body": \#(world.file)}"#
      try world.internet.set(
        #"{"pages": {"\#(Self.autoconfig)": {\#(page)}, \#(more) \#(database)}}"#
      )
      let words = ["accounts", "add", "--print", "me@x.test"]
      return try world.internet.command(magnum(words, variables)).run()
    }
    let other = "https://other.x.test/file"
    let there = #""\#(other)": {"body": \#(world.file)},"#
    let followed = try look(#""status": 302, "location": "\#(other)""#, there)
    #expect(followed.errors.contains("(autoconfig)"), "\(followed)")
    let circle = try look(#""status": 302, "location": "\#(Self.autoconfig)""#)
    #expect(circle.code == 0 && circle.errors.contains("Mozilla"), "\(circle)")
    #expect(world.internet.requests.count { $0 == "GET \(Self.autoconfig)" } == 4)
    let clear = try look(#""status": 302, "location": "http://other.x.test/file""#)
    #expect(clear.code == 0 && clear.errors.contains("Mozilla"), "\(clear)")
    #expect(!world.internet.requests.contains { $0.hasPrefix("clear text") })
    let patience = ["MAGNUM_PATIENCE": "10000"]
    let silent = try look(#""silent": true"#, variables: patience)
    #expect(silent.code == 0 && silent.errors.contains("Mozilla"), "\(silent)")
    #expect(silent.seconds < 25, "\(silent)")
    let long = try look(#""body": "<a>aaaaaaaaaaaaaaaa", "repeat": 600000"#)
    #expect(long.code == 0 && long.errors.contains("Mozilla"), "\(long)")
  }

  /// A text of several strings holds the digest of a file; the domain's mail says who the provider is.
  private func recordsOfOtherTypes() throws {
    let document =
      #"{"protocols":{"imap":{"host":"imap.x.test"}},"authentication":{"password":true}}"#
    let digest = try Command.shell(
      "printf %s \"$1\" | openssl dgst -sha256 -binary | openssl base64 -A",
      [document]
    )
    let mail = #""x.test MX": ["5 other.x.test.", "1 aspmx.l.google.com."]"#
    let page = "https://ua-auto-config.x.test/.well-known/user-agent-configuration.json"
    try world.internet.set(
      """
      {"pages": {"\(page)": {"body": "\(document.replacing("\"", with: "\\\""))"}},
      "records": {"_ua-auto-config.x.test TXT": ["v=spf1 -all", "v=UAAC1; a=sha256; d=\(digest)"], \(mail)}}
      """
    )
    let shown = try add("--print", "me@x.test")
    #expect(shown.code == 0 && shown.errors.contains("(PACC)"), "\(shown)")
    #expect(shown.errors.contains("no server for sending is known"), "\(shown)")
    try world.internet.set("{\"records\": {\(mail)}}")
    let refused = try add("--yes", "--password-command", "echo pass", "me@x.test")
    #expect(refused.errors.contains("its mail goes to Google"), "\(refused)")
    let hint = "hint: --accept imap.gmail.com --accept smtp.gmail.com"
    #expect(refused.code == 64 && refused.errors.contains(hint), "\(refused)")
  }

  private func recordsNeedAgreement() throws {
    try world.internet.set(world.records)
    let secret = ["--user", "me", "--password-command", "echo pass"]
    func add(_ words: String...) throws -> Outcome {
      let all = ["accounts", "add"] + words + secret + ["me@x.test"]
      return try world.internet.command(magnum(all)).run()
    }
    let refused = try add("--yes")
    #expect(refused.code == 64 && refused.errors.contains("can be forged"), "\(refused)")
    #expect(
      refused.errors.contains("hint: --accept imap.x.test --accept smtp.x.test"),
      "\(refused)"
    )
    let half = try add("--accept", "imap.x.test")
    #expect(half.code == 64 && !Files.exists(config), "\(half)")
    let outcome = try add(
      "--accept",
      "imap.x.test",
      "--accept",
      "smtp.x.test",
      "--json",
      "--name",
      "work"
    )
    #expect(outcome.code == 0 && outcome.output.contains(#""written":true"#), "\(outcome)")
    #expect(outcome.output.contains(#""source":"srv""#), "\(outcome)")
    #expect(Files.text(config)?.contains("[account.work]") == true)
    Files.removeTree(program.home[".config"])
  }

  /// What a server refuses is not written, and the other server is not asked.
  private func wrongPassword() throws {
    try world.internet.set(#"{"pages": {"\#(Self.autoconfig)": {"body": \#(world.file)}}}"#)
    let file = try program.home.write("wrong\n", to: "password", mode: 0o600)
    let outcome = try add("--yes", "--password-file", file, "me@x.test")
    #expect(outcome.code == 77 && outcome.errors.contains("(nothing is written)"), "\(outcome)")
    #expect(outcome.errors.contains("x imap:") && !outcome.errors.contains("smtp:"), "\(outcome)")
    #expect(!Files.exists(config) && !Files.exists(program.home[".local"]))
    // Mail can be read where only sending fails.
    let other = try add("--yes", "--user", "you", "--password-command", "echo pass", "me@x.test")
    #expect(other.code == 1 && other.errors.contains("x smtp:"), "\(other)")
    #expect(other.errors.contains("sending does not work yet"), "\(other)")
    #expect(Files.text(config)?.contains("smtp = ") == true)
    Files.removeTree(program.home[".config"])
    let words = ["--yes", "--json", "--user", "you", "--password-command", "echo pass"]
    let json = try world.internet.command(magnum(["accounts", "add"] + words + ["me@x.test"])).run()
    #expect(json.code == 1 && json.output.contains(#""sendingProblem":"535"#), "\(json)")
    Files.removeTree(program.home[".config"])
  }

  /// A password that is typed is shown nowhere, and goes to a file that only the user can read.
  private func typedPassword() throws {
    let words = ["accounts", "add", "me@x.test"]
    let answers = [
      (after: "Log in to these servers? [y/N] ", "y"), (after: "Password of me: ", "mistake"),
      (after: "Password of me: ", "pass"),
    ]
    let typing = PrivateInternet.typing(magnum(words), answers)
    let outcome = try world.internet.command(typing).run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("(nothing is written)"), "\(outcome)")
    #expect(!outcome.output.contains("mistake"), "\(outcome)")
    let file = program.home[".config/magnum/x.password"]
    let mode = try Command.shell("stat -c %a \"$1\"", [file])
    #expect(Files.text(file) == "pass\n" && mode == "600\n")
    #expect(Files.text(config)?.contains("password-file = \"~/.config/magnum/x.password\"") == true)
    Files.removeTree(program.home[".config"])
    let no = [(after: "Log in to these servers? [y/N] ", "n")]
    let refused = try world.internet.command(PrivateInternet.typing(magnum(words), no))
      .run()
    #expect(refused.code == 1 && !Files.exists(config), "\(refused)")
    #expect(refused.output.contains("nothing is written"), "\(refused)")
    #expect(!refused.output.contains("Password of"), "\(refused)")
  }

  /// Wherever it is killed, the configuration is not there or is whole; a password has a file that only the user can read,
  /// and typing it once more mends what was begun.
  private func killedAnywhere() throws {
    let words = ["accounts", "add", "me@x.test"]
    let answers = [
      (after: "Log in to these servers? [y/N] ", "y"), (after: "Password of me: ", "pass"),
    ]
    let file = program.home[".config/magnum/x.password"]
    func add(_ variables: [String: String]) throws -> Outcome {
      let typing = PrivateInternet.typing(magnum(words, variables), answers)
      return try world.internet.command(typing).run()
    }
    Files.removeTree(program.home[".config"])
    var kills = 0
    for point in 1..<100 {
      let killed = try add(["MAGNUM_FAULT": "\(point)"])
      let isWhole = Files.text(config)?.contains("password-file = ") == true
      #expect(isWhole || !Files.exists(config), "\(point): \(killed)")
      if Files.exists(file) {
        #expect(try Command.shell("stat -c %a \"$1\"", [file]) == "600\n", "\(point)")
      } else {
        #expect(!isWhole, "\(point)")
      }
      if killed.code == 0 { break }
      kills += 1
      if !isWhole {
        let again = try add([:])
        #expect(again.code == 0 && Files.text(file) == "pass\n", "\(point): \(again)")
      }
      let left = Files.names(in: program.home[".config/magnum"]).map {
        String(decoding: $0, as: UTF8.self)
      }
      #expect(Set(left) == ["config.toml", "x.password"], "\(point): \(left)")
      Files.removeTree(program.home[".config"])
    }
    #expect(kills > 3)
    Files.removeTree(program.home[".config"])
  }

  /// A login at an authorization server is left to be made, and its client id is asked for where one is needed.
  private func authorizationServer() throws {
    let issuer = "<oAuth2><issuer>auth.x.test</issuer></oAuth2></clientConfig>"
    let file = world.file.replacing("</clientConfig>", with: issuer)
    try world.internet.set(#"{"pages": {"\#(Self.autoconfig)": {"body": \#(file)}}}"#)
    let outcome = try add("--yes", "--oauth", "me@x.test")
    #expect(
      outcome.code == 0 && outcome.errors.contains("next: magnum accounts login x"),
      "\(outcome)"
    )
    let text = try #require(Files.text(config))
    #expect(
      text.contains("[account.x.oauth]\nissuer = \"https://auth.x.test\"\n")
        && !text.contains("password")
    )
    Files.removeTree(program.home[".config"])
    let words = ["accounts", "add", "--oauth", "--yes", "me@hotmail.com"]
    #expect(outcome.errors.contains("log in at https://auth.x.test"), "\(outcome)")
    let typing = PrivateInternet.typing(magnum(words), [(after: "Client id: ", "my-id")])
    let typed = try world.internet.command(typing).run()
    #expect(typed.code == 0, "\(typed)")
    #expect(
      Files.text(config)?.contains("provider = \"microsoft\"\nclient-id = \"my-id\"\n") == true
    )
    Files.removeTree(program.home[".config"])
  }

  /// Where no source knows the servers, usual names are tried, if a person agrees.
  private func guesses() throws {
    try world.internet.set("{}")
    let no = [(after: "Log in to these servers? [y/N] ", "n")]
    let command = magnum(["accounts", "add", "--yes", "me@x.test"])
    let outcome = try world.internet.command(PrivateInternet.typing(command, no)).run()
    #expect(outcome.code == 1 && outcome.output.contains("which are guessed"), "\(outcome)")
    #expect(outcome.output.contains("imaps://imap.x.test  log in as me@x.test"), "\(outcome)")
    // Names that do not exist are not shown.
    let other = magnum(["accounts", "add", "--yes", "me@other.x.test"])
    let unknown = try world.internet.command(PrivateInternet.typing(other, no)).run()
    #expect(unknown.code == 69 && unknown.output.contains("found no mail servers"), "\(unknown)")
  }

  private func noNetwork() throws {
    let variables = ["https_proxy": "http://127.0.0.1:1"]
    let command = magnum(["accounts", "add", "--print", "me@x.test"], variables)
    let records = Self.all.filter { !$0.hasPrefix("GET") }.map { line in
      let words = line.split(separator: " ")
      return "\"\(words[1]) \(words[0])\": \"SERVFAIL\""
    }
    try world.internet.set("{\"records\": {\(records.joined(separator: ", "))}}")
    let outcome = try world.internet.command(command).run()
    #expect(outcome.code == 75 && outcome.errors.contains("no source can be asked"), "\(outcome)")
  }

  private func nothingIsAskedWithoutATerminal() throws {
    try world.internet.set("{}")
    for words in [[], ["--yes"], ["--oauth"], ["--password-command", "echo pass"]] {
      let all = ["accounts", "add"] + words + ["me@x.test"]
      let outcome = try world.internet.command(magnum(all)).run()
      #expect(outcome.code == 64 && outcome.errors.contains("missing: --"), "\(outcome)")
    }
    #expect(world.internet.requests == [])
    let unknown = try add("--print", "me@x.test")
    #expect(unknown.code == 69 && unknown.errors.contains("found no mail servers"), "\(unknown)")
  }
}
