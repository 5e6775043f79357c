internal import Octets

/// The place where a folder stands while others change places with it, relative to the root.
package enum FolderHalt {
  private static let prefix = Array(".magnum-moving-".utf8)

  /// The place for the folder of a mailbox.
  package static func directory(for mailbox: UInt64) -> [UInt8] {
    prefix + Hex.digits(mailbox)
  }

  /// Whether a directory is such a place.
  package static func isOne(_ directory: [UInt8]) -> Bool {
    directory.starts(with: prefix)
  }
}
