import GnuPG
import MIME
import Octets
import Platform
import Protection
import TestSupport
import Testing

/// Lines of the user's own gpg.conf and gpgsm.conf: none of them makes a message that is not as planned.
@Suite(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
struct OwnConfigurationTests {
  /// Keys of Alice and Mallory, for each test of its own.
  private struct Stage {
    let keys = Result { try Keyring() }
    let tools: GnuPG
    let own: ListedKey
    let other: String

    init(_ method: ProtectionMethod) throws {
      let keys = try keys.get()
      try keys.addKey("Alice <alice@example.org>")
      other = try keys.addKey("Mallory <mallory@example.org>")
      if method == .sMIME { try keys.addCertificate("alice@example.org") }
      let tools = GnuPG(hasPerson: false, home: Path(keys.variables["GNUPGHOME"] ?? ""))
      self.tools = tools
      let finder = KeyFinder(method) { tools.answer($0) }
      let address = [UInt8](ascii: "alice@example.org")
      own = try #require(try finder.own(address, for: .signing).key)
    }

    func outcome(signs: Bool, encrypts: Bool) throws -> String {
      let planned = ProtectionPlan(
        own.method,
        signer: signs ? own : nil,
        encryption: encrypts ? .init(recipients: [own]) : nil
      )
      let plan = try #require(planned)
      let message = try WrittenShape("", "needle\n").message()
      do throws(WritingFailure) {
        let written = try ProtectionWriter.write(message, plan, token: [65]) { tools.answer($0) }
        let octets = (try? written.octets.whole()) ?? []
        tools.beginMessage()
        let reading = ProtectionReader.read(
          Message(octets),
          ProtectionWishes(verifies: true, decrypts: true),
          .native
        ) { tools.answer($0) }
        let isRight =
          reading.isDecrypted == encrypts && (reading.verdict?.isIntact == true) == signs
        return isRight ? "written" : "written, and not read"
      } catch {
        return "\(error)".prefix { $0 != "(" }.description
      }
    }
  }

  @Test func optionsOfGPG() throws {
    let stage = try Stage(.openPGP)
    let rows: [(line: String, signed: String, encrypted: String)] = [
      ("", "written", "written"),
      ("recipient \(stage.other)", "written", "broken"),
      ("hidden-recipient \(stage.other)", "written", "broken"),
      ("encrypt-to \(stage.other)", "written", "written"),
      ("hidden-encrypt-to \(stage.other)", "written", "written"),
      ("default-key \(stage.other)", "written", "written"),
      ("local-user \(stage.other)", "otherSigner", "written"),
      ("local-user nobody@example.org", "otherSigner", "written"),
      ("throw-keyids", "written", "written"), ("textmode", "written", "written"),
      ("digest-algo SHA1", "weakDigest", "written"), ("digest-algo SHA512", "written", "written"),
      ("comment needle", "written", "written"), ("emit-version", "written", "written"),
      ("compress-level 0", "written", "written"), ("disable-mdc", "written", "written"),
      ("trust-model always", "written", "written"), ("verbose\nverbose", "written", "written"),
      ("no-such-option", "written", "written"), ("output /dev/null", "written", "written"),
      ("group alice@example.org=\(stage.other)", "written", "written"),
    ]
    for (line, signed, encrypted) in rows {
      let place = try stage.keys.get()["gpg.conf"]
      try Files.write("\(line)\n", to: place)
      #expect(try stage.outcome(signs: true, encrypts: false) == signed, "\(line): signed")
      #expect(try stage.outcome(signs: false, encrypts: true) == encrypted, "\(line): encrypted")
    }
  }

  @Test func optionsOfGPGSM() throws {
    let stage = try Stage(.sMIME)
    let rows: [(line: String, signed: String, encrypted: String)] = [
      ("", "written", "written"), ("armor", "written", "written"), ("base64", "written", "written"),
      ("digest-algo SHA1", "weakDigest", "written"), ("digest-algo SHA512", "written", "written"),
      ("local-user 0000000000000000000000000000000000000000", "otherSigner", "otherSigner"),
      ("recipient 0000000000000000000000000000000000000000", "written", "cannotEncrypt"),
      ("verbose", "written", "written"), ("include-certs 0", "written", "written"),
    ]
    for (line, signed, encrypted) in rows {
      let place = try stage.keys.get()["gpgsm.conf"]
      try Files.write("\(line)\n", to: place)
      #expect(try stage.outcome(signs: true, encrypts: false) == signed, "\(line): signed")
      #expect(try stage.outcome(signs: false, encrypts: true) == encrypted, "\(line): encrypted")
    }
  }

  /// Keys that cannot be used are refused before a program is asked, and by the program all the same.
  @Test func keysThatCannotBeUsed() throws {
    let keys = try Keyring()
    let script = #"""
      g() { gpg --batch --quiet --no-tty --pinentry-mode loopback --passphrase "$secret" "$@" 2>/dev/null; }
      f() { gpg --with-colons --list-keys "<$1@example.org>" 2>/dev/null | awk -F: '/^fpr/{print $10; exit}'; }
      secret= ; for n in fine cancelled offline revoked; do
        [ $n = cancelled ] && secret=x || secret=
        g --quick-gen-key "$n <$n@example.org>" future-default default never
      done
      secret=
      g --faked-system-time 20200101T000000 --quick-gen-key "old <old@example.org>" future-default default 1y
      g --quick-gen-key "sub <sub@example.org>" ed25519 cert never
      g --quick-add-key "$(f sub)" ed25519 sign never; g --quick-add-key "$(f sub)" cv25519 encr never
      sed -i 's/^://' openpgp-revocs.d/"$(f revoked)".rev; g --import openpgp-revocs.d/"$(f revoked)".rev
      gpg-connect-agent "DELETE_KEY --force $(gpg --with-colons --with-keygrip --list-keys offline@example.org 2>/dev/null | awk -F: '/^grp/{print $10; exit}')" /bye >/dev/null
      gpgconf --kill gpg-agent
      """#
    try keys.output(of: "sh", ["-uc", "cd \"$GNUPGHOME\"; \(script)"])
    let tools = GnuPG(hasPerson: false, home: Path(keys.variables["GNUPGHOME"] ?? ""))
    let finder = KeyFinder(.openPGP) { tools.answer($0) }
    let rows = [
      ("fine", "written", "written"), ("cancelled", "noPassphrase", "written"),
      ("sub", "written", "written"), ("old", "none", "none"), ("revoked", "none", "none"),
      ("offline", "none", "written"), ("absent", "none", "none"),
    ]
    for (name, signed, encrypted) in rows {
      let address = Array("\(name)@example.org".utf8)
      let signer = try finder.own(address, for: .signing).key
      #expect(try Self.outcome(signer, nil, tools) == signed, "\(name): signed")
      let recipient = try finder.recipient(address).key
      #expect(try Self.outcome(nil, recipient, tools) == encrypted, "\(name): encrypted")
    }
  }

  private static func outcome(
    _ signer: ListedKey?,
    _ recipient: ListedKey?,
    _ tools: GnuPG
  ) throws -> String {
    let encryption = recipient.map { ProtectionPlan.Encryption(recipients: [$0]) }
    guard let plan = ProtectionPlan(.openPGP, signer: signer, encryption: encryption) else {
      return "none"
    }
    let message = try WrittenShape("", "needle\n").message()
    do throws(WritingFailure) {
      _ = try ProtectionWriter.write(message, plan, token: [65]) { tools.answer($0) }
      return "written"
    } catch {
      return "\(error)".prefix { $0 != "(" }.description
    }
  }
}
