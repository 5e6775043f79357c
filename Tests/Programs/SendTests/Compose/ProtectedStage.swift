import TestSupport
import Testing

/// A home with keys: `me` and `ada` certified, `eve` not certified, `two` with two keys that nothing certifies.
final class ProtectedStage {
  let compose: ComposeStage
  let keys: Keyring
  /// Where the text of an encrypted draft lies while it is edited.
  let memory: TempDirectory
  private(set) var fingerprints: [String: String] = [:]

  init(
    _ lines: String = "",
    keysOf names: [String] = ["me@x.test", "ada@x.org"],
    sink options: SMTPSink.Options = .init()
  ) throws {
    let section = lines.isEmpty ? "" : "[account.work.crypto]\n\(lines)"
    compose = try ComposeStage(section, sink: options)
    keys = try Keyring()
    memory = try TempDirectory("run", isInMemory: true)
    compose.variables = keys.variables
    compose.variables["XDG_RUNTIME_DIR"] = memory.path
    for name in names { fingerprints[name] = try keys.addKey("Name <\(name)>") }
  }

  /// Adds a key of an address that nothing certifies.
  func addStranger(_ address: String) throws -> String {
    let key = try keys.addKey("Name <\(address)>")
    let listing = try keys.output(of: "gpg", ["--batch", "--with-colons", "--list-keys", address])
    let lines = String(decoding: listing, as: UTF8.self).split(separator: "\n")
    for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("pub:") {
      if let key = next.split(separator: ":").last { try keys.distrust(String(key)) }
    }
    return key
  }

  /// The octets of a message decrypted, from the header of what is encrypted on.
  func decrypted(_ message: String) throws -> String {
    let file = try compose.magnum.home.write(message, to: "sent.eml")
    let outcome = try compose.run("show", "--decrypt", "true", file)
    return outcome.output
  }

  func show(_ message: String, _ options: String...) throws -> Outcome {
    let file = try compose.magnum.home.write(message, to: "shown.eml")
    return try compose.run(["show"] + options + [file])
  }
}
