internal import IMAP
internal import MailModel
internal import MessageContent
internal import Octets
internal import SyncPlan
internal import Transport

/// Puts messages into mailboxes of an account's server one by one, none of them twice.
///
/// Of a message that was begun and not answered for, the caller's note says what to look for: the same
/// rule as for the uploads of a sync. The account's lock is held from the first look to the last answer, so that no sync
/// uploads the same message meanwhile. Used by one thread at a time.
package final class MailboxWriter {
  private let account: AccountConnection
  private let keepsOwnCopy: Bool

  private var context: AccountContext { account.context }

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
  ///   - letter: the message.
  ///   - begun: the note of an attempt that did not end; nil when there was none.
  ///   - note: makes a note durable, before anything is sent.
  /// - Returns: what became of it.
  /// - Throws: what `note` throws.
  package func put<E>(
    _ letter: Letter,
    begun: [UInt8]?,
    note: ([UInt8]) throws(E) -> Void
  ) throws(E) -> AppendOutcome {
    try account.once(
      looking: { () throws(SyncFailure) in try find(letter, begun) },
      noting: { place throws(E) in try note(place.note.octets) },
      doing: { place throws(SyncFailure) in try append(letter, to: place) },
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
    var mailbox: MailboxName
    var note: AppendNote
  }

  private typealias Finding = AccountConnection.Finding<Place, AppendOutcome>

  private func find(_ letter: Letter, _ begun: [UInt8]?) throws(SyncFailure) -> Finding {
    let connection = try account.connected()
    if letter.target == .sent, !keepsOwnCopy, connection.capabilities.contains("X-GM-EXT-1") {
      return .settled(.keptByServer)
    }
    if let problem = letter.objection(limit: connection.capabilities.appendLimit) {
      return .settled(.unfit(problem))
    }
    guard let entry = try entry(letter.target) else { return .settled(.noMailbox) }
    let place = Place(mailbox: entry.name, note: try note(of: entry.name, connection))
    if try isThere(letter, place, begun, connection) {
      return .settled(.present(entry.name.decoded))
    }
    guard letter.isUnique else { return .open(place) }
    switch try SentFolder(context, entry).find(letter.facts.identity.messageID) {
    case .nothing: return .open(place)
    case .mirrored: return .settled(.present(entry.name.decoded))
    case .toBeUploaded: return .settled(.leftToSync)
    }
  }

  private func entry(_ target: Letter.Target) throws(SyncFailure) -> ListEntry? {
    switch target {
    case .sent: try account.mailbox(for: .sent, use: "\\Sent", name: "Sent")
    case .mailbox(let name): account.entry(named: name)
    }
  }

  /// What a mailbox is like now; it is open for reading then.
  private func note(
    of name: MailboxName,
    _ connection: Connection
  ) throws(SyncFailure) -> AppendNote {
    let opened = try SelectedMailbox(opening: name, on: connection, forChanges: false)
    return AppendNote(mailbox: name.wire, validity: opened.validity, uidNext: opened.uidNext)
  }

  private func isThere(
    _ letter: Letter,
    _ place: Place,
    _ begun: [UInt8]?,
    _ connection: Connection
  ) throws(SyncFailure) -> Bool {
    if letter.isUnique, try hasMessage(letter, connection) { return true }
    guard let note = begun.flatMap({ AppendNote($0) }), note.mailbox == place.note.mailbox,
      note.validity == place.note.validity
    else { return false }
    context.report(.step("\(place.mailbox): looking for what was under way"))
    var search = ArrivalSearch(connection, context.interruption, claimed: [])
    let wanted = ArrivalSearch.Wanted(
      identity: letter.facts.identity,
      size: letter.facts.wireSize,
      uidNext: note.uidNext
    )
    return try search.find([wanted]).contains { $0 != nil }
  }

  /// Whether the open mailbox has a message of the same Message-ID.
  private func hasMessage(
    _ letter: Letter,
    _ connection: Connection
  ) throws(SyncFailure) -> Bool {
    guard let identifier = letter.messageID else { return false }
    return try MessageSearch(connection).messages(withID: identifier)?.isEmpty == false
  }
}

// Writing.
extension MailboxWriter {
  private func append(_ letter: Letter, to place: Place) throws(SyncFailure) -> AppendOutcome {
    let connection = try account.connected()
    let responses = try UploadStream(connection, to: place.mailbox).send([[letter]])
    guard let response = responses.first, response.kind == .ok else {
      return responses.first.map { .refused($0) } ?? .failed(.transport(.closed))
    }
    return .appended(place.mailbox.decoded)
  }
}
