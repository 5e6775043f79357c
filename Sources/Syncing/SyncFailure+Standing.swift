internal import MailStore
internal import Platform

extension SyncFailure {
  /// The name of a problem that every run finds until it is dealt with; nil of any other.
  ///
  /// `mailbox` is the one that has it. Names have no numbers: one message more is the same problem.
  func standingName(_ mailbox: String?) -> String? {
    let name: String? =
      switch self {
      case .secretRefused, .secretRefusedBefore: "secret-refused"
      case .rootMissing: "root-missing"
      case .otherOrigin: "other-origin"
      case .layoutChanged: "layout-changed"
      case .newerState: "newer-state"
      case .mailbox(let problem): problem.standingName
      default: nil
      }
    return name.map { name in mailbox.map { "\(name) \($0)" } ?? name }
  }
}

extension MailboxProblem {
  fileprivate var standingName: String? {
    switch self {
    // The next run, or the one after it, goes on.
    case .identityChanged, .listIncomplete: nil
    // From then on it is so.
    case .renamedThere: nil
    // Reported only when their number changed.
    case .blocked: nil
    case .noValidity: "no-uidvalidity"
    case .directoryMissing: "folder-missing"
    case .directoryTaken: "folder-taken"
    case .unusableName, .unusableNameThere: "unusable-name"
    case .renameRefused: "rename-refused"
    case .unknownFolder: "unknown-folder"
    case .goneFromServer: "mailbox-gone"
    case .folderElsewhere: "folder-renamed"
    case .folderRefused(let path, _): "folder-refused \(path.display)"
    case .massDeletion: "mass-deletion"
    case .noRoom: "no-room"
    case .noTrash: "no-trash"
    case .otherTrash: "other-trash"
    }
  }
}
