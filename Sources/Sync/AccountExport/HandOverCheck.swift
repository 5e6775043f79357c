internal import Maildir
internal import Platform
internal import SyncPlan
internal import SyncState

/// Looks whether the folders are such that another program would do no harm with what it is to know of them.
struct HandOverCheck {
  private let places: AccountPlaces
  /// Messages without a file, and all, in the account.
  private var losses = Losses()

  init(_ places: AccountPlaces) { self.places = places }

  /// Looks at the folders of mailboxes; one that is not there is made anew by the other program.
  ///
  /// - Throws: where a file could be taken for another one, or a sync would ask before it removes what is to be removed.
  mutating func checkFolders(_ states: [MailboxState]) throws(ExportFailure) {
    for state in states {
      let maildir = places.tree.path(of: state.header.directory)
      let scan = try HandOver.calling { () throws(SystemError) in
        try MaildirScan.scanIfPresent(maildir)
      }
      guard let scan else { continue }
      try check(state, Self.names(scan, in: maildir))
    }
    let accident = DeletionGuard(
      recentInMailbox: 0,
      recentInAccount: 0,
      messagesInAccount: losses.possible,
      isOverridden: false
    )
    if accident.holdsInAccount(losses.lost) { throw .losses(mailbox: []) }
  }

  private mutating func check(
    _ state: MailboxState,
    _ names: Set<[UInt8]>
  ) throws(ExportFailure) {
    let messages = state.sortedMessages
    let lost = messages.count { !names.contains(ForeignMarks.removed(from: $0.name)) }
    let here = Losses(lost: lost, possible: messages.count)
    let accident = DeletionGuard(
      recentInMailbox: 0,
      recentInAccount: 0,
      messagesInAccount: 0,
      isOverridden: false
    )
    guard state.blockedDeletions == .none, !accident.trips(deletions: lost, after: here) else {
      throw .losses(mailbox: state.header.mailbox)
    }
    losses.lost += here.lost
    losses.possible += here.possible
  }

  /// The names of the files without what other programs wrote into them, each once.
  private static func names(
    _ scan: MaildirScan,
    in maildir: Path
  ) throws(ExportFailure) -> Set<[UInt8]> {
    for case .duplicate(_, let other) in scan.oddities {
      throw .sameName(other.path(in: maildir))
    }
    var names: Set<[UInt8]> = []
    for file in scan.files {
      let name = ForeignMarks.removed(from: file.name.base)
      guard names.insert(name).inserted else { throw .sameName(file.path(in: maildir)) }
    }
    return names
  }
}
