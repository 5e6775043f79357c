package import Configuration
internal import IMAP
internal import Login
internal import Octets
package import Platform
internal import SyncPlan
internal import Transport

/// Puts messages into mailboxes of an account's server one by one, none of them twice.
///
/// Of a message that was begun and not answered for, the caller's note says what to look for: the same
/// rule as for the uploads of a sync. The account's lock is held from the first look to the last answer, so that no sync
/// uploads the same message meanwhile. Used by one thread at a time.
package final class MailboxWriter {
  private let context: AccountContext
  private let dialer: RememberingDialer
  private let isForced: Bool
  private let keepsOwnCopy: Bool

  private var connection: Connection?
  private var entries: [ListEntry] = []

  /// A writer; nothing is connected before the first message.
  ///
  /// - Parameters:
  ///   - account: the account, which has a server.
  ///   - keepsOwnCopy: whether what was sent is copied even where the server does that by itself.
  ///   - isForced: whether a person is there, so that a secret is offered that was refused before.
  ///   - stateHome: where Magnum remembers things about accounts, such as `~/.local/state`.
  ///   - connectLimit: seconds for connecting.
  ///   - isTracing: whether the observer gets the lines of the protocol.
  ///   - interruption: ends all waiting.
  ///   - observer: is told what happens.
  package init(
    _ account: Account,
    keepsOwnCopy: Bool,
    isForced: Bool,
    stateHome: Path,
    connectLimit: Double = 30,
    isTracing: Bool = false,
    interruption: Interruption,
    observer: @escaping SyncObserver
  ) {
    var options = SyncOptions()
    options.isTracing = isTracing
    context = SyncRun.context(account, [SyncRun.tree(account)], options, interruption, observer)
    dialer = RememberingDialer(
      context,
      memory: SyncRun.memory(of: account, stateHome),
      connectLimit: connectLimit
    )
    self.isForced = isForced
    self.keepsOwnCopy = keepsOwnCopy
  }

  deinit { connection?.close() }

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
    let lock: FileLock?
    let place: Place
    do throws(SyncFailure) {
      lock = try context.store.lockBesideSync()
      switch try findAnew(letter, begun) {
      case .settled(let outcome): return outcome
      case .open(let found): place = found
      }
    } catch {
      return fail(error)
    }
    defer { lock?.release() }
    try note(place.note.octets)
    do throws(SyncFailure) {
      return try append(letter, to: place)
    } catch {
      return fail(error)
    }
  }

  private func fail(_ failure: SyncFailure) -> AppendOutcome {
    connection?.close()
    connection = nil
    return .failed(failure)
  }
}

// The connection.
extension MailboxWriter {
  private func connected() throws(SyncFailure) -> Connection {
    if let connection { return connection }
    if !isForced { try dialer.checkRefusal() }
    let (connection, _) = try dialer.connect()
    self.connection = connection
    var listing = MailboxListing(connection)
    entries = try listing.ask().entries
    return connection
  }

  /// Looks where the message stands; once more where a connection of before is of no use any more.
  private func findAnew(_ letter: Letter, _ begun: [UInt8]?) throws(SyncFailure) -> Finding {
    let isOld = connection != nil
    do throws(SyncFailure) {
      return try find(letter, begun)
    } catch {
      guard isOld, error.isLostConnection else { throw error }
      _ = fail(error)
      return try find(letter, begun)
    }
  }
}

// Looking.
extension MailboxWriter {
  private struct Place {
    var mailbox: MailboxName
    var note: AppendNote
  }

  private enum Finding {
    case settled(AppendOutcome)
    case open(Place)
  }

  private func find(_ letter: Letter, _ begun: [UInt8]?) throws(SyncFailure) -> Finding {
    let connection = try connected()
    if letter.target == .sent, !keepsOwnCopy, connection.capabilities.contains("X-GM-EXT-1") {
      return .settled(.keptByServer)
    }
    if let problem = letter.objection(limit: connection.capabilities.appendLimit) {
      return .settled(.unfit(problem))
    }
    guard let entry = try entry(letter.target, connection) else { return .settled(.noMailbox) }
    let place = Place(mailbox: entry.name, note: try open(entry.name, connection))
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

  /// Opens a mailbox for reading; what it is like now.
  private func open(
    _ name: MailboxName,
    _ connection: Connection
  ) throws(SyncFailure) -> AppendNote {
    var note = AppendNote(mailbox: name.wire, validity: 0, uidNext: 0)
    let response = try connection.perform(.examine(name, nil)) { event in
      guard case .status(let status) = event else { return }
      switch status.code {
      case .uidValidity(let value): note.validity = value
      case .uidNext(let value): note.uidNext = value
      default: break
      }
    }
    guard response.kind == .ok else { throw .commandRefused(command: "EXAMINE", response) }
    return note
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
    // What cannot be written between quotes is rare, and servers differ in what they make of it.
    guard let identifier = letter.messageID, identifier.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      return false
    }
    var found: [UInt32] = []
    let query = SearchQuery.header(name: Array("MESSAGE-ID".utf8), contains: identifier)
    let response = try connection.perform(.uidSearch(query, returningAll: false)) { event in
      if case .search(let uids) = event { found += uids }
    }
    guard response.kind == .ok else { throw .commandRefused(command: "UID SEARCH", response) }
    guard !found.isEmpty else { return false }
    let hash = letter.facts.identity.messageID
    return try ContentQueries(connection).messageIDs(found).values.contains(hash)
  }
}

// Mailboxes.
extension MailboxWriter {
  private func entry(
    _ target: Letter.Target,
    _ connection: Connection
  ) throws(SyncFailure) -> ListEntry? {
    switch target {
    case .sent: try sentEntry(connection)
    case .mailbox(let name):
      entries.first { $0.isSelectable && Self.path($0).joined == name }
    }
  }

  private func sentEntry(_ connection: Connection) throws(SyncFailure) -> ListEntry? {
    if let known = knownSentEntry { return known }
    let wanted = context.roles[.sent] ?? Array("Sent".utf8)
    let candidates = MailboxNaming(entries).names(for: wanted)
    let making = MailboxMaking(connection, for: "\\Sent")
    guard let name = try making.first(of: candidates) else { return nil }
    context.report(.step("made the mailbox \(name) for what was sent"))
    var listing = MailboxListing(connection)
    entries = try listing.ask().entries
    return knownSentEntry ?? entries.first { $0.isSelectable && $0.name == name }
  }

  private var knownSentEntry: ListEntry? {
    let finder = RoleFinder(entries, configured: context.roles)
    return entries.first {
      $0.isSelectable && finder.role(of: $0, name: Self.path($0)) == .sent
    }
  }

  private static func path(_ entry: ListEntry) -> MailboxPath {
    MailboxPath(entry.name, delimiter: entry.delimiter)
  }
}

// Writing.
extension MailboxWriter {
  private func append(_ letter: Letter, to place: Place) throws(SyncFailure) -> AppendOutcome {
    let connection = try connected()
    let responses = try UploadStream(connection, to: place.mailbox).send([[letter]])
    guard let response = responses.first, response.kind == .ok else {
      return responses.first.map { .refused($0) } ?? .failed(.transport(.closed))
    }
    return .appended(place.mailbox.decoded)
  }
}
