internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds out which files followed their messages into a mailbox before the run that had them do so was ended.
///
/// Files that did are recorded as that run would have done. So a file whose message went back since, or that was moved on,
/// differs from a file that was moved here.
struct FollowResolver {
  private let context: AccountContext
  private let mailbox: OpenMailbox
  private let group: [OpenMailbox]

  init(_ context: AccountContext, _ mailbox: OpenMailbox, _ group: [OpenMailbox]) {
    self.context = context
    self.mailbox = mailbox
    self.group = group
  }

  /// Resolves all of them; each is on record when it returns.
  func resolveFollows() throws(SyncFailure) {
    var records: [StateRecord] = []
    for (number, intent) in mailbox.state.intents.sorted(by: { $0.key < $1.key }) {
      guard case .follow(var following) = intent else { continue }
      let source = open(following.source)
      if let origin = open(following.origin.source) {
        following.origin = origin.current(following.origin)
      }
      if SyncRule.followed.isOn, try hasFollowed(following, source) {
        records += mailbox.arrival(of: following, number)
        // Another program may have moved the file there before the run did, with the flags that it had.
        if !following.flags.isEmpty {
          let flags = FlagsUnderWay(shown: following.flags)
          records.append(.flagsUnderWay(uid: following.message.uid, flags))
        }
        let wasDraft = source?.mailbox.role == .drafts
        records += try mailbox.version(of: following.message, wasDraft: wasDraft)
      } else {
        records.append(.resolved(number: number))
      }
    }
    try mailbox.record(records)
  }

  /// Whether the file is here and nowhere else, or was moved on from here.
  private func hasFollowed(
    _ following: Intent.Following,
    _ source: OpenMailbox?
  ) throws(SyncFailure) -> Bool {
    let name = following.message.name
    let staysInPlace = following.source == mailbox.mailbox.id && following.file == name
    if !staysInPlace, try isLeft(following.file, following.source, source) { return false }
    if mailbox.file(of: name) != nil { return true }
    return source != nil && group.contains { $0 !== source && $0.additions.contains(name) }
  }

  /// Whether the file is still where it was: a power cut may leave both names of it.
  private func isLeft(
    _ name: [UInt8],
    _ id: UInt64,
    _ source: OpenMailbox?
  ) throws(SyncFailure) -> Bool {
    if let source { return source.file(of: name) != nil }
    guard let directory = try context.recorded(id)?.header.directory else { return false }
    let maildir = context.tree.path(of: directory)
    return try attempt(MaildirScan.scanIfPresent(maildir)?.files[name] != nil)
  }

  private func open(_ id: UInt64) -> OpenMailbox? { group.first { $0.mailbox.id == id } }
}

extension OpenMailbox {
  /// What says that a file is here which followed its message.
  func arrival(of following: Intent.Following, _ number: UInt64) -> [StateRecord] {
    let (message, origin) = (following.message, following.origin)
    return namesakes(of: message, leaving: origin)
      + [.arrived(message, number: number, from: origin)]
  }

  /// What says that another message is gone whose file had the name of one that comes here: a file is one message's, even
  /// where the run ends before it says so.
  ///
  /// What the arrival leaves goes with it: in a record of its own, an ended run might have written that alone, and the file would
  /// look like one that was put back.
  func namesakes(
    of message: BaseRecord,
    leaving origin: Intent.Origin? = nil
  ) -> [StateRecord] {
    guard SyncRule.departures.isOn, let uid = state.uid(of: message.name), uid != message.uid,
      state.origin(of: uid) != origin, RemoteIndex(remote.view).isGone(uid)
    else { return [] }
    return [.gone(uid: uid)]
  }
}

extension Relocation {
  /// The message that the file is of before: one on record, or one that a run fetched which was killed, as the name tells.
  func origin(in group: [UInt64: OpenMailbox]) -> Intent.Origin? {
    if let former { return group[former.mailbox]?.state.origin(of: former.uid) }
    guard let key = MessageKey(baseName: name), let mailbox = group[key.mailbox],
      !mailbox.isRematched, !mailbox.hasFailed, mailbox.state.isUnseen(key),
      RemoteIndex(mailbox.remote.view).isGone(key.uid)
    else { return nil }
    return mailbox.state.origin(of: key.uid)
  }
}
