internal import IMAP
internal import MailModel
internal import Maildir
internal import SyncPlan

/// Where the file of a message stands, as far as a request for that message is concerned.
enum FileStanding: Hashable {
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

  /// What the file says of the request: name and place of a file are the truth; nil where the server is to be asked.
  func verdict(on change: MessageRequest.Change) -> RequestOutcome? {
    switch (self, change) {
    case (.never, _): nil
    // The file was removed since, and that is what the sync tells the server.
    case (.gone, .flags): .superseded
    case (.gone, .move), (.gone, .trash), (.gone, .expunge): nil
    case (.atTarget, _): .leftToSync
    case (.inPlace(let flags), .flags(let added, let removed)),
      (.elsewhere(let flags), .flags(let added, let removed)):
      Self.verdict(flags, added, removed)
    case (.inPlace, _), (.elsewhere, _): .superseded
    }
  }

  /// A keyword that no file name can hold is the server's business.
  private static func verdict(
    _ shown: SystemFlags,
    _ added: [[UInt8]],
    _ removed: [[UInt8]]
  ) -> RequestOutcome? {
    guard shown.isSuperset(of: SystemFlags(imapNames: added)),
      shown.isDisjoint(with: SystemFlags(imapNames: removed))
    else { return .superseded }
    let isShowable = (added + removed).allSatisfy { !SystemFlags(imapNames: [$0]).isEmpty }
    return isShowable ? .leftToSync : nil
  }
}
