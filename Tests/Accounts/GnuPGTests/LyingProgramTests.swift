import GnuPG
import MIME
import Octets
import Platform
import Protection
import TestSupport
import Testing

/// A script in the place of gpg that lies, hangs, floods or crashes: nothing is written, and nothing of the text gets out.
struct LyingProgramTests {
  private static let fingerprint = "0123456789ABCDEF0123456789ABCDEF0123AAAA"
  private static let created =
    "echo '[GNUPG:] SIG_CREATED D 22 8 00 1796132528 \(fingerprint)' >&3"
  private static let within =
    "echo '[GNUPG:] SIG_CREATED S 22 8 00 1796132528 \(fingerprint)' >&3"
  private static let encrypted =
    "echo '[GNUPG:] BEGIN_ENCRYPTION 2 9' >&3; echo '[GNUPG:] END_ENCRYPTION' >&3"
  /// An armour with a signature packet, and one for the key, in hexadecimal digits.
  private static let signature =
    "printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nwgEE\\n=abcd\\n-----END PGP SIGNATURE-----\\n'"
  private static let message =
    "printf -- '-----BEGIN PGP MESSAGE-----\\n\\nwQsDiavN7wEjqq4SANICAQA=\\n=abcd\\n-----END PGP MESSAGE-----\\n'"

  private static func written(
    _ script: String,
    _ plan: String,
    seconds: Double = 60
  ) throws -> [UInt8] {
    let program = try ScriptedProgram(script, seconds: seconds)
    let number = try #require(KeyNumber(fingerprint.utf8))
    let below = try #require(KeyNumber("0123456789ABCDEF0123456789ABCDEF0123AAAE".utf8))
    let key = ListedKey(
      method: .openPGP,
      fingerprint: number,
      userIDs: [],
      fault: nil,
      created: nil,
      expires: nil,
      signers: [number],
      encrypters: [below]
    )
    let encryption = ProtectionPlan.Encryption(recipients: [key])
    let planned = ProtectionPlan(
      .openPGP,
      signer: plan == "encrypt" ? nil : key,
      encryption: plan == "sign" ? nil : encryption
    )
    return try ProtectionWriter.write(
      try WrittenShape("", "needle\n").message(),
      try #require(planned),
      token: [UInt8](ascii: "token")
    ) { program.answer($0) }.octets.whole()
  }

  /// An honest script, so that what is refused is refused for its lie alone.
  @Test func whatIsRightIsWritten() throws {
    let signed = try Self.written("cat >/dev/null; \(Self.created); \(Self.signature)", "sign")
    #expect(!signed.isEmpty)
    let script = "cat >/dev/null; \(Self.encrypted); \(Self.message)"
    #expect(try !Self.written(script, "encrypt").isEmpty)
    #expect(try !Self.written("\(Self.within); \(script)", "both").isEmpty)
  }

  @Test(
    arguments: [
      "exit 0", "exit 2", "cat", "sleep 60", "trap '' TERM; sleep 60", "kill -SEGV $$",
      "yes", "yes >&3", "yes >&2", "exec 3>&-; cat", "exec 1>&-; ALL", "ALL; cat", "cat; ALL",
      "ALL; exit 2", "ALL; kill -KILL $$", "ALL; sleep 60", "ALL; yes", "ALL; yes >&3",
      "ALL; printf '[GNUPG:] X' >&3", "ALL; echo words >&3", "ALL; echo '[GNUPG:] FAILURE x 1' >&3",
      "echo '[GNUPG:] INV_RECP 0 x' >&3; ALL", "echo '[GNUPG:] INV_SGNR 0 x' >&3; ALL",
      "ALL; echo '[GNUPG:] ERROR x 1' >&3", "ALL; ALL", "LINES; cat", "LINES; printf 'a\\0b'",
      "LINES", "OUTPUT", "LINES; OUTPUT | tr -d '='", "LINES; OUTPUT | head -n 3",
      "LINES; OUTPUT | sed 's/^w/x/'", "LINES; OUTPUT | sed 's/^$/ /'", "LINES; echo; OUTPUT",
      "LINES; OUTPUT; echo more", "LINES; OUTPUT | tr '\\n' '\\r'", "head -c 5; ALL",
    ],
    ["sign", "encrypt", "both"]
  )
  func liesAreNotWritten(_ script: String, _ plan: String) throws {
    let (lines, output) =
      switch plan {
      case "sign": (Self.created, Self.signature)
      case "encrypt": (Self.encrypted, Self.message)
      default: ("\(Self.within); \(Self.encrypted)", Self.message)
      }
    let whole = script.replacing("ALL", with: "LINES; OUTPUT").replacing("LINES", with: lines)
      .replacing("OUTPUT", with: output)
    #expect(throws: WritingFailure.self, "\(whole)") {
      try Self.written(whole, plan, seconds: 2)
    }
  }

  /// Nothing of the message is in an argument, in the environment, or in a file with a name.
  @Test(arguments: ["sign", "encrypt", "both"])
  func onlyDescriptorsHaveTheText(_ plan: String) throws {
    let directory = try TempDirectory()
    let script = """
      { tr '\\0' '\\n' </proc/$$/cmdline; echo; tr '\\0' '\\n' </proc/$$/environ
        for n in 0 1 2 3 4 5 6; do readlink /proc/$$/fd/$n; done; } >\(directory["seen"])
      """
    _ = try? Self.written(script, plan)
    let seen = try #require(Files.text(directory["seen"]))
    #expect(!seen.contains("needle") && !seen.contains("alice@") && !seen.contains("hidden@"))
    let descriptors = seen.split(separator: "\n").filter {
      $0.hasPrefix("/") || $0.hasPrefix("pipe:")
    }
    #expect(descriptors.contains { $0.hasPrefix("/memfd:") }, "\(seen)")
    #expect(seen.contains(Self.fingerprint))
  }
}
