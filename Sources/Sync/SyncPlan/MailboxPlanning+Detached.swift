internal import MailModel

/// Files that were synced once and are detached.
extension MailboxPlanning {
  /// Has those follow their messages that the server has again, and notes those that only their names tell of.
  mutating func planDetached() {
    for file in difference.detached {
      let place = Place(mailbox: snapshot.mailbox, file: file)
      guard matches.moves.isFree(place), !matches.serverMoves.followed.contains(place) else {
        continue
      }
      if let message = returned(file) {
        match(file, to: message)
      } else if !snapshot.detached.contains(file.name) {
        add(MailboxFact.detach(name: file.name, uid: nil), .unknownOnServer)
      }
    }
  }

  /// The message that a detached file is of, as its name says, if the server has it again under its UID.
  private func returned(_ file: LocalFile) -> RemoteMessage? {
    guard policy.pulls, let uid = file.ownUID, !knownUIDs.contains(uid),
      matches.serverMoves.departures[reference(uid)] == nil
    else { return nil }
    return remote.message(uid)
  }
}
