internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Platform
internal import SyncPlan
internal import SyncState

// What drafts look like.
extension GroupSync {
  /// The records of what the files of drafts look like, so that one written anew in its place is noticed.
  func versions(of mailbox: OpenMailbox) throws(SyncFailure) -> [StateRecord] {
    let state = mailbox.state
    var records: [StateRecord] = []
    for message in mailbox.possibleDrafts {
      if let version = state.versions[message.uid] {
        records += try copiedVersion(of: message, in: mailbox, since: version)
      } else {
        records += try mailbox.version(of: message)
      }
    }
    return records
  }

  /// The record of what a draft looks like since it was copied; none where it was not.
  private func copiedVersion(
    of message: BaseRecord,
    in mailbox: OpenMailbox,
    since version: FileVersion
  ) throws(SyncFailure) -> [StateRecord] {
    guard let file = mailbox.file(of: message.name) else { return [] }
    let change = try attempt(
      LocalMailbox.change(
        of: file,
        of: message,
        since: version,
        in: mailbox.directory,
        mailbox.mailbox.role == .drafts
      )
    )
    if case .copied(let now) = change { return [.version(uid: message.uid, now)] }
    return []
  }
}
