internal import MailModel
internal import Octets
internal import Platform

/// Where a Maildir lies: by its name, and on the disk as far as it is there.
struct MaildirPlace {
  /// The parts of the path, without empty ones and `.`.
  private let parts: [ArraySlice<UInt8>]

  /// The directories from the Maildir up to the root that exist, in that order.
  private let directories: [FileIdentity]

  /// Whether the Maildir itself exists.
  private let exists: Bool

  init(_ path: Path) {
    parts = path.octets.split(separator: ASCII.slash).filter { $0 != [ASCII.dot] }
    var identities: [FileIdentity?] = []
    for length in stride(from: parts.count, through: 0, by: -1) {
      identities.append(Self.identity(of: parts[..<length]))
    }
    exists = identities.first.flatMap { $0 } != nil
    directories = identities.compactMap { $0 }
  }

  /// What is wrong with this Maildir beside the other, that of account `name`; `nil`: nothing.
  ///
  /// Links are seen through: the same directory under another name is the same Maildir.
  func conflict(with other: MaildirPlace, of name: String) -> ConfigurationProblem? {
    if parts == other.parts { return .sharedMaildir(account: name) }
    if exists, other.exists, directories.first == other.directories.first {
      return .sharedMaildir(account: name)
    }
    if parts.starts(with: other.parts) { return .nestedMaildir(account: name) }
    guard other.exists, let root = other.directories.first, directories.contains(root) else {
      return nil
    }
    return .nestedMaildir(account: name)
  }

  private static func identity(of parts: ArraySlice<ArraySlice<UInt8>>) -> FileIdentity? {
    let path = Path([ASCII.slash] + Array(parts.joined(separator: [ASCII.slash])))
    guard let status = try? FileSystem.status(path), status.kind == .directory else { return nil }
    return FileIdentity(device: status.fingerprint.device, inode: status.fingerprint.inode)
  }
}
