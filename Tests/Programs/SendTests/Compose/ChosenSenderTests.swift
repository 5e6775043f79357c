import TestSupport
import Testing

/// The address that a person writes into From chooses the account, its key and its settings.
@Suite(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
struct ChosenSenderTests {
  private static let toPrivate =
    "echo walrus >>\"$1\"; sed -i 's/^From:.*/From: priv@y.test/' \"$1\""

  private let stage: ProtectedStage

  init() throws {
    stage = try ProtectedStage(keysOf: ["me@x.test", "priv@y.test", "ada@x.org"])
  }

  /// Configures the accounts `work`, with a named key, and `priv`; each with these settings for its protection.
  private func configure(_ work: String, _ priv: String) throws {
    let port = stage.compose.sink.port
    try stage.compose.magnum.configure(
      """
      delivery-log = "none"
      default-account = "work"
      [account.work]
      address = "me@x.test"
      maildir = "~/mail"
      smtp = "smtp+plain://127.0.0.1:\(port)"
      [account.work.crypto]
      key = "\(stage.fingerprints["me@x.test"] ?? "")"
      \(work)
      [account.priv]
      address = "priv@y.test"
      name = "P"
      maildir = "~/other"
      smtp = "smtp+plain://127.0.0.1:\(port)"
      [account.priv.crypto]
      \(priv)
      """
    )
  }

  private func write(
    _ keys: String,
    _ options: [String],
    _ edit: String = toPrivate
  ) throws -> Outcome {
    let words = ["compose", "-t", "ada@x.org", "-s", "pelican"]
    return try stage.compose.typeAll(keys, editor: edit, words + options)
  }

  /// Settings of both accounts, options, and how the message is protected then.
  @Test(arguments: [
    ("", "", ["--sign"], "sign"), ("sign = true", "", [], ""), ("", "sign = true", [], "sign"),
    ("sign = true", "sign = true", ["--no-sign"], ""), ("", "", ["--encrypt"], "encrypt"),
    ("", "encrypt = \"if-possible\"", [], "encrypt"),
    ("encrypt = \"if-possible\"", "", [], "encrypt"),
    ("encrypt = \"if-possible\"", "sign = true", ["--no-encrypt"], "sign"),
  ])
  func theAccountOfTheSenderSigns(
    _ work: String,
    _ priv: String,
    _ options: [String],
    _ protection: String
  ) throws {
    try configure(work, priv)
    let outcome = try write("s\n", options)
    #expect(outcome.output.contains("with the account priv from now on"), "\(outcome)")
    let text = try stage.compose.sent().text
    #expect(stage.compose.log.isEmpty, "it is in the queue of the other account")
    #expect(text.contains("From: P <priv@y.test>\n") && !text.contains("x.test"), "\(text)")
    #expect(text.contains("multipart/signed") == (protection == "sign"), "\(text)")
    #expect(text.contains("multipart/encrypted") == (protection == "encrypt"), "\(text)")
    guard protection == "sign" else { return }
    #expect(try stage.show(text).output.contains("[signature: signed by priv@y.test"))
  }

  /// The line that a person writes beside it counts more than both accounts.
  @Test func whatIsTypedOfTheProtectionCounts() throws {
    try configure("sign = true", "")
    let edit = Self.toPrivate + "; sed -i 's/^Protect:.*/Protect: encrypt/' \"$1\""
    let outcome = try write("s\n", [], edit)
    #expect(try stage.compose.sent().text.contains("multipart/encrypted"), "\(outcome)")
  }

  /// A draft that was kept so goes on with the same account.
  @Test func aDraftGoesOnWithTheSameAccount() throws {
    try configure("", "")
    for (keys, place) in [("d\n", "other/Drafts/cur"), ("q\n", ".local/state/magnum/compose")] {
      let outcome = try write(keys, ["--encrypt"])
      let name = try #require(stage.compose.names(place).first, "\(outcome)")
      let draft = keys == "d\n" ? stage.compose.magnum.home["\(place)/\(name)"] : name
      let sent = try stage.compose.run("resume", "--print", draft)
      #expect(sent.code == 0 && sent.output.contains("From: P <priv@y.test>\n"), "\(sent)")
    }
  }

  @Test func theKeyThatIsAttachedIsThatOfTheSender() throws {
    try configure("", "")
    let outcome = try write("s\n", ["--attach-key"])
    let text = try stage.compose.sent().text
    let keys = ["priv@y.test", "me@x.test"].map { stage.fingerprints[$0]?.suffix(16) ?? "" }
    #expect(text.contains("OpenPGP_0x\(keys[0]).asc") && !text.contains(keys[1]), "\(outcome)")
  }

  /// Where an option names the account, the key may be another's: that is said.
  @Test func aKeyOfAnotherAddressIsNamed() throws {
    try configure("sign = true", "")
    let words = "which has no user id of priv@y.test"
    let typed = try write("x\ny\n", ["--account", "work"])
    #expect(typed.output.contains(words), "\(typed)")
    let start = ["compose", "-t", "ada@x.org", "-s", "s", "--body", "-", "--print"]
    let given = start + ["--account", "work", "--from", "priv@y.test"]
    let printed = try stage.compose.run(given, input: "x\n")
    #expect(printed.code == 0 && printed.errors.contains(words), "\(printed)")
    let own = try stage.compose.run(start, input: "x\n")
    #expect(own.errors == "", "\(own)")
  }

  /// An address of no account is sent from the default one, as with `--from`.
  @Test func anAddressOfNoAccountChangesNothing() throws {
    try configure("", "")
    let edit = "echo walrus >>\"$1\"; sed -i 's/^From:.*/From: any@z.test/' \"$1\""
    let outcome = try write("s\n", [], edit)
    #expect(try stage.compose.sent().text.contains("From: any@z.test\n"), "\(outcome)")
    #expect(!outcome.output.contains("from now on"), "\(outcome)")
  }
}
