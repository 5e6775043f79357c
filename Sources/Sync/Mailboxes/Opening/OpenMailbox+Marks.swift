internal import MailModel
internal import MailStore
internal import SyncPlan

extension OpenMailbox {
  /// These messages are marked as deleted on the server again, after a moment without the mark: that they were not when they were listed says
  /// nothing.
  package func showMarks(of uids: [UInt32]) {
    var remote = remote
    var listed = remote.view.listed
    for uid in uids {
      guard var message = listed[uid: uid] else { continue }
      message.flags.system.insert(.deleted)
      listed.set(message)
    }
    switch remote.view {
    case .complete: remote.view = .complete(listed)
    case .changes(_, let vanished): remote.view = .changes(listed, vanished: vanished)
    }
    adoptListing(remote)
  }
}
