package import MailModel
internal import Octets
package import Platform

/// The Maildirs of one account: which directory stands for which mailbox.
package struct FolderTree: Hashable, Sendable {
  /// The directory of the account.
  package let root: Path

  /// How the hierarchy shows on disk.
  package let layout: FolderLayout

  /// The folders below a root.
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
