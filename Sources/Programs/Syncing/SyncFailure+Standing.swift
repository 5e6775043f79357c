internal import MailStore
internal import Octets
internal import Platform

extension SyncFailure {
  /// The name of a problem that every run finds until it is dealt with; nil of any other.
  ///
  /// `mailbox` is the one that has it. Names have no numbers, since one message more is the same problem; each message that has a
  /// problem of its own is named.
  func standingName(_ mailbox: String?) -> String? {
    let name: String? =
      switch self {
      case .secretRefused, .secretRefusedBefore: "secret-refused"
      case .rootMissing: "root-missing"
      case .otherOrigin: "other-origin"
      case .layoutChanged: "layout-changed"
      case .labels: "labels"
      case .newerState: "newer-state"
      case .nothingToMirror: "nothing-to-sync"
      case .mailbox(let problem): problem.standingName
      case .message(let uid, let problem): "\(problem.standingName) \(uid)"
      case .file(let name, let problem):
        "\(problem.standingName) \(Printable.text(name, limit: 255))"
      default: nil
      }
    return name.map { name in mailbox.map { "\(name) \($0)" } ?? name }
  }
}

extension MessageProblem {
  fileprivate var standingName: String {
    switch self {
    case .notGiven: "not-given"
    case .containsNUL: "contains-nul"
    case .nameTaken: "name-taken"
    case .refused: "change-refused"
    case .ignored: "change-ignored"
    case .copyNotFound: "copy-not-found"
    case .otherMessage: "other-message"
    case .changedHere: "changed-here"
    case .breaksConnection: "breaks-fetch"
    case .cutShort: "cut-short"
    }
  }
}

extension FileProblem {
  fileprivate var standingName: String {
    switch self {
    case .containsNUL: "file-contains-nul"
    case .empty: "file-empty"
    case .unreadable: "file-unreadable"
    case .tooBig: "file-too-big"
    case .refused: "upload-refused"
    case .breaksConnection: "breaks-upload"
    case .notKept: "not-kept"
    case .partial: "file-partial"
    case .attachmentsLost: "attachments-lost"
    case .heldOnce: "held-once"
    case .notAFile: "not-a-file"
    case .unchangeable: "file-unchangeable"
    }
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
    case .folderLimit: "folder-limit"
    case .noTrash: "no-trash"
    case .otherTrash: "other-trash"
    }
  }
}
