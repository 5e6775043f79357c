package import Configuration
internal import Octets
package import Platform
internal import SyncState

/// What the last deep verification of an account came to: the file `verified` in its directory of the state home.
///
/// A line `magnum-verified 1`, then one with the time in seconds since 1970, how many messages were equal, and how many
/// differences there were.
package struct VerificationMemory: Hashable, Sendable {
  /// When it ended, in seconds since 1970.
  package let date: Int64
  /// Messages whose octets were the same on both sides.
  package let equal: Int
  /// Differences of all kinds.
  package let differences: Int

  init(date: Int64, equal: Int, differences: Int) {
    self.date = date
    self.equal = equal
    self.differences = differences
  }

  private static let title = "magnum-verified 1"

  private static func file(_ memory: Path) -> Path { memory.appending("verified") }

  /// That of an account; nil where there was none, or the file says something else.
  package init?(of account: Account, in stateHome: Path) {
    let file = Self.file(AccountPlaces.memory(of: account, in: stateHome))
    guard let octets = (try? FileSystem.readFile(file, limit: 1 << 12)) ?? nil else { return nil }
    let lines = String(decoding: octets, as: UTF8.self).split(separator: "\n")
    guard lines.count == 2, lines[0] == Self.title else { return nil }
    let numbers = lines[1].split(separator: " ").compactMap { Int64($0) }
    guard numbers.count == 3, let equal = Int(exactly: numbers[1]),
      let differences = Int(exactly: numbers[2])
    else { return nil }
    self.init(date: numbers[0], equal: equal, differences: differences)
  }

  /// Replaces the file; durable when it returns.
  func save(_ memory: Path) throws(SystemError) {
    try FileSystem.makeDirectories(memory)
    let text = "\(Self.title)\n\(date) \(equal) \(differences)\n"
    try AtomicFile.replace(Self.file(memory), with: Array(text.utf8))
  }
}
