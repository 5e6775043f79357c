internal import MailModel
internal import MailStore
internal import MessageContent
internal import Octets
internal import SyncPlan
internal import SyncState
internal import Transport

/// Puts messages into mailboxes of an account's server one by one, none of them twice.
///
/// Of a message that was begun and not answered for, the caller's note says what to look for: the same
/// rule as for the uploads of a sync. The account's lock is held from the first look to the last answer, so that no sync
/// uploads the same message meanwhile. Used by one thread at a time.
package final class MailboxWriter {
  private let account: AccountConnection
  private let keepsOwnCopy: Bool

  /// A writer; nothing is connected before the first message.
  ///
  /// `keepsOwnCopy` says whether what was sent is copied even where the server does that by itself.
  package init(_ account: AccountConnection, keepsOwnCopy: Bool) {
    self.account = account
    self.keepsOwnCopy = keepsOwnCopy
  }

  /// Puts a message into its mailbox, unless it is there.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - begun: the note of an attempt that did not end; nil when there was none.
  ///   - note: makes a note durable, before anything is sent.
  /// - Returns: what became of it.
  /// - Throws: what `note` throws.
  package func put<E>(
    _ message: MailboxAddition,
    begun: [UInt8]?,
    note: ([UInt8]) throws(E) -> Void
  ) throws(E) -> AppendOutcome {
    try account.once(
      looking: { () throws(SyncFailure) in try find(message, begun) },
      noting: { place throws(E) in try note(place.note.octets) },
      doing: { place throws(SyncFailure) in try append(message, to: place) },
      failing: fail
    )
  }

  private func fail(_ failure: SyncFailure) -> AppendOutcome {
    account.drop() ? .broken(failure) : .failed(failure)
  }
}

// Looking.
extension MailboxWriter {
  private struct Place {
    let mailbox: MailboxName
    let note: AppendNote
    let reference: MailboxReference

    /// A place in a mailbox that is open for reading.
    init(mailbox: MailboxName, _ opened: RemoteMailbox) {
      self.mailbox = mailbox
      note = AppendNote(
        mailbox: mailbox.wire,
        validity: opened.validity,
        uidNext: opened.uidNext
      )
      reference = MailboxReference(mailbox, opened.identity)
    }
  }

  private typealias Finding = AccountConnection.Finding<Place, AppendOutcome>

  private func find(_ message: MailboxAddition, _ begun: [UInt8]?) throws(SyncFailure) -> Finding {
    let store = try account.connected()
    if message.target == .sent, !keepsOwnCopy, store.traits.keepsSent {
      return .settled(.keptByServer)
    }
    let partial = PartialFiles(account.trees)
    if let problem = try message.objection(limit: store.traits.sizeLimit, partial) {
      return .settled(.unfit(problem))
    }
    guard let mailbox = try mailbox(message.target) else { return .settled(.noMailbox) }
    let opened = try store.open(mailbox.name, forChanges: false)
    let place = Place(mailbox: mailbox.name, opened)
    if try isThere(message, place, begun, store) {
      return .settled(.present(mailbox.name.decoded))
    }
    guard message.isUnique else { return .open(place) }
    switch try SentFolder(account, mailbox).find(message.facts.identity.messageID) {
    case .nothing: return .open(place)
    case .mirrored: return .settled(.present(mailbox.name.decoded))
    case .toBeUploaded: return .settled(.leftToSync)
    }
  }

  private func mailbox(_ target: MailboxAddition.Target) throws(SyncFailure) -> ServerMailbox? {
    switch target {
    case .sent: try account.mailbox(for: .sent, name: "Sent")
    case .mailbox(let name): account.mailbox(named: name)
    }
  }

  private func isThere(
    _ message: MailboxAddition,
    _ place: Place,
    _ begun: [UInt8]?,
    _ store: any MailStore
  ) throws(SyncFailure) -> Bool {
    if message.isUnique, try hasMessage(message, place, store) { return true }
    guard let note = begun.flatMap({ AppendNote($0) }), note.mailbox == place.note.mailbox,
      note.validity.equals(place.note.validity)
    else { return false }
    account.report(.step("\(place.mailbox): looking for what was under way"))
    let wanted = WantedArrival(
      identity: message.facts.identity,
      size: message.facts.wireSize,
      uidNext: note.uidNext ?? 1,
      date: message.arrival
    )
    return try store.find([wanted], besides: [], in: place.reference).contains { $0 != nil }
  }

  /// Whether the mailbox has a message of the same Message-ID.
  private func hasMessage(
    _ message: MailboxAddition,
    _ place: Place,
    _ store: any MailStore
  ) throws(SyncFailure) -> Bool {
    guard let identifier = message.messageID else { return false }
    return try store.messages(withID: identifier, in: place.reference)?.isEmpty == false
  }
}

// Writing.
extension MailboxWriter {
  private func append(_ message: MailboxAddition, to place: Place) throws(SyncFailure)
    -> AppendOutcome
  {
    switch try account.connected().append([message], to: place.mailbox).first {
    case .appended, .taken: .appended(place.mailbox.decoded)
    case .refused(let reply): .refused(reply)
    case nil: .failed(.transport(.closed))
    }
  }
}
