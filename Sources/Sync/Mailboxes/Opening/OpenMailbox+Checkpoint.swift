internal import MailModel
package import MailStore
internal import SyncPlan
internal import SyncState

// How far the server's side is known once a run is done.
extension OpenMailbox {
  /// What is asked behind own changes: what changed since it was read.
  ///
  /// Nil where the server numbers no changes, or did not show all messages.
  fileprivate var lateQuestion: LateQuestions.Question? {
    guard let validity = remote.validity, remote.modSequence != nil, remote.missing == 0
    else { return nil }
    let token = MailboxQuestion.Token(
      validity: validity,
      uidNext: remote.uidNext,
      modSequence: remote.modSequence
    )
    return LateQuestions.Question(MailboxQuestion(mailbox.name, since: token), about: reference)
  }

  /// The latest state of the mailbox of which everything is here.
  ///
  /// It is the state after the run's own changes where no other client changed anything, so that the next run is not told of
  /// them. Otherwise it is the state that was read.
  package var checkpoint: RemoteMailbox {
    guard let late, isOnRecord(late) else { return remote }
    return late
  }

  /// Everything below this UID was looked at once all is done: UIDNEXT of the checkpoint, or what was listed where the server
  /// tells no UIDNEXT.
  package var lookedUpTo: UInt32? {
    if let next = checkpoint.uidNext { return next }
    let listed = remote.view.listed.uids.last.map { $0 == .max ? $0 : $0 + 1 }
    return [state.header.uidNext, listed].compactMap { $0 }.max()
  }

  /// Whether messages may have come since the last complete run: where the server tells no UIDNEXT, they may have.
  var mayHaveArrivals: Bool {
    guard let now = remote.uidNext, let before = state.header.uidNext else { return true }
    return now > before
  }

  /// Whether all that changed since it was read is on record by now.
  private func isOnRecord(_ late: RemoteMailbox) -> Bool {
    guard late.identity.sharesUIDs(with: remote.identity),
      let latest = late.modSequence, latest >= remote.modSequence ?? 0,
      late.uidNext ?? 0 >= remote.uidNext ?? 0,
      case .changes(let listed, let vanished) = late.view
    else { return false }
    let (messages, before) = (state.messages, remote.view.listed)
    return messages.uids(in: vanished).isEmpty
      && listed.allSatisfy { message in
        // What is not on record was left alone when it was read, and is as it was then.
        let known = messages[message.uid]?.flags ?? before[uid: message.uid]?.flags
        return known == message.flags
      }
  }
}

extension LateQuestions {
  /// Of more changes the next run is told as well: the answer would be long, and is waited for.
  private static let limit = 100

  /// Asks what changed in these mailboxes since they were read, behind so many changes; nothing behind too many.
  package init(about mailboxes: [OpenMailbox], behind count: Int) {
    self.init(count > Self.limit ? [] : mailboxes.compactMap(\.lateQuestion))
  }

  /// Records the answers in their mailboxes.
  package func recordAnswers(in mailboxes: [OpenMailbox]) {
    for mailbox in mailboxes {
      if let answer = answers[mailbox.mailbox.name] { mailbox.noteLate(answer) }
    }
  }
}

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
