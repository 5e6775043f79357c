internal import Maildir
internal import MailModel
internal import MailStore
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

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

extension MessageRequest.Change {
  /// What is asked, as far as the message's file can tell.
  var standingChange: FileStanding.Change {
    switch self {
    case .flags(let added, let removed):
      .flags(
        adding: SystemFlags(imapNames: added),
        removing: SystemFlags(imapNames: removed),
        isShowable: (added + removed).allSatisfy { !SystemFlags(imapNames: [$0]).isEmpty }
      )
    case .move, .trash, .expunge: .place
    }
  }
}

/// Finds out where the files of messages stand that requests are about.
struct StandingSearch {
  private let account: AccountConnection
  private let files: FileFinder

  init(_ account: AccountConnection) {
    self.account = account
    files = FileFinder(account.trees)
  }

  /// Where the file of the message is; `source` is its mailbox on the server, nil for one that is not there.
  ///
  /// - Returns: nil where that cannot be told now, since folders change.
  func standing(
    of request: MessageRequest,
    _ source: ServerMailbox?
  ) throws(SyncFailure) -> FileStanding? {
    guard let base = request.message.baseName else { return .never }
    let found = try attempt(files.places(of: base))
    guard let found else { return nil }
    guard let flags = found.values.first else { return .gone }
    let summary = try attempt(account.places.store.loadSummary())
    if let flags = directory(source, summary).flatMap({ found[$0] }) { return .inPlace(flags) }
    if let target = directory(target(request.change), summary), found[target] != nil {
      return .atTarget
    }
    return .elsewhere(flags)
  }

  private func target(_ change: MessageRequest.Change) -> ServerMailbox? {
    switch change {
    case .flags, .expunge: nil
    case .trash: account.mailbox(for: .trash)
    case .move(let name): account.mailbox(named: name)
    }
  }

  /// The folder of a mailbox that is mirrored.
  private func directory(_ mailbox: ServerMailbox?, _ summary: Summary?) -> Path? {
    guard let mailbox, let known = summary?.entries[mailbox.name.wire] else { return nil }
    return account.places.tree.path(of: known.header.directory)
  }
}
