internal import IMAP
internal import Octets
internal import SyncPlan

/// The mailbox that removed messages go to: by role, else made.
struct TrashMailbox {
  /// What the server had in it before.
  struct Place {
    var validity: UInt32
    var uidNext: UInt32
  }

  private let context: AccountContext
  private let session: MailboxSession

  init(_ context: AccountContext, _ session: MailboxSession) {
    self.context = context
    self.session = session
  }

  /// Its name; nil where there is none and the server does not make one.
  func name() throws(SyncFailure) -> MailboxName? {
    if let known = context.facts.trash { return known }
    for name in context.facts.trashCandidates {
      let canMark = session.connection.capabilities.contains("CREATE-SPECIAL-USE")
      let use = canMark ? [UInt8](ascii: "\\Trash") : nil
      let response = try session.connection.perform(.create(name, specialUse: use))
      // Somebody else may have been faster.
      guard response.kind == .ok || response.code == .alreadyExists else { continue }
      _ = try session.connection.perform(.subscribe(name))
      context.report(.step("made the mailbox \(name) for removed messages"))
      context.facts.found(trash: name)
      return name
    }
    return nil
  }

  /// What is in it now; nil where the server does not tell.
  func status() throws(SyncFailure) -> Place? {
    guard let name = try name() else { return nil }
    var place: Place?
    let response = try session.connection.perform(.status(name, [.uidNext, .uidValidity])) {
      event in
      guard case .mailboxStatus(let status) = event, status.name == name,
        let validity = status.uidValidity, let uidNext = status.uidNext
      else { return }
      place = Place(validity: validity, uidNext: uidNext)
    }
    return response.kind == .ok ? place : nil
  }
}
