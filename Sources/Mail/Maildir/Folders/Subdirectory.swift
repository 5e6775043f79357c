internal import Octets
package import Platform

/// The three directories of a Maildir.
package enum Subdirectory: Hashable, Sendable, CaseIterable {
  /// Messages that no program has shown to the user yet.
  case new

  /// Messages that have been noticed; their names show flags.
  case cur

  /// Messages that are still being written; no other program looks here.
  case tmp

  /// The name of the directory.
  package var name: [UInt8] {
    switch self {
    case .new: Self.names.new
    case .cur: Self.names.cur
    case .tmp: Self.names.tmp
    }
  }

  /// The directory within a Maildir.
  package func path(in maildir: Path) -> Path {
    maildir.appending(name)
  }

  private static let names = (
    new: [UInt8](ascii: "new"), cur: [UInt8](ascii: "cur"), tmp: [UInt8](ascii: "tmp")
  )
}
