internal import Octets
package import Platform

/// Writes passwords to files that only the user can read.
package enum PasswordFiles {
  /// Writes a password to a new file of mode 0600; durable on return.
  ///
  /// - Returns: whether the file was made; false where it holds this password already.
  /// - Throws: EEXIST where it holds another one, which is not replaced; the error of the call that failed.
  package static func write(_ password: [UInt8], to path: Path) throws(SystemError) -> Bool {
    let content = password + [ASCII.lineFeed]
    try FileSystem.makeDirectories(path.parent)
    var rules = TrustedFile.Rules(limit: content.count)
    rules.isSecret = true
    let temporary = Path(path.octets + Array(".new".utf8))
    do throws(SystemError) {
      try writeFile(temporary, content)
      try FileSystem.renameWithoutReplacing(temporary, to: path)
    } catch {
      try? FileSystem.remove(temporary)
      guard error.isAlreadyThere, let found = try? TrustedFile.read(path, rules),
        found.octets == content
      else { throw error }
      return false
    }
    try FileSystem.synchroniseDirectory(path.parent)
    return true
  }

  private static func writeFile(_ path: Path, _ octets: [UInt8]) throws(SystemError) {
    // What a write that was cut short has left.
    try? FileSystem.remove(path)
    let file = try Descriptor.open(path, .createExclusive())
    try file.write(all: octets)
    try file.synchronise()
    try file.close()
  }
}
