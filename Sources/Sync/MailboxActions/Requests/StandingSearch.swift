internal import MailModel
internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

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
