internal import Configuration
internal import Octets
internal import Platform

/// The files in which offlineimap keeps what it knows of an account, below `.offlineimap` beside the mail.
struct OfflineIMAPMetadata {
  let root: Path
  /// The names of the repositories.
  let near: String
  let far: String
  private let account: String

  init(_ account: Account) {
    root = account.maildir.appending(".offlineimap")
    self.account = account.name
    near = "\(account.name)-near"
    far = "\(account.name)-far"
  }

  private var lists: Path { root.appending("Account-\(account)").appending("LocalStatus-sqlite") }

  private func validities(_ repository: String) -> Path {
    root.appending("Repository-\(repository)").appending("FolderValidity")
  }

  /// Makes the directories.
  func prepare() throws(SystemError) {
    for directory in [lists, validities(near), validities(far)] {
      try FileSystem.makeDirectories(directory)
    }
  }

  /// Removes the list of a mailbox.
  func forget(_ box: OfflineIMAPBox) throws(SystemError) {
    let file = lists.appending(box.statusFile)
    if try FileSystem.status(file) != nil { try FileSystem.remove(file) }
  }

  /// Writes the list of a mailbox and what its UIDs stand under; durable on return.
  func write(
    _ list: StatusDatabase,
    _ box: OfflineIMAPBox,
    validity: UInt32
  ) throws(SystemError) {
    let server = validities(far).appending(box.serverFile)
    try AtomicFile.replace(server, with: Array("\(validity)\n".utf8))
    // Folders have the same there whatever happens.
    let folder = validities(near).appending(box.folderFile)
    try AtomicFile.replace(folder, with: Array("42\n".utf8))
    try AtomicFile.replace(lists.appending(box.statusFile), with: list.octets)
  }
}
