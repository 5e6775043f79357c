internal import Platform

/// What directories have to be like before anything in them is used.
struct DirectoryCheck {
  /// The user whose spool it is.
  let user: UInt32

  /// Checks a directory of the spool: only its user can write to it.
  func checkOwn(_ directory: Path) throws(SpoolError) {
    let status = try status(directory)
    guard status.owner == user else { throw .foreignOwner(directory, user: status.owner) }
    guard status.mode & 0o022 == 0 else { throw .openToOthers(directory, mode: status.mode) }
  }

  /// Checks the directory that the spool's root lies in: only its user and root can put something else in its place.
  ///
  /// In `/var/spool/magnum` all users may make directories, and none can take away another's.
  func checkParent(_ directory: Path) throws(SpoolError) {
    let status = try status(directory)
    guard status.owner == user || status.owner == 0 else {
      throw .foreignOwner(directory, user: status.owner)
    }
    guard !status.isOpenToOthers else { throw .openToOthers(directory, mode: status.mode) }
  }

  /// Checks the user's state home, which may have any mode but one that lets all users write into it.
  func checkHome(_ directory: Path) throws(SpoolError) {
    let status = try Spool.system { () throws(SystemError) in try FileSystem.status(directory) }
    guard let status, status.isOpenToOthers, status.mode & 0o002 != 0 else { return }
    throw .openToOthers(directory, mode: status.mode)
  }

  /// A link is none of the spool's directories, wherever it leads.
  private func status(_ directory: Path) throws(SpoolError) -> FileStatus {
    let status = try Spool.system { () throws(SystemError) in
      try FileSystem.status(directory, followingLinks: false)
    }
    guard let status, status.kind == .directory else { throw .notADirectory(directory) }
    return status
  }
}
