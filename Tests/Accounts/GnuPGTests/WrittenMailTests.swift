import GnuPG
import MIME
import Octets
import Platform
import Protection
import TestSupport
import Testing

/// Messages that are written with the real programs, and read back by ours and those of others.
@Suite(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
struct WrittenMailTests {
  @Test(arguments: WrittenShape.all, WritingStage.plans)
  func messagesAreReadAsTheyWereWritten(_ shape: WrittenShape, _ plan: String) throws {
    let stage = try WritingStage.shared.get()
    let written = try stage.write(shape, plan)
    let isEncrypted = try stage.plan(plan).encryption != nil
    let lines = written.octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    #expect(written.octets.allSatisfy { $0 < 0x80 } && lines.allSatisfy { $0.count <= 998 })
    let text = String(decoding: written.octets, as: UTF8.self)
    #expect(text.contains("needle") != isEncrypted)
    #expect(text.contains("\nSubject: [...]\n") == isEncrypted)
    #expect(written.madeFiles.isEmpty == !shape.description.hasPrefix("a message "))
    if !isEncrypted {
      // What signatures cover, no transport has a reason to change.
      let signed = lines.drop { !$0.starts(with: [UInt8](ascii: "--=_s_")) }
      #expect(!signed.contains { $0.last == ASCII.space || $0.last == ASCII.tab })
      #expect(!signed.contains { $0.starts(with: [UInt8](ascii: "From ")) })
    }
    let tools = stage.tools
    tools.beginMessage()
    let reading = ProtectionReader.read(
      Message(written.octets),
      ProtectionWishes(verifies: true, decrypts: true),
      .native
    ) { tools.answer($0) }
    #expect(reading.isDecrypted == isEncrypted)
    let isSigned = try stage.plan(plan).signer != nil
    #expect(reading.verdict == (isSigned ? .good : nil), "\(reading.signatures)")
    // A text with armour in it is named as an encryption that is not undone.
    let isMixed = reading.encryptions.contains {
      [.mixed, .inside].map { .failed($0) }.contains($0.outcome)
    }
    #expect(isMixed == shape.description.hasPrefix("armour"))
    #expect(reading.sender == (isSigned ? .matches : nil))
    if isSigned { #expect(reading.coverage == .all) }
    let subject = reading.header.text("Subject", .native)
    #expect(subject.map { String(decoding: $0, as: UTF8.self) } == shape.subject)
    #expect(reading.protectedHeader?.otherAuthor == nil && reading.protectedHeader != nil)
    #expect(reading.header.mailboxes("To", .native).count == 1)
    try expectContent(reading, shape, isDraft: plan == "draft")
  }

  private func expectContent(
    _ reading: ProtectionReading,
    _ shape: WrittenShape,
    isDraft: Bool
  ) throws {
    let bodies = reading.message.bodies().compactMap { $0.plainText(.native) }
    let body = String(decoding: bodies.first ?? [], as: UTF8.self)
    let expected = shape.text.isEmpty || shape.text.hasSuffix("\n") ? shape.text : shape.text + "\n"
    #expect(body.replacing("\r\n", with: "\n").hasPrefix(expected) || body == expected, "\(body)")
    let attachments = reading.message.attachments.filter { $0.disposition != nil }
      .filter { $0.fileName(.native)?.isEmpty == false }
    for file in shape.files {
      let part = attachments.first { $0.fileName(.native) == Array(file.name.utf8) }
      let octets = part.map { $0.kind == .message ? Array($0.body) : $0.decoded } ?? []
      #expect(LineFeeds.only(octets).starts(with: LineFeeds.only(file.octets)), "\(file.name)")
    }
    let inner = reading.message.parts.flatMap(\.header.fields)
    #expect(inner.filter { $0.isNamed("Bcc") }.count == (isDraft ? 1 : 1))
    let outer = reading.message.root.header
    #expect(outer.all("Bcc").isEmpty == isDraft && outer.all("To").isEmpty == isDraft)
  }

  @Test func onesOwnKeyIsGivenOut() throws {
    let stage = try WritingStage.shared.get()
    let tools = stage.tools
    let finder = KeyFinder(.openPGP) { tools.answer($0) }
    let key = try #require(try finder.own([UInt8](ascii: "alice@example.org"), for: .signing).key)
    let armour = String(decoding: try finder.exported(key), as: UTF8.self)
    #expect(armour.hasPrefix("-----BEGIN PGP PUBLIC KEY BLOCK-----\n"))
    let other = try Keyring()
    try other.output(of: "gpg", ["--batch", "--quiet", "--import"], Array(armour.utf8))
    let listing = try other.output(of: "gpg", ["--with-colons", "--list-keys"])
    let listed = try #require(KeyListing.keys(in: listing, .openPGP))
    #expect(listed.map(\.fingerprint) == [key.fingerprint])
    #expect(listed.first?.encrypters == key.encrypters)
  }

  /// Python takes the messages apart by itself, and has gpg and gpgsm check and decrypt the octets that the RFCs name.
  @Test(.enabled("python3 is not installed") { ["python3"].allSatisfy(Self.isInstalled) })
  func pythonReadsThem() throws {
    let stage = try WritingStage.shared.get()
    let directory = try TempDirectory()
    for (number, shape) in WrittenShape.all.enumerated() {
      for plan in WritingStage.plans {
        let name = "\(number)-\(plan.replacing(" ", with: "-"))"
        try directory.write(try stage.write(shape, plan).octets, to: "\(name).eml")
        try directory.write(Array(shape.subject.utf8), to: "\(name).subject")
        try directory.write(Array(shape.text.utf8), to: "\(name).text")
      }
    }
    var command = Command(
      "python3",
      [Fixtures.path("Fixtures/read-protected.py"), directory.path],
      environment: nil
    )
    command.environment.merge(stage.keys.variables) { $1 }
    command.timeLimit = 300
    let outcome = try command.run()
    let count = WrittenShape.all.count * WritingStage.plans.count
    #expect(outcome.code == 0 && outcome.output == "\(count) read\n", "\(outcome)")
  }

  /// notmuch says that each is signed well, or decrypts it.
  @Test(.enabled("notmuch is not installed") { Self.isInstalled("notmuch") })
  func notmuchReadsThem() throws {
    let stage = try WritingStage.shared.get()
    let directory = try TempDirectory()
    try Files.makeDirectories(directory["mail/cur"])
    try Files.makeDirectories(directory["mail/new"])
    try Files.makeDirectories(directory["mail/tmp"])
    let shapes = WrittenShape.all.filter { !$0.text.isEmpty }
    for (number, shape) in shapes.enumerated() {
      for plan in WritingStage.plans {
        let name = "\(number)-\(plan.replacing(" ", with: "-"))"
        let text = String(decoding: try stage.write(shape, plan).octets, as: UTF8.self)
          .replacing(
            "\nMessage-ID: <id@example.org>\n",
            with: "\nMessage-ID: <\(name)@x>\n",
            maxReplacements: 1
          )
        try directory.write(text, to: "mail/cur/\(name):2,S")
      }
    }
    let settings = "[database]\npath=\(directory["mail"])\n[user]\nname=A\nprimary_email=a@x\n"
    let file = try directory.write(settings, to: "config")
    let script = "notmuch new >/dev/null && notmuch show --decrypt=true --format=json '*'"
    var command = Command("sh", ["-c", script], environment: nil)
    command.environment.merge(stage.keys.variables) { $1 }
    command.environment["NOTMUCH_CONFIG"] = file
    command.timeLimit = 300
    let outcome = try command.run()
    let signed = outcome.output.ranges(of: "\"sigstatus\": [{\"status\": \"good\"").count
    let decrypted = outcome.output.ranges(of: "\"encstatus\": [{\"status\": \"good\"").count
    #expect(signed == shapes.count * 5, "\(outcome.errors)")
    #expect(decrypted == shapes.count * 6, "\(outcome.errors)")
  }

  /// mutt shows each message, and says of each signature that it is good.
  @Test(.enabled("mutt is not installed") { Self.isInstalled("mutt") })
  func muttReadsThem() throws {
    let stage = try WritingStage.shared.get()
    let directory = try TempDirectory()
    for name in ["cur", "new", "tmp"] { try Files.makeDirectories(directory["mail/\(name)"]) }
    let shapes = WrittenShape.all.filter { !$0.text.isEmpty }
    let names = ["sign", "both", "encrypt", "smime sign", "smime both"]
    var isSigned: [Bool] = []
    for (number, shape) in shapes.enumerated() {
      for (place, plan) in names.enumerated() {
        let octets = try stage.write(shape, plan).octets
        try directory.write(octets, to: "mail/cur/\(100 + number * 10 + place):2,S")
        isSigned.append(plan != "encrypt")
      }
    }
    let shown = directory["shown"]
    let filter = "#!/bin/sh\ntee -a \(shown); echo ===== >>\(shown)\n"
    try directory.write(filter, to: "filter", mode: 0o755)
    let keys = String(repeating: "<display-message><exit><next-entry>", count: isSigned.count)
    let settings = try directory.write(
      """
      set crypt_use_gpgme=yes wait_key=no mbox_type=Maildir sleep_time=0 charset=utf-8 quit=yes folder="\(directory["mail"])"
      set sort=mailbox-order display_filter="\(directory["filter"])"
      push '<first-entry>\(keys)<quit>'

      """,
      to: "muttrc"
    )
    var command = Command("mutt", ["-n", "-F", settings, "-f", directory["mail"]])
    command.environment.merge(stage.keys.variables) { $1 }
    command.environment["HOME"] = directory.path
    command.environment["TERM"] = "xterm"
    command.isOnTerminal = true
    command.timeLimit = 120
    let outcome = try command.run()
    let texts = (Files.text(shown) ?? "").split(separator: "=====\n").map { "\($0)" }
    #expect(texts.count == isSigned.count, "\(outcome)")
    for text in texts {
      #expect(text.contains("The following data is") && !text.contains("Error:"), "\(text)")
      #expect(text.contains("needle") && !text.contains("Problem"), "\(text)")
    }
    let good = texts.count { $0.contains("Good signature from: ") }
    #expect(good == isSigned.count { $0 }, "\(texts.last ?? "")")
  }

  private static func isInstalled(_ name: String) -> Bool {
    Files.exists("/usr/bin/\(name)")
  }
}
