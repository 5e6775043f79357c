import Glibc
import Octets
import TestSupport

/// The certificates of `Fixtures/certificates.sh`, made once for all tests.
final class Certificates: Sendable {
  private static let shared = Result { try Certificates() }

  private let directory: TempDirectory

  private init() throws {
    directory = try TempDirectory("tls")
    let script = Fixtures.path("Fixtures/certificates.sh")
    try Command.shell(#". "$2" 2> "$1/log""#, [directory.path, script])
    // What a static variable holds is never let go of.
    atexit { if let path = try? Certificates.path("") { Files.removeTree(path) } }
  }

  /// The path of a file, such as `good.pem`.
  static func path(_ name: String) throws -> String {
    try shared.get().directory[name]
  }

  /// The SHA-256 of a certificate, as the command of OpenSSL tells it.
  static func fingerprint(_ name: String) throws -> [UInt8] {
    let text = try Command.shell(
      #"openssl x509 -in "$1" -outform DER | openssl dgst -sha256 -r | cut -d ' ' -f 1"#,
      [path("\(name).pem")]
    )
    return Hex.decode(Array(text.utf8.dropLast())) ?? []
  }
}
