package import Configuration
package import Maildir
package import Platform

/// Where the mail and the state of an account lie.
package struct AccountPlaces: Sendable {
  /// The folders with its mail.
  package let tree: FolderTree
  /// What is recorded of its mailboxes.
  package let store: StateStore

  /// The places of an account, as it is configured; nothing is looked at.
  package init(of account: Account) {
    tree = FolderTree(root: account.maildir, layout: account.layout)
    store = StateStore(root: account.maildir, layout: account.layout)
  }

  /// The directory for what is remembered of an account apart from its mail.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - stateHome: where Magnum remembers things, such as `~/.local/state`.
  /// - Returns: its path, whether it is there or not.
  package static func memory(of account: Account, in stateHome: Path) -> Path {
    memory(named: account.name, in: stateHome)
  }

  /// The same, of the account of that name.
  package static func memory(named name: String, in stateHome: Path) -> Path {
    AccountMemory.path(of: name, in: stateHome)
  }
}

/// Remembers when a sync of an account last ended well: the time of an empty file in the state home.
package struct LastSync {
  package let file: Path

  /// The memory of an account; `memory` is its directory in the state home.
  package init(_ memory: Path) {
    file = memory.appending("synced")
  }

  /// Remembers this moment; not durable, since nothing depends on it.
  package func recordSync() throws(SystemError) {
    if try FileSystem.status(file) == nil {
      try FileSystem.makeDirectories(file.parent)
      _ = try Descriptor.open(file, .append)
    }
    try FileSystem.setTimes(file, Clock.now())
  }
}
