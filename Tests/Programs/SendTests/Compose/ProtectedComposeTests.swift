import TestSupport
import Testing

/// Messages that are signed and encrypted with gpg when they are sent.
@Suite(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
struct ProtectedComposeTests {
  private static let words = ["compose", "-t", "ada@x.org", "-s", "pelican", "--body", "-"]

  @Test func aMessageIsSigned() throws {
    let stage = try ProtectedStage()
    let text = "trailing \nFrom x\né\n"
    let outcome = try stage.compose.run(Self.words + ["--sign", "--send"], input: text)
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    let sent = try stage.compose.sent().text
    #expect(sent.contains("Content-Type: multipart/signed;") && sent.contains("Subject: pelican\n"))
    #expect(sent.utf8.allSatisfy { $0 < 0x80 })
    let shown = try stage.show(sent)
    #expect(shown.output.contains("[signature: signed by me@x.test, OpenPGP key "), "\(shown)")
    #expect(shown.output.hasSuffix("\n\ntrailing \nFrom x\né\n"), "\(shown)")
  }

  @Test func aMessageIsEncryptedAndSigned() throws {
    let stage = try ProtectedStage()
    let words = Self.words + ["--sign", "--encrypt", "--send", "--json"]
    let outcome = try stage.compose.run(words, input: "walrus\n")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(outcome.output.contains("\"protect\":[\"sign\",\"encrypt\"]"), "\(outcome)")
    let sent = try stage.compose.sent().text
    #expect(!sent.contains("walrus") && !sent.contains("pelican"))
    #expect(sent.contains("\nSubject: [...]\n"), "\(sent)")
    let shown = try stage.decrypted(sent)
    #expect(shown.contains("Subject: pelican\n") && shown.hasSuffix("\n\nwalrus\n"), "\(shown)")
    #expect(shown.contains("[signature: signed by me@x.test"), "\(shown)")
  }

  /// The queue, the server, the copy and what is printed say the same.
  @Test func whatIsQueuedIsSent() throws {
    let stage = try ProtectedStage()
    let words = Self.words + ["-b", "me@x.test", "--encrypt"]
    let held = try stage.compose.run(words + ["--hold"], input: "walrus\n")
    #expect(held.code == 0, "\(held)")
    #expect(held.errors.contains("recipients can see that") == false, "\(held)")
    let printed = try stage.compose.run(words + ["--print"], input: "walrus\n")
    #expect(printed.output.contains("multipart/encrypted") && !printed.output.contains("walrus"))
    let entry = try #require(stage.compose.names(".local/state/magnum/spool/work/hold").first)
    let queued = try stage.compose.run("queue", "show", "--raw", entry)
    #expect(try stage.compose.run("queue", "release", entry).code == 0)
    #expect(try stage.compose.run("queue", "flush").code == 0)
    let sent = try stage.compose.sent()
    #expect(queued.output.hasSuffix(sent.text) || queued.output == sent.text + "\n", "\(queued)")
    #expect(!sent.text.contains("Bcc"))
    #expect(try stage.decrypted(sent.text).hasSuffix("\n\nwalrus\n"))
  }

  /// Eight ways in which a key is missing; nothing is ever sent in clear text instead.
  @Test(arguments: [
    ("nobody", ["-t", "bob@x.org"], "no OpenPGP key of bob@x.org"),
    ("the second of two", ["-t", "ada@x.org, bob@x.org"], "no OpenPGP key of bob@x.org"),
    ("Bcc", ["-t", "ada@x.org", "-b", "bob@x.org"], "no OpenPGP key of bob@x.org"),
    ("Cc", ["-t", "ada@x.org", "-c", "bob@x.org"], "no OpenPGP key of bob@x.org"),
    ("several", ["-t", "two@x.org"], "two@x.org has several keys that nothing certifies"),
    ("expired", ["-t", "old@x.org"], "no OpenPGP key of old@x.org: OpenPGP key "),
    ("own", ["-t", "ada@x.org", "--from", "info@x.test"], "no secret key of info@x.test"),
    ("odd", ["-t", "\"o'dd\\\"x\"@x.org"], "no OpenPGP key of "),
  ])
  func withoutAKeyNothingIsQueued(_ name: String, _ words: [String], _ why: String) throws {
    let stage = try ProtectedStage()
    if name == "several" { for _ in 0..<2 { _ = try stage.addStranger("two@x.org") } }
    if name == "expired" {
      let key = try stage.keys.addKey("Old <old@x.org>")
      try stage.keys.output(of: "gpg", ["--batch", "--quick-set-expire", key, "seconds=1"])
      _ = Stopwatch.wait(upTo: 5) {
        let listing = (try? stage.keys.output(of: "gpg", ["--with-colons", "-k", key])) ?? []
        return String(decoding: listing, as: UTF8.self).contains("pub:e:")
      }
    }
    for end in [["--send"], ["--hold"], ["--send", "--at", "+2h"], ["--print"]] {
      let outcome = try stage.compose.run(
        ["compose", "-s", "pelican", "--body", "-", "--encrypt"] + words + end,
        input: "walrus\n"
      )
      #expect(outcome.code == 67 && outcome.errors.contains(why), "\(outcome)")
      #expect(!outcome.output.contains("walrus"))
    }
    #expect(stage.compose.queued.isEmpty && stage.compose.sink.messages.isEmpty)
    #expect(stage.compose.left.isEmpty)
  }

  /// One's own key that has expired is made to be valid again; another one would leave what was encrypted to it unread.
  @Test func anOwnKeyThatHasExpiredIsNotReplaced() throws {
    let stage = try ProtectedStage()
    let key = try #require(stage.fingerprints["me@x.test"])
    try stage.keys.output(of: "gpg", ["--batch", "--quick-set-expire", key, "seconds=1"])
    let hasExpired = Stopwatch.wait(upTo: 5) {
      let listing = (try? stage.keys.output(of: "gpg", ["--with-colons", "-k", key])) ?? []
      return String(decoding: listing, as: UTF8.self).contains("pub:e:")
    }
    try #require(hasExpired)
    for option in ["--sign", "--encrypt", "--attach-key"] {
      let outcome = try stage.compose.run(Self.words + [option, "--print"], input: "walrus\n")
      #expect(outcome.code == 67 && outcome.errors.contains("has expired"), "\(outcome)")
      #expect(outcome.errors.contains("hint: gpg --quick-set-expire \(key) 2y"), "\(outcome)")
    }
  }

  @Test(arguments: [("ask", 77), ("refuse", 77), ("use", 0)])
  func aKeyThatNothingCertifiesIsUsedIfTheAccountSaysSo(_ word: String, _ code: Int32) throws {
    let stage = try ProtectedStage("uncertified = \"\(word)\"")
    let key = try stage.addStranger("eve@x.org")
    let outcome = try stage.compose.run(
      ["compose", "-t", "eve@x.org", "-s", "s", "--body", "-", "--encrypt", "--send"],
      input: "x\n"
    )
    #expect(outcome.code == code, "\(outcome)")
    #expect(stage.compose.sink.messages.count == (code == 0 ? 1 : 0))
    let words = "the OpenPGP key \(key) of eve@x.org is not certified"
    #expect(outcome.errors.contains(words) == (code != 0), "\(outcome)")
  }

  /// What is encrypted if possible: the recipients, whether it was, and what was said.
  @Test(arguments: [
    ("ada@x.org", true, "encrypted: all recipients have a certified key"),
    ("eve@x.org", false, "not encrypted: nothing certifies the key of eve@x.org"),
    ("ada@x.org, bob@x.org", false, "not encrypted: no OpenPGP key of bob@x.org"),
  ])
  func whatCanBeEncryptedIs(_ to: String, _ isEncrypted: Bool, _ words: String) throws {
    let stage = try ProtectedStage("encrypt = \"if-possible\"\nuncertified = \"use\"")
    _ = try stage.addStranger("eve@x.org")
    let outcome = try stage.compose.run(
      ["compose", "-t", to, "-s", "pelican", "--body", "-", "--send"],
      input: "walrus\n"
    )
    #expect(outcome.code == 0 && outcome.errors.contains(words), "\(outcome)")
    #expect(try stage.compose.sent().text.contains("walrus") != isEncrypted)
  }

  /// A draft, too.
  @Test(arguments: [("ada@x.org", true), ("bob@x.org", false)])
  func whatCanBeEncryptedIsKeptSo(_ to: String, _ isEncrypted: Bool) throws {
    let stage = try ProtectedStage("encrypt = \"if-possible\"")
    let outcome = try stage.compose.run(
      ["compose", "-t", to, "-s", "pelican", "--body", "-", "--draft"],
      input: "walrus\n"
    )
    #expect(outcome.code == 0, "\(outcome)")
    let name = try #require(stage.compose.drafts.first)
    let kept = Files.text(stage.compose.magnum.home["mail/Drafts/cur/\(name)"]) ?? ""
    #expect(kept.contains("walrus") != isEncrypted && kept.contains("pelican") != isEncrypted)
    #expect(kept.contains("X-Magnum-Protect: encrypt\n") == isEncrypted, "\(kept)")
  }

  /// What options say of signing does not decide about encryption: a draft that goes on is encrypted once there is a key.
  @Test(arguments: [("--sign", "sign, if-possible"), ("--no-sign", "if-possible")])
  func whatIsOpenStaysSo(_ option: String, _ words: String) throws {
    let stage = try ProtectedStage("encrypt = \"if-possible\"")
    let start = ["compose", "-t", "bob@x.org", "-s", "pelican", "--body", "-", option]
    let outcome = try stage.compose.run(start + ["--draft"], input: "walrus\n")
    #expect(outcome.code == 0, "\(outcome)")
    let draft = stage.compose.magnum.home["mail/Drafts/cur/\(stage.compose.drafts.first ?? "")"]
    #expect(Files.text(draft)?.contains("X-Magnum-Protect: \(words)\n") == true)
    let template = try stage.compose.run("resume", "--template", draft)
    #expect(template.output.contains("Protect: \(words)\n"), "\(template)")
    for print in [["resume", "--print", draft], ["compose", "-", "--print"]] {
      let clear = try stage.compose.run(print, input: template.output)
      #expect(clear.errors.contains("not encrypted: no OpenPGP key of bob@x.org"), "\(clear)")
      #expect(clear.output.contains("multipart/signed") == (option == "--sign"), "\(clear)")
    }
    _ = try stage.keys.addKey("Name <bob@x.org>")
    for print in [["resume", "--print", draft], ["compose", "-", "--print"]] {
      let sealed = try stage.compose.run(print, input: template.output)
      #expect(sealed.code == 0 && sealed.output.contains("multipart/encrypted"), "\(sealed)")
    }
    let json = try stage.compose.run("resume", "--template", "--json", draft)
    let given = try stage.compose.run(["compose", "--json", "-", "--print"], input: json.output)
    #expect(given.code == 0 && given.output.contains("multipart/encrypted"), "\(given)")
  }

  /// A gpg that fails does not say that there is no key.
  @Test func aFailureDoesNotMakeItClearText() throws {
    let stage = try ProtectedStage("encrypt = \"if-possible\"")
    let home = stage.compose.magnum.home
    _ = try home.write("#!/bin/sh\nexit 2\n", to: "bin/gpg", mode: 0o755)
    stage.compose.variables["PATH"] = home["bin"] + ":/usr/bin:/bin"
    for end in ["--send", "--hold", "--print", "--draft"] {
      let outcome = try stage.compose.run(Self.words + [end], input: "walrus\n")
      #expect(outcome.code != 0 && outcome.errors.contains("gpg"), "\(outcome)")
      #expect(!outcome.output.contains("walrus"))
    }
    let words = ["compose", "-t", "ada@x.org", "-s", "pelican"]
    // Nothing is typed into a file on the disk that might have to be encrypted.
    let typed = try stage.compose.typeAll("k\n", editor: "echo walrus >>\"$1\"", words)
    #expect(typed.code != 0 && typed.output.contains("gpg"), "\(typed)")
    #expect(stage.compose.left.isEmpty && stage.compose.drafts.isEmpty)
    #expect(stage.compose.queued.isEmpty && stage.compose.sink.messages.isEmpty)
  }

  /// A large message is put aside, encrypted, before it is queued; where it cannot be, that is said.
  @Test func withoutRoomNothingIsQueued() throws {
    let stage = try ProtectedStage()
    let home = stage.compose.magnum.home
    stage.compose.variables["TMPDIR"] = home["none"]
    var generator = SeededGenerator(seed: 1)
    let file = try home.write(generator.octets(1_500_000), to: "large.bin")
    let words = Self.words + ["--attach", file, "--send", "--encrypt"]
    let outcome = try stage.compose.run(words, input: "walrus\n")
    #expect(outcome.code == 73 && outcome.errors.contains(home["none"]), "\(outcome)")
    #expect(outcome.errors.contains("the encrypted message cannot be put aside"), "\(outcome)")
    #expect(stage.compose.queued.isEmpty && stage.compose.sink.messages.isEmpty)
  }

  /// Keys are listed once for all that is decided about a message, and again once a person had the time to change them.
  @Test func keysAreListedOnceAStep() throws {
    let stage = try ProtectedStage("encrypt = \"if-possible\"")
    let home = stage.compose.magnum.home
    let log = home["runs"]
    _ = try home.write(
      "#!/bin/sh\ncase \"$*\" in *--with-colons*) echo >>\(log) ;; esac\nexec /usr/bin/gpg \"$@\"\n",
      to: "bin/gpg",
      mode: 0o755
    )
    stage.compose.variables["PATH"] = home["bin"] + ":/usr/bin:/bin"
    let sent = try stage.compose.run(Self.words + ["--sign", "--send"], input: "walrus\n")
    #expect(sent.code == 0 && sent.errors.contains("encrypted: all"), "\(sent)")
    // One's own, and that of the recipient.
    #expect(Files.text(log) == "\n\n")
    Files.removeTree(log)
    let words = ["compose", "-t", "ada@x.org", "-s", "pelican", "--sign"]
    let typed = try stage.compose.typeAll("s\n", editor: "echo walrus >>\"$1\"", words)
    #expect(typed.output.contains("sent "), "\(typed)")
    // Before the editor, behind it, and when it is sent.
    #expect(Files.text(log) == String(repeating: "\n\n", count: 3))
  }

  /// Before the question a person sees that it is not to be encrypted, and why.
  @Test func thatItIsNotEncryptedIsShownBeforeItIsSent() throws {
    let stage = try ProtectedStage("encrypt = \"if-possible\"")
    let words = ["compose", "-t", "bob@x.org", "-s", "pelican"]
    let typed = try stage.compose.typeAll("x\ny\n", editor: "echo walrus >>\"$1\"", words)
    #expect(typed.output.contains("Not encrypted: no OpenPGP key of bob@x.org"), "\(typed)")
  }

  @Test func theAccountSignsAndAnOptionDoesNot() throws {
    let stage = try ProtectedStage("sign = true\nencrypt = \"if-possible\"")
    for (options, isSigned) in [([], true), (["--no-sign"], false)] {
      let words = Self.words + options + ["--no-encrypt", "--print"]
      let outcome = try stage.compose.run(words, input: "x\n")
      #expect(outcome.output.contains("multipart/signed") == isSigned, "\(outcome)")
    }
    let both = try stage.compose.run(Self.words + ["--sign", "--no-sign"], input: "x")
    #expect(both.code == 64 && both.errors.contains("--sign and --no-sign exclude each other"))
  }

  @Test func aProgramSaysHowItIsProtected() throws {
    let stage = try ProtectedStage()
    let start = #"{"to": "ada@x.org", "subject": "pelican", "text": "walrus", "protect": "#
    for (value, type) in [("[\"sign\"]", "multipart/signed"), ("\"encrypt\"", "/encrypted")] {
      let outcome = try stage.compose.run(
        ["compose", "--json", "-", "--print"],
        input: start + value + "}"
      )
      #expect(outcome.code == 0 && outcome.output.contains(type), "\(outcome)")
    }
    let wrong = try stage.compose.run(["compose", "--json", "-"], input: start + "[\"seal\"]}")
    #expect(wrong.code == 65 && wrong.errors.contains("protect holds other words than"))
    let template = try stage.compose.run(
      ["compose", "--json", "-", "--template"],
      input: start + "[\"sign\"]}"
    )
    #expect(template.output.contains("\"protect\":[\"sign\"]"), "\(template)")
  }

  /// Two fields about the protection contradict each other, or one of them is not meant.
  @Test(arguments: [
    "Protect: sign\nProtect: encrypt\n", "Protect: encrypt\nprotect: none\n",
    "X-Magnum-Protect: encrypt\nX-Magnum-Protect: sign\n",
    "Protect: none\nX-Magnum-Protect: encrypt\n",
  ])
  func whatIsSaidTwiceIsRefused(_ fields: String) throws {
    let stage = try ProtectedStage()
    let message = "To: ada@x.org\nSubject: pelican\n\(fields)\nwalrus\n"
    for end in ["--print", "--send", "--draft", "--template"] {
      let outcome = try stage.compose.run(["compose", "-", end], input: message)
      #expect(outcome.code == 65 && outcome.errors.contains("more than one field Protect"))
      #expect(!outcome.output.contains("walrus"), "\(outcome)")
    }
    #expect(stage.compose.sink.messages.isEmpty && stage.compose.drafts.isEmpty)
    // A draft that came to say so is not sent without what one of them asks for.
    try stage.compose.deliver("1", "From: me@x.test\n" + message, folder: "Drafts")
    guard fields.hasPrefix("X-") else { return }
    let draft = stage.compose.magnum.home["mail/Drafts/cur/1:2,S"]
    let outcome = try stage.compose.run("resume", "--print", draft)
    #expect(outcome.output.contains("multipart/encrypted"), "\(outcome)")
  }

  /// In the editor it is a mistake.
  @Test func aSecondLineInTheEditorIsRefused() throws {
    let stage = try ProtectedStage()
    let edit =
      "echo walrus >>\"$1\"; sed -i 's/^Protect:.*/Protect: encrypt\\nProtect: sign/' \"$1\""
    let words = ["compose", "--encrypt", "-t", "ada@x.org", "-s", "pelican"]
    let outcome = try stage.compose.typeAll("k\n", editor: edit, words)
    #expect(outcome.output.contains("there is more than one field Protect"), "\(outcome)")
    #expect(stage.compose.sink.messages.isEmpty && stage.compose.left.count == 1)
  }

  @Test func aDraftInJSONSaysHowItIsProtected() throws {
    let stage = try ProtectedStage()
    let words = Self.words + ["--sign", "--encrypt", "--draft", "--json"]
    let outcome = try stage.compose.run(words, input: "walrus\n")
    #expect(outcome.output.contains("\"protect\":[\"sign\",\"encrypt\"]"), "\(outcome)")
  }

  @Test func ownKeysAreAttached() throws {
    let stage = try ProtectedStage()
    let outcome = try stage.compose.run(Self.words + ["--attach-key", "--send"], input: "x\n")
    #expect(outcome.code == 0, "\(outcome)")
    let text = try stage.compose.sent().text
    let key = try #require(stage.fingerprints["me@x.test"])
    #expect(text.contains("filename=OpenPGP_0x\(key.suffix(16)).asc"), "\(text)")
    #expect(text.contains("Content-Type: application/pgp-keys"), "\(text)")
  }

  /// S/MIME names every recipient.
  @Test func aBlindCopyIsRefusedWithSMIME() throws {
    let stage = try ProtectedStage("method = \"smime\"", keysOf: [])
    try stage.keys.addCertificate("me@x.test")
    let words = ["compose", "-t", "me@x.test", "-s", "pelican", "--body", "-", "--sign"]
    let refused = try stage.compose.run(
      words + ["--encrypt", "-b", "me@x.test", "-b", "h@x.org", "--send"],
      input: "walrus\n"
    )
    #expect(refused.code == 65 && refused.errors.contains("S/MIME names every"), "\(refused)")
    #expect(stage.compose.queued.isEmpty && stage.compose.sink.messages.isEmpty)
    let outcome = try stage.compose.run(words + ["--encrypt", "--send"], input: "walrus\n")
    #expect(outcome.code == 0, "\(outcome)")
    let sent = try stage.compose.sent().text
    #expect(sent.contains("application/pkcs7-mime") && !sent.contains("walrus"))
    let shown = try stage.decrypted(sent)
    #expect(shown.contains("Subject: pelican\n") && shown.hasSuffix("\n\nwalrus\n"), "\(shown)")
  }

  /// On a terminal a person decides about a key that nothing certifies, and sees it with its address.
  @Test(arguments: [("y\n", true), ("n\nx\ny\n", false)])
  func aPersonDecidesAboutAnUncertifiedKey(_ answer: String, _ isSent: Bool) throws {
    let stage = try ProtectedStage()
    let key = try stage.addStranger("eve@x.org")
    let outcome = try stage.compose.type(
      "s\n" + answer,
      editor: "echo walrus >>\"$1\"",
      "compose",
      "-t",
      "eve@x.org",
      "-s",
      "pelican",
      "--encrypt"
    )
    let question =
      "the OpenPGP key \(key) of eve@x.org is not certified; encrypt to it all the same?"
    #expect(outcome.output.contains(question), "\(outcome)")
    #expect(outcome.output.contains("eve@x.org, OpenPGP key \(key), not certified"))
    #expect(stage.compose.sink.messages.count == (isSent ? 1 : 0))
    #expect(stage.compose.left.isEmpty)
  }

  /// On a terminal keys are shown before the question, and a mistake leads back to the editor.
  @Test func keysAreShownBeforeItIsSent() throws {
    let stage = try ProtectedStage()
    let edit =
      #"if [ -e "$HOME/once" ]; then sed -i 's/^Protect:.*/Protect: sign/' "$1"; else "#
      + #"sed -i 's/^Protect:.*/Protect: sing/' "$1"; touch "$HOME/once"; fi"#
    let outcome = try stage.compose.type(
      "e\ns\n",
      editor: edit,
      "compose",
      "-t",
      "ada@x.org",
      "-s",
      "pelican",
      "--sign"
    )
    #expect(outcome.output.contains("Protect is one of: sign, encrypt, both"), "\(outcome)")
    #expect(outcome.output.contains("Sign: OpenPGP key "), "\(outcome)")
    #expect(try stage.compose.sent().text.contains("multipart/signed"))
  }
}
