import TestSupport
import Testing

/// Answers to encrypted messages: what is quoted of them, to whom it goes, and that it is encrypted.
@Suite(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
struct ProtectedReplyTests {
  private let stage: ProtectedStage

  init() throws { stage = try ProtectedStage() }

  /// Delivers a message encrypted to the user, and gives its file.
  private func deliver(
    by signer: String? = "ada@x.org",
    inside fields: String = "To: me@x.test\nSubject: pelican\nFrom: Ada <ada@x.org>\n",
    id: String? = "e1@x.org",
    outside: String = "",
    from: String = "Ada <ada@x.org>",
    to other: ProtectedStage? = nil
  ) throws -> String {
    let stage = other ?? self.stage
    let inside = "Content-Type: text/plain; hp=cipher\n\(fields)\nwalrus\n"
    let armour = try stage.keys.encrypted(Array(inside.utf8), to: "me@x.test", by: signer)
    let message = """
      From: \(from)
      To: me@x.test
      Subject: [...]
      Date: 1 Jul 2026 10:00:00 +0000
      \(id.map { "Message-ID: <\($0)>\n" } ?? "")\(outside)MIME-Version: 1.0
      Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b

      --b
      Content-Type: application/pgp-encrypted

      Version: 1

      --b
      Content-Type: application/octet-stream

      \(String(decoding: armour, as: UTF8.self))
      --b--

      """
    try stage.compose.deliver("e", message)
    return stage.compose.magnum.home["mail/INBOX/cur/e:2,S"]
  }

  private func reply(
    _ keys: String,
    _ file: String,
    _ words: String...
  ) throws -> (text: String, outcome: Outcome) {
    let place = stage.compose.magnum.home["seen"]
    let line = ["reply"] + words + [file]
    let outcome = try stage.compose.typeAll(
      keys,
      editor: "cp \"$1\" '\(place)'; echo >>\"$1\"",
      line
    )
    return (Files.text(place) ?? "", outcome)
  }

  /// What a person on a terminal sees: the author's text is quoted, encrypted and signed as the account says.
  @Test func anAnswerToTheAuthorQuotesAndEncrypts() throws {
    let (text, outcome) = try reply("s\n", try deliver())
    #expect(
      text.contains("Subject: Re: pelican\n") && text.contains("Protect: encrypt\n"),
      "\(text)"
    )
    #expect(text.contains("> walrus\n"), "\(outcome)")
    let sent = try stage.compose.sent().text
    #expect(!sent.contains("walrus") && !sent.contains("pelican"))
    #expect(try stage.decrypted(sent).contains("> walrus\n"))
  }

  /// In the editor it stays encrypted, too: its text is on no disk and no server otherwise.
  @Test func anAnswerStaysEncryptedInTheEditor() throws {
    let file = try deliver()
    let outcome = try stage.compose.type(
      "k\n",
      editor: "sed -i 's/^Protect:.*/Protect: none/' \"$1\"; echo otter >>\"$1\"",
      "reply",
      file
    )
    #expect(outcome.output.contains("would not be encrypted"), "\(outcome)")
    let name = try #require(stage.compose.left.first)
    #expect(
      stage.compose.names(".local/state/magnum/compose/\(name)").contains("text.eml") == false
    )
    #expect(stage.compose.drafts.isEmpty && stage.compose.sink.messages.isEmpty)
  }

  /// Reply-To that a stranger may have added is not followed.
  @Test func aForgedReplyToIsNotFollowed() throws {
    let (text, outcome) = try reply("s\n", try deliver(outside: "Reply-To: eve@x.org\n"))
    #expect(text.contains("To: Ada <ada@x.org>\n") && text.contains("> walrus\n"), "\(text)")
    #expect(outcome.output.contains("Reply-To is not protected, and is not followed: eve@x.org"))
  }

  /// Nor is it where the message is not opened, whatever the way to answer.
  @Test(arguments: ["template", "send", "json", "emacs", "clear"])
  func aForgedReplyToIsNotFollowedUnopened(_ way: String) throws {
    let outside = "Reply-To: eve@x.org\nMail-Followup-To: eve@x.org\n"
    let file = try deliver(outside: outside)
    let words =
      switch way {
      case "emacs": ["reply", "--format", "json", file]
      case "clear": ["reply", "--no-encrypt", "--body", "-", "--template", file]
      case "json": ["compose", "--json", "--template", "-"]
      case "send": ["reply", "--all", "--body", "-", "--print", file]
      default: ["reply", "--all", "--body", "-", "--template", file]
      }
    let json = #"{"in-reply-to": "\#(file)", "text": "otter"}"#
    let outcome = try stage.compose.run(words, input: way == "json" ? json : "otter\n")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("ada@x.org"), "\(outcome)")
    let draft = way == "emacs" ? outcome.output.prefix { $0 != "}" } : outcome.output[...]
    #expect(!draft.contains("eve@x.org"), "\(outcome)")
    #expect(outcome.errors.contains("Reply-To is not protected, and is not followed: eve@x.org"))
  }

  /// A protected one is.
  @Test func aProtectedReplyToIsFollowed() throws {
    let fields = "To: me@x.test\nFrom: Ada <ada@x.org>\nReply-To: bob@x.org\n"
    let (text, outcome) = try reply("x\ny\n", try deliver(inside: fields))
    #expect(text.contains("To: bob@x.org\n"), "\(text) \(outcome)")
  }

  /// Without a signature of the author, or with others among the recipients, a person is asked; away from a terminal nothing
  /// is quoted.
  @Test(arguments: [true, false])
  func aPersonIsAsked(_ isAgreed: Bool) throws {
    let file = try deliver(by: nil)
    let (text, outcome) = try reply("\(isAgreed ? "y" : "n")\nx\ny\n", file)
    #expect(outcome.output.contains("It goes to ada@x.org [y/N]"), "\(outcome)")
    #expect(text.contains("> walrus\n") == isAgreed, "\(text)")
    let other = try reply("n\nx\ny\n", try deliver(), "-c", "eve@x.org")
    #expect(other.outcome.output.contains("It goes to ada@x.org, eve@x.org"), "\(other)")
    let piped = try stage.compose.run(["reply", "--body", "-", "--template", file], input: "x\n")
    #expect(piped.code == 0 && !piped.output.contains("walrus"), "\(piped)")
    #expect(!piped.output.contains("pelican"))
    let quoted = try stage.compose.run(
      ["reply", "--quote", "--body", "-", "--template", file],
      input: "x\n"
    )
    #expect(quoted.output.contains("> walrus\n"), "\(quoted)")
  }

  @Test func anAnswerIsEncryptedOrRefused() throws {
    let file = try deliver()
    let words = ["reply", "--body", "-", "--send"]
    let sent = try stage.compose.run(words + [file], input: "otter\n")
    #expect(sent.code == 0, "\(sent)")
    #expect(try stage.compose.sent().text.contains("otter") == false)
    stage.compose.sink.clear()
    let noKey = try stage.compose.run(words + ["-c", "bob@x.org", file], input: "otter\n")
    #expect(noKey.code == 67, "\(noKey)")
    let json = #"{"in-reply-to": "\#(file)", "text": "otter", "protect": ["sign"], "then": "send"}"#
    let refused = try stage.compose.run(["compose", "--json", "-"], input: json)
    #expect(refused.code == 65 && refused.errors.contains("encrypted message"), "\(refused)")
    #expect(stage.compose.queued.isEmpty && stage.compose.sink.messages.isEmpty)
  }

  /// `--no-encrypt` lets it go, with the Subject outside and without the text.
  @Test func anAnswerInClearTextHasNothingOfIt() throws {
    let file = try deliver()
    let words = ["reply", "--no-encrypt", "--body", "-", "--print", file]
    let clear = try stage.compose.run(words, input: "otter\n")
    #expect(clear.code == 0 && clear.output.contains("Subject: Re: [...]\n"), "\(clear)")
    #expect(clear.output.contains("otter") && !clear.output.contains("walrus"))
    #expect(!clear.output.contains("pelican"))
    let quoted = try stage.compose.run(words + ["--quote"], input: "otter\n")
    #expect(quoted.output.contains("> walrus\n"), "\(quoted)")
  }

  @Test func aForwardedMessageAsks() throws {
    let file = try deliver()
    let words = ["forward", "-t", "ada@x.org", "--body", "-", "--print"]
    let closed = try stage.compose.run(words + [file], input: "otter\n")
    #expect(closed.code == 0 && closed.output.contains("multipart/encrypted"), "\(closed)")
    #expect(try !stage.decrypted(closed.output).contains("walrus"))
    let quoted = try stage.compose.run(words + ["--quote", file], input: "otter\n")
    #expect(try stage.decrypted(quoted.output).contains("walrus"), "\(quoted)")
    #expect(try stage.decrypted(quoted.output).contains("Subject: Fwd: pelican"))
    let attached = try stage.compose.run(words + ["--as-attachment", file], input: "otter\n")
    #expect(attached.errors.contains("its new recipients cannot read it"), "\(attached)")
  }

  // MARK: What was decrypted

  /// A stranger sends on what is not his: without consent he gets nothing of it, in no field.
  @Test(arguments: [
    ("reply", "n\n", [], false), ("reply", "", ["--no-quote"], false),
    ("forward", "n\n", [], false), ("reply", "y\n", [], true), ("reply", "", ["--quote"], true),
    ("forward", "y\n", [], true),
  ])
  func aStrangerGetsNothing(
    _ command: String,
    _ keys: String,
    _ words: [String],
    _ isRevealed: Bool
  ) throws {
    let inside = "To: me@x.test\nSubject: pelican\nMessage-ID: <heron@x.org>\n"
    let file = try deliver(
      by: nil,
      inside: inside,
      id: "m@evil.org",
      outside: "Reply-To: eve@evil.org\n",
      from: "mallory@evil.org"
    )
    let line = [command, "--template"] + words + [file]
    let outcome = try stage.compose.typeAll(keys, editor: "false", line)
    #expect(outcome.code == 0 && outcome.output.contains("Protect: encrypt"), "\(outcome)")
    if command == "reply" { #expect(outcome.output.contains("To: mallory@evil.org"), "\(outcome)") }
    for word in ["walrus", "pelican", "heron"] {
      #expect(outcome.output.contains(word) == isRevealed, "\(word): \(outcome)")
    }
    #expect(outcome.output.contains("m@evil.org>") == !isRevealed, "\(outcome)")
  }

  /// A text with OpenPGP in it is an encrypted message, too.
  @Test func anAnswerToATextInArmourIsEncrypted() throws {
    let armour = try stage.keys.encrypted(Array("walrus\n".utf8), to: "me@x.test", by: "ada@x.org")
    let header = "From: Ada <ada@x.org>\nTo: me@x.test\nSubject: heron\nMessage-ID: <i@x.org>\n"
    let text = "Content-Type: text/plain\n\n" + String(decoding: armour, as: UTF8.self)
    try stage.compose.deliver("i", header + text)
    let file = stage.compose.magnum.home["mail/INBOX/cur/i:2,S"]
    for words in [["reply"], ["reply", "--quote"], ["forward", "-t", "ada@x.org"]] {
      let line = words + ["--template", file]
      let outcome = try stage.compose.typeAll("y\n", editor: "false", line)
      #expect(outcome.output.contains("Protect: encrypt"), "\(outcome)")
      #expect(outcome.output.contains("walrus"), "\(outcome)")
    }
    let quoted = try stage.compose.run(
      ["reply", "--quote", "--body", "-", "--print", file],
      input: "otter\n"
    )
    #expect(quoted.code == 0 && quoted.output.contains("multipart/encrypted"), "\(quoted)")
    #expect(try stage.decrypted(quoted.output).contains("> walrus\n"))
    let clear = ["--no-encrypt", "--template", file]
    let closed = try stage.compose.typeAll("y\n", editor: "false", ["reply"] + clear)
    #expect(closed.code == 0 && !closed.output.contains("walrus"), "\(closed)")
  }

  /// So is one in which something stands beside that, in the text or as another part: it is not opened, nor quoted.
  @Test(arguments: ["footer", "attachment"])
  func anAnswerToATextWithArmourInItIsEncrypted(_ form: String) throws {
    let armour = try stage.keys.encrypted(Array("walrus\n".utf8), to: "me@x.test", by: "ada@x.org")
    let text = String(decoding: armour, as: UTF8.self)
    let header = "From: Ada <ada@x.org>\nTo: me@x.test\nSubject: heron\nMessage-ID: <i@x.org>\n"
    let parts = "\n--m\n\n\(text)\n--m\nContent-Disposition: attachment\n\nabc\n--m--\n"
    let body =
      form == "footer"
      ? "\n\(text)-- \nfoot\n" : "Content-Type: multipart/mixed; boundary=m\n\(parts)"
    try stage.compose.deliver("i", header + body)
    let file = stage.compose.magnum.home["mail/INBOX/cur/i:2,S"]
    for words in [["reply"], ["forward", "-t", "ada@x.org"]] {
      let line = words + ["--body", "-", "--print", file]
      let outcome = try stage.compose.run(line, input: "otter\n")
      #expect(outcome.output.contains("multipart/encrypted"), "\(outcome)")
      let answer = try stage.decrypted(outcome.output)
      #expect(answer.contains("otter") && !answer.contains("PGP MESSAGE"), "\(answer)")
    }
    let closed = try stage.compose.run(["show", "--decrypt", "true", file])
    let reason = form == "footer" ? ": not decrypted: there is other text" : " of part 1: not decr"
    #expect(closed.output.contains("[encryption\(reason)"), "\(closed)")
    #expect(closed.code == (form == "footer" ? 1 : 0), "\(closed)")
    guard form != "footer" else { return }
    let part = try stage.compose.run(["show", "--decrypt", "true", "--part", "1", file])
    #expect(part.code == 0 && part.output == "walrus\n", "\(part)")
  }

  /// What the text shows of a message, answers and forwarded messages quote: no links that others may have put there.
  @Test func linksThatAreNotShownAreNotQuoted() throws {
    try stage.keys.addCertificate("me@x.test")
    let html = "Content-Type: text/html\r\n\r\n<a href=\"http://x.org/\">walrus</a>\r\n"
    let octets = try stage.keys.cms(Array(html.utf8), ["-encrypt", "-aes256"])
    let header = "From: Ada <ada@x.org>\nTo: me@x.test\nSubject: heron\nMessage-ID: <i@x.org>\n"
    let fields =
      "Content-Type: application/pkcs7-mime; name=smime.p7m\nContent-Transfer-Encoding: base64\n\n"
    let body = String(
      decoding: try stage.keys.output(of: "openssl", ["base64"], octets),
      as: UTF8.self
    )
    try stage.compose.deliver("i", header + fields + body)
    let file = stage.compose.magnum.home["mail/INBOX/cur/i:2,S"]
    for words in [["reply"], ["forward", "-t", "ada@x.org"]] {
      let line = words + ["--quote", "--body", "-", "--template", file]
      let outcome = try stage.compose.run(line, input: "otter\n")
      #expect(outcome.output.contains("walrus") && !outcome.output.contains("x.org/"), "\(outcome)")
    }
  }

  /// What only says how a message was encrypted is no attachment of what is passed on.
  @Test func aForwardedMessageHasItsOwnAttachmentsAlone() throws {
    let words = ["forward", "-t", "ada@x.org", "--quote", "--body", "-", "--template"]
    let outcome = try stage.compose.run(words + [try deliver()], input: "otter\n")
    #expect(outcome.output.contains("walrus") && !outcome.output.contains("Attach"), "\(outcome)")
    let json = try stage.compose.run(words + ["--json", try deliver()], input: "otter\n")
    #expect(json.output.contains("walrus") && !json.output.contains(".pgp"), "\(json)")
    let sent = try stage.compose.run(
      words.dropLast() + ["--print", try deliver()],
      input: "otter\n"
    )
    #expect(try !stage.decrypted(sent.output).contains("part-1"), "\(sent)")
  }

  /// Where it is known whose text it is, the answer has the Subject within, quoted or not.
  @Test func anAnswerWithoutTheTextHasTheSubject() throws {
    let (text, outcome) = try reply("n\nx\ny\n", try deliver(), "--no-quote")
    #expect(text.contains("Subject: Re: pelican\n") && !text.contains("walrus"), "\(outcome)")
  }

  /// A template says that it is to be encrypted, and its way back does not undo that.
  @Test func aTemplateStaysEncrypted() throws {
    let stage = try ProtectedStage("encrypt = \"never\"")
    let file = try deliver(to: stage)
    let words = ["reply", "--quote", "--body", "-", "--template"]
    let template = try stage.compose.run(words + [file], input: "otter\n")
    #expect(template.output.contains("> walrus\n"), "\(template)")
    #expect(template.output.contains("Protect: encrypt\n"), "\(template)")
    let json = try stage.compose.run(words + ["--json", file], input: "otter\n")
    #expect(json.output.contains("\"protect\":[\"encrypt\"]"), "\(json)")
    let sent = try stage.compose.run(["compose", "-", "--print"], input: template.output)
    #expect(sent.code == 0 && sent.output.contains("multipart/encrypted"), "\(sent)")
    #expect(!sent.output.contains("walrus") && !sent.output.contains("pelican"))
    let clearing = ["compose", "-", "--print", "--no-encrypt"]
    let refused = try stage.compose.run(clearing, input: template.output)
    #expect(refused.code == 65 && !refused.output.contains("walrus"), "\(refused)")
    let clear = try stage.compose.run(clearing + ["--quote"], input: template.output)
    #expect(clear.code == 0 && clear.output.contains("> walrus\n"), "\(clear)")
  }

  /// Nor does the way of a program, which gets it as JSON, also where it takes out what it does not know.
  @Test(arguments: ["reply", "forward", "reply without the mark"])
  func aTemplateInJSONStaysEncrypted(_ way: String) throws {
    let fields = "To: me@x.test\nFrom: Ada <ada@x.org>\nMessage-ID: <e1@x.org>\n"
    let file = try deliver(inside: fields)
    #expect(try stage.compose.run("index").code == 0)
    let words = way == "forward" ? ["forward", "-t", "ada@x.org"] : ["reply"]
    let line = words + ["--quote", "--body", "-", "--template", "--json", file]
    let template = try stage.compose.run(line, input: "otter\n")
    let mark = #","concerns":"encrypted""#
    #expect(template.output.contains("walrus") && template.output.contains(mark), "\(template)")
    let json = way.hasSuffix("mark") ? template.output.replacing(mark, with: "") : template.output
    let print = ["compose", "--json", "-", "--print"]
    let sealed = try stage.compose.run(print, input: json)
    #expect(sealed.code == 0 && sealed.output.contains("multipart/encrypted"), "\(sealed)")
    for end in ["--print", "--send", "--draft"] {
      let clear = ["compose", "--json", "-", end, "--no-encrypt"]
      let refused = try stage.compose.run(clear, input: json)
      #expect(refused.code == 65 && refused.errors.contains("--quote"), "\(refused)")
      #expect(!refused.output.contains("walrus"))
    }
    #expect(stage.compose.queued.isEmpty && stage.compose.drafts.isEmpty)
    let allowed = try stage.compose.run(print + ["--no-encrypt", "--quote"], input: json)
    #expect(allowed.code == 0 && allowed.output.contains("walrus"), "\(allowed)")
  }

  /// A draft that goes on goes as clear text only where its text may; also without what names the other message.
  @Test(arguments: ["draft", "no id", "cancelled"])
  func aDraftThatGoesOnStaysEncrypted(_ way: String) throws {
    let file = try deliver(id: way == "no id" ? nil : "e1@x.org")
    let end = way == "cancelled" ? "--hold" : "--draft"
    let words = ["reply", "--quote", "--body", "-", end, file]
    let kept = try stage.compose.run(words, input: "otter\n")
    #expect(kept.code == 0, "\(kept)")
    if way == "cancelled" {
      let entry = try #require(stage.compose.names(".local/state/magnum/spool/work/hold").first)
      #expect(try stage.compose.run("queue", "cancel", entry).code == 0)
    }
    let name = try #require(stage.compose.drafts.first)
    let draft = stage.compose.magnum.home["mail/Drafts/cur/\(name)"]
    for end in ["--print", "--template", "--draft", "--hold", "--send"] {
      let refused = try stage.compose.run("resume", "--no-encrypt", end, draft)
      #expect(refused.code == 65 && refused.errors.contains("--quote"), "\(refused)")
      #expect(!refused.output.contains("walrus") && !refused.output.contains("pelican"))
    }
    #expect(stage.compose.queued.isEmpty && stage.compose.sink.messages.isEmpty)
    let again = ["resume", "--no-encrypt", "--print", draft]
    let declined = try stage.compose.typeAll("n\n", editor: "false", again)
    #expect(declined.code == 65 && !declined.output.contains("walrus"), "\(declined)")
    let agreed = try stage.compose.typeAll("y\n", editor: "false", again)
    #expect(agreed.code == 0 && agreed.output.contains("> walrus"), "\(agreed)")
    let allowed = try stage.compose.run(again + ["--quote"])
    #expect(allowed.code == 0 && allowed.output.contains("> walrus\n"), "\(allowed)")
    let edit = "sed -i 's/^Protect:.*/Protect: none/' \"$1\""
    let edited = try stage.compose.type("k\n", editor: edit, "resume", draft)
    #expect(edited.output.contains("would not be encrypted"), "\(edited)")
    let left = try #require(stage.compose.left.first)
    #expect(!stage.compose.names(".local/state/magnum/compose/\(left)").contains("text.eml"))
  }
}
