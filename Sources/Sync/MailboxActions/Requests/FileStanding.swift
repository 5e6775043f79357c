internal import MailModel

/// Where the file of a message stands, as far as a request for that message is concerned.
enum FileStanding: Hashable, Sendable {
  /// There is none, and was none when the request was made.
  case never
  /// There was one, and it is in no folder.
  case gone
  /// It lies in the folder of its mailbox.
  case inPlace(SystemFlags)
  /// It lies in the folder where the request wants it.
  case atTarget
  /// It lies in another folder.
  case elsewhere(SystemFlags)

  /// What is asked of a message.
  enum Change: Hashable, Sendable {
    /// Flags; `isShowable` is whether a file name can show all of them.
    case flags(adding: SystemFlags, removing: SystemFlags, isShowable: Bool)
    /// Another mailbox, Trash, or none at all.
    case place
  }

  /// What the file says of a request.
  enum Verdict: Hashable, Sendable {
    /// The file shows it: the sync tells the server.
    case leftToSync
    /// The file shows something else, and the file counts.
    case superseded
  }

  /// What the file says of the request: name and place of a file are the truth; nil where the server is to be asked.
  func verdict(on change: Change) -> Verdict? {
    switch (self, change) {
    case (.never, _): nil
    // The file was removed since, and that is what the sync tells the server.
    case (.gone, .flags): .superseded
    case (.gone, .place): nil
    case (.atTarget, _): .leftToSync
    case (.inPlace(let shown), .flags(let added, let removed, let isShowable)),
      (.elsewhere(let shown), .flags(let added, let removed, let isShowable)):
      Self.verdict(shown.isSuperset(of: added) && shown.isDisjoint(with: removed), isShowable)
    case (.inPlace, .place), (.elsewhere, .place): .superseded
    }
  }

  /// A keyword that no file name can hold is the server's business.
  private static func verdict(_ isShown: Bool, _ isShowable: Bool) -> Verdict? {
    guard isShown else { return .superseded }
    return isShowable ? .leftToSync : nil
  }
}
