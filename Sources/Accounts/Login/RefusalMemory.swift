package import Configuration
internal import Octets
package import Platform

/// Remembers in the state home that the server refused an account's secret, so that unattended runs
/// do not offer it again and again until the server locks the account.
package struct RefusalMemory: Sendable {
  private let file: Path
  private let digest: [UInt8]
  private let lifetime: Int64

  /// The memory of an account, in its directory of the state home.
  package init(_ account: Account, directory: Path) {
    file = directory.appending(Self.fileName)
    digest = account.digest
    lifetime = OfferedSecret(account).refusalLifetime
  }

  /// When the secret was refused (seconds since 1970); nil when it may be offered.
  package func refusal(now: Int64) throws(SystemError) -> Int64? {
    guard let octets = try FileSystem.readFile(file, limit: 1 << 16) else { return nil }
    var cursor = Cursor(octets)
    guard let time = cursor.decimal(), let time = Int64(exactly: time), cursor.skip(ASCII.space),
      cursor.take(while: { $0 != ASCII.lineFeed }).elementsEqual(digest),
      time <= now, now - time < lifetime
    else { return nil }
    return time
  }

  /// Remembers a refusal; durable when it returns.
  package func remember(now: Int64) throws(SystemError) {
    try FileSystem.makeDirectories(file.parent)
    let line = [UInt8](decimal: now) + [ASCII.space] + digest + [ASCII.lineFeed]
    try AtomicFile.replace(file, with: line)
  }

  /// Forgets it, after the server took the secret.
  package func forget() throws(SystemError) {
    try Self.forget(file)
  }

  /// Forgets what was refused of an account, whatever it was, after its servers took a new login.
  ///
  /// - Parameter directory: that of the account in the state home.
  /// - Throws: the error of looking for the file or of removing it.
  package static func forgetAll(in directory: Path) throws(SystemError) {
    try forget(directory.appending(fileName))
  }

  /// The name of the file in the account's directory, which is there while a refusal is remembered.
  package static let fileName = [UInt8](ascii: "refused")

  private static func forget(_ file: Path) throws(SystemError) {
    if try FileSystem.status(file) != nil { try FileSystem.remove(file) }
  }
}
