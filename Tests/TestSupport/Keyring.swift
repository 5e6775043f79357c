import Glibc

/// Keys of gpg, and certificates of gpgsm, in a directory of their own.
package final class Keyring: Sendable {
  private let directory: TempDirectory

  /// Whether the programs are there that it needs.
  package static let isInstalled = ["gpg", "gpgsm", "openssl"].allSatisfy { name in
    access("/usr/bin/\(name)", X_OK) == 0
  }

  /// An empty one.
  ///
  /// - Throws: `HarnessError` when it cannot be made.
  package init() throws {
    directory = try TempDirectory("keys")
  }

  deinit {
    _ = try? run("gpgconf", ["--kill", "gpg-agent"])
  }

  /// What a program needs in its environment to use it.
  package var variables: [String: String] { ["GNUPGHOME": directory.path] }

  /// The path of a file in it.
  package subscript(name: String) -> String { directory[name] }

  private func run(_ program: String, _ arguments: [String], _ input: [UInt8] = []) throws
    -> Outcome
  {
    var command = Command(program, arguments)
    command.environment.merge(variables) { $1 }
    command.input = input
    return try command.run()
  }

  /// Runs a program with it.
  ///
  /// - Parameters:
  ///   - program: the program.
  ///   - arguments: its arguments.
  ///   - input: what it reads.
  /// - Returns: what it writes.
  /// - Throws: `HarnessError` when it fails.
  @discardableResult
  package func output(
    of program: String,
    _ arguments: [String],
    _ input: [UInt8] = []
  ) throws -> [UInt8] {
    let outcome = try run(program, arguments, input)
    guard outcome.code == 0 else { throw HarnessError("\(program) \(arguments): \(outcome)") }
    return Array(outcome.output.utf8)
  }

  private func gpg(_ arguments: [String], _ input: [UInt8] = []) throws -> [UInt8] {
    let usual = ["--batch", "--quiet", "--no-tty", "--trust-model", "always"]
    return try output(of: "gpg", usual + arguments, input)
  }

  /// Makes an OpenPGP key for a user id.
  ///
  /// - Parameters:
  ///   - userID: the user id.
  ///   - isRSA: whether it is RSA; else it is ed25519.
  ///   - passphrase: empty for none.
  /// - Returns: the fingerprint.
  /// - Throws: `HarnessError` when it cannot be made.
  @discardableResult
  package func addKey(_ userID: String, isRSA: Bool = false, passphrase: String = "") throws
    -> String
  {
    let kind =
      isRSA
      ? "Key-Type: RSA\nKey-Length: 2048\nKey-Usage: sign\nSubkey-Type: RSA\nSubkey-Length: 2048"
      : "Key-Type: eddsa\nKey-Curve: ed25519\nKey-Usage: sign\nSubkey-Type: ecdh\nSubkey-Curve: cv25519"
    let halves = userID.split(separator: "<")
    let name = halves.count == 2 ? "Name-Real: \(halves[0])\n" : ""
    let address = (halves.last ?? "").prefix { $0 != ">" }
    let secrecy = passphrase.isEmpty ? "%no-protection" : "Passphrase: \(passphrase)"
    let text = "\(kind)\n\(name)Name-Email: \(address)\nExpire-Date: 0\n\(secrecy)\n%commit\n"
    let arguments = ["--pinentry-mode", "loopback", "--gen-key"]
    _ = try gpg(arguments, Array(text.utf8))
    let listing = try gpg(["--with-colons", "--list-keys", String(address)])
    let lines = String(decoding: listing, as: UTF8.self).split(separator: "\n")
    let record = lines.first { $0.hasPrefix("fpr:") }
    return record.map { String($0.split(separator: ":")[1]) } ?? ""
  }

  /// Marks a key as of no ultimate trust, so that nothing certifies it.
  ///
  /// - Throws: `HarnessError` when that fails.
  package func distrust(_ fingerprint: String) throws {
    try output(
      of: "gpg",
      ["--batch", "--quiet", "--import-ownertrust"],
      Array("\(fingerprint):3:\n".utf8)
    )
  }

  /// A signature beside octets.
  package func signature(of octets: [UInt8], by address: String) throws -> [UInt8] {
    try gpg(["--armor", "--local-user", address, "--detach-sign"], octets)
  }

  /// A text that is signed.
  package func signedText(_ text: String, by address: String) throws -> [UInt8] {
    try gpg(["--local-user", address, "--clearsign"], Array(text.utf8))
  }

  /// Octets encrypted to an address, and signed where a signer is named.
  package func encrypted(
    _ octets: [UInt8],
    to address: String,
    by signer: String? = nil,
    _ options: [String] = []
  ) throws -> [UInt8] {
    let signing = signer.map { ["--local-user", $0, "--sign"] } ?? []
    return try gpg(options + ["--armor", "--recipient", address] + signing + ["--encrypt"], octets)
  }

  // MARK: S/MIME

  /// Makes an authority, and a certificate of it with its key for an address.
  ///
  /// - Throws: `HarnessError` when that fails.
  package func addCertificate(_ address: String) throws {
    let script = #"""
      cd "$1"
      # What went wrong is said, and what went well is not.
      exec 3>&2 2>log
      trap 'status=$?; [ $status = 0 ] || cat log >&3; exit $status' EXIT
      openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj "/CN=Test CA" -days 3650
      openssl req -newkey rsa:2048 -nodes -keyout key.pem -out csr.pem -subj "/CN=Bob"
      printf 'basicConstraints=CA:FALSE\nkeyUsage=digitalSignature,keyEncipherment\nsubjectAltName=email:%s\n' "$2" >ext
      openssl x509 -req -in csr.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 3650 -extfile ext -out cert.pem
      # On a busy machine gpgsm may not wait long enough for the agent that it starts. It also tries an empty passphrase in many
      # charsets, and takes a wrong one for right by chance: then the file has to be made anew, with another salt.
      again() { "$@" || "$@" || "$@" || "$@"; }
      import_key() {
        openssl pkcs12 -export -legacy -in cert.pem -inkey key.pem -passout pass: -out key.p12
        gpgsm --batch --quiet --pinentry-mode loopback --passphrase-fd 9 --import key.p12 9</dev/null
      }
      again gpgsm --batch --quiet --import ca.pem
      again import_key
      openssl x509 -in ca.pem -noout -fingerprint -sha1 | sed 's/.*=//; s/$/ S relax/' >trustlist.txt
      gpgconf --kill gpg-agent
      """#
    try output(of: "sh", ["-euc", script, "sh", directory.path, address])
  }

  /// Runs `openssl cms` with the certificate; the result is DER.
  package func cms(_ octets: [UInt8], _ arguments: [String]) throws -> [UInt8] {
    let input = try directory.write(octets, to: "input")
    let names = ["-signer", self["cert.pem"], "-inkey", self["key.pem"]]
    let isSigning = arguments.contains("-sign")
    let recipient = isSigning ? [] : [self["cert.pem"]]
    try output(
      of: "openssl",
      ["cms", "-binary", "-in", input, "-outform", "DER", "-out", self["output"]] + arguments
        + (isSigning ? names : []) + recipient
    )
    return Files.read(self["output"]) ?? []
  }
}
