internal import MailModel
internal import MailStore
internal import Platform
internal import RestorePlan
internal import SyncPlan
internal import SyncState

/// Finds messages of a restored Maildir that are in another mailbox of the account by now, where another client put them.
///
/// A message counts for one file: those that files of the Maildir stand for where they are do not count. What lies in Trash or
/// Junk does not either, since a restore brings that back, nor what is without a Message-ID, nor drafts, whose versions are alike.
final class MovedMessages {
  /// A mailbox as it was listed.
  private struct Listed {
    let reference: MailboxReference
    /// Its messages by the hash of their Message-ID.
    var messages: [UInt64: [RemoteMessage]]
  }

  private let mailboxes: [ServerMailbox]
  /// What of the Maildir goes to each mailbox.
  private let folders: [MailboxName: [SourceFolder]]
  private let partial: PartialFiles
  private let meter: FetchMeter?
  private let interruption: Interruption
  private var listed: [MailboxName: Listed] = [:]
  private var claims: [MailboxName: [RestoredFile]] = [:]
  /// Mailboxes that cannot be looked at.
  private var closed: Set<MailboxName> = []

  /// A search in the mailboxes of an account but those for removed mail, junk and drafts.
  init(
    _ mailboxes: [ServerMailbox],
    _ roles: RoleFinder,
    _ folders: [MailboxName: [SourceFolder]],
    _ partial: PartialFiles,
    _ meter: FetchMeter?,
    _ interruption: Interruption
  ) {
    let others = [MailboxRole.trash, .junk, .drafts].compactMap { roles.mailbox(for: $0)?.name }
    self.mailboxes = mailboxes.filter { mailbox in
      mailbox.isSelectable && !mailbox.isView && !others.contains(mailbox.name)
    }
    self.folders = folders
    self.partial = partial
    self.meter = meter
    self.interruption = interruption
  }

  /// The mailbox, by its name for people, in which each of some files has its message; none for the others.
  ///
  /// The files are those of the target with these places, and have no message in its mailbox.
  func find(
    _ indices: [Int],
    of target: RestoreTarget,
    over store: any MailStore
  ) throws(SyncFailure) -> [Int: String] {
    guard !target.holdsDrafts else { return [:] }
    var open = indices.filter { index in
      let file = target.files[index]
      return file.identity.messageID != 0 && !file.flags.system.contains(.draft)
    }
    var found: [Int: String] = [:]
    for mailbox in mailboxes where mailbox.name != target.mailbox && !open.isEmpty {
      if interruption.isRequested { throw .interrupted }
      for index in try find(open, of: target, in: mailbox.name, over: store) {
        found[index] = mailbox.path.display
      }
      open.removeAll { found[$0] != nil }
    }
    return found
  }

  private func find(
    _ indices: [Int],
    of target: RestoreTarget,
    in mailbox: MailboxName,
    over store: any MailStore
  ) throws(SyncFailure) -> [Int] {
    guard let place = try list(mailbox, over: store) else { return [] }
    let identifiers = Set(indices.map { target.files[$0].identity.messageID })
    let candidates = identifiers.flatMap { place.messages[$0] ?? [] }.sorted { $0.uid < $1.uid }
    guard !candidates.isEmpty else { return [] }
    let own = try claims(in: mailbox).filter { identifiers.contains($0.identity.messageID) }
    let reader = MessageContentsReader(store, place.reference, meter)
    let interruption = interruption
    let contents = try reader.read(candidates) { interruption.isRequested }.mapValues(\.content)
    let messages = PresentMessages(
      candidates.map(\.uid),
      identifiers: contents.mapValues(\.identity.messageID),
      contents: contents
    )
    let files = own + indices.map { target.files[$0] }
    let matcher = RestoreMatcher(files, messages, RestoreRecords.Mailbox(), holdsDrafts: false)
    let partners = matcher.partners.dropFirst(own.count).map { $0?.uid }
    let taken = Set(partners.compactMap { $0 })
    for (identifier, others) in place.messages where identifiers.contains(identifier) {
      listed[mailbox]?.messages[identifier] = others.filter { !taken.contains($0.uid) }
    }
    return zip(indices, partners).compactMap { $1 == nil ? nil : $0 }
  }

  /// What of the Maildir goes to a mailbox.
  private func claims(in mailbox: MailboxName) throws(SyncFailure) -> [RestoredFile] {
    if let known = claims[mailbox] { return known }
    var reading = FolderReading("", sizeLimit: nil, partial: partial, interruption) { _ in }
    for (number, folder) in (folders[mailbox] ?? []).enumerated() {
      try reading.read(folder, number)
    }
    let files = reading.finish().files
    claims[mailbox] = files
    return files
  }

  /// The messages of a mailbox; nil where the server does not let it be looked at.
  private func list(
    _ mailbox: MailboxName,
    over store: any MailStore
  ) throws(SyncFailure) -> Listed? {
    if let known = listed[mailbox] { return known }
    guard !closed.contains(mailbox) else { return nil }
    do throws(SyncFailure) {
      let place = try read(mailbox, over: store)
      listed[mailbox] = place
      return place
    } catch {
      guard !error.endsConnection, !error.endsRun else { throw error }
      closed.insert(mailbox)
      try store.drainAnswers()
      return nil
    }
  }

  private func read(
    _ mailbox: MailboxName,
    over store: any MailStore
  ) throws(SyncFailure) -> Listed {
    let remote = try store.read(MailboxQuestion(mailbox))
    let reference = MailboxReference(mailbox, remote.identity)
    // What goes with the next EXPUNGE is not there.
    let present = remote.view.listed.filter { !$0.flags.system.contains(.deleted) }
    let identifiers = try store.messageIDs(of: present.map(\.uid), in: reference)
    var messages: [UInt64: [RemoteMessage]] = [:]
    for message in present {
      guard let identifier = identifiers[message.uid], identifier != 0 else { continue }
      messages[identifier, default: []].append(message)
    }
    return Listed(reference: reference, messages: messages)
  }
}
