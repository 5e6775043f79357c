package import MailModel
internal import Octets
package import Platform

/// The Maildirs of one account: which directory stands for which mailbox.
package struct FolderTree: Hashable, Sendable {
  /// The directory of the account.
  package let root: Path

  /// How the hierarchy shows on disk.
  package let layout: FolderLayout

  package init(root: Path, layout: FolderLayout) {
    self.root = root
    self.layout = layout
  }

  /// Which of its directories stands for which mailbox.
  package var naming: FolderNaming {
    FolderNaming(layout: layout, rootLength: root.octets.count)
  }

  /// The path of a directory given relative to the root.
  package func path(of relative: [UInt8]) -> Path {
    root.appending(relative)
  }
}

extension FolderTree {
  /// Makes the Maildir of a mailbox, and the directories above it; durable on return.
  ///
  /// What is there already stays. The last thing made is cur: a directory with cur and new is complete. Below a
  /// Maildir++ root the file `maildirfolder` marks the folder as one.
  ///
  /// - Parameter relative: the path of the directory, relative to the root.
  /// - Throws: the error of mkdir(2), open(2) or fsync(2).
  package func create(_ relative: [UInt8]) throws(SystemError) {
    try beginCreating(relative).flush()
    try endCreating(relative).flush()
  }

  /// Makes all of the Maildir except cur; what was changed is to be durable before it ends.
  ///
  /// - Throws: the error of mkdir(2) or open(2).
  package func beginCreating(_ relative: [UInt8]) throws(SystemError) -> Unflushed {
    let maildir = path(of: relative)
    var changes = Unflushed(directory: maildir)
    try FileSystem.makeDirectories(maildir, &changes)
    for subdirectory in [Subdirectory.tmp, .new] {
      try makeDirectory(subdirectory.path(in: maildir))
    }
    if layout == .maildirPlusPlus, !relative.isEmpty {
      try Descriptor.open(maildir.appending("maildirfolder"), .append).close()
    }
    return changes
  }

  /// Makes cur.
  ///
  /// - Throws: the error of mkdir(2).
  package func endCreating(_ relative: [UInt8]) throws(SystemError) -> Unflushed {
    let maildir = path(of: relative)
    try makeDirectory(Subdirectory.cur.path(in: maildir))
    return Unflushed(directory: maildir)
  }

  private func makeDirectory(_ path: Path) throws(SystemError) {
    do {
      try FileSystem.makeDirectory(path)
    } catch {
      guard error.isAlreadyThere else { throw error }
    }
  }
}

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
