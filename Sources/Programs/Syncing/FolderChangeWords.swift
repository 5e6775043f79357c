internal import Folders

/// What happened to a mailbox or its folder as a whole, in words.
enum FolderChangeWords {
  /// Such as `made on the server`; `make the mailbox on the server` where it is not done yet.
  static func text(_ change: FolderChange, isDone: Bool) -> String {
    switch change {
    case .made(let side): "\(isDone ? "made" : "make") \(place(side))"
    case .renamed(let side, let old):
      "\(isDone ? "renamed" : "rename") \(place(side)), was \(old)"
    case .removed(let side): "\(isDone ? "removed" : "remove") \(place(side))"
    case .detached: "\(isDone ? "detached" : "detach"): the mailbox no longer exists on the server"
    }
  }

  private static func place(_ side: FolderChange.Side) -> String {
    switch side {
    case .server: "on the server"
    case .local: "here"
    }
  }
}
