internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import SyncPlan
internal import SyncState

/// Finds the new files of mailboxes that hold what messages on record hold, in any mailbox of the account.
///
/// The content of a file has to be known, and is the same to the last header field.
struct CopySearch {
  /// By content; those of the group come first.
  private var originals: [ContentIdentity: [RemoteReference]] = [:]

  /// Looks through all records of the account, where the group has a new file.
  ///
  /// - Parameters:
  ///   - group: the mailboxes, whose new files were read.
  ///   - outside: what lies outside of them.
  /// - Throws: that a record cannot be read.
  init(_ group: [OpenMailbox], _ outside: OutsideGroup) throws(SyncFailure) {
    var wanted: Set<ContentIdentity> = []
    for mailbox in group {
      for name in mailbox.additions {
        if let content = mailbox.contents[name] { wanted.insert(content.identity) }
      }
    }
    guard !wanted.isEmpty else { return }
    for mailbox in group { add(mailbox.state, holding: wanted) }
    for entry in outside.entries where entry.messages > 0 {
      if let state = try outside.state(of: entry) { add(state, holding: wanted) }
    }
  }

  private mutating func add(_ state: MailboxState, holding wanted: Set<ContentIdentity>) {
    for (identity, uid) in state.messages.wholeMessages(holding: wanted) {
      let reference = RemoteReference(mailbox: state.header.id, uid: uid)
      originals[identity, default: []].append(reference)
    }
  }

  /// The new files of a mailbox that are copies.
  func copies(in mailbox: OpenMailbox) -> OctetTable<FileCopy> {
    var found = OctetTable<FileCopy>()
    guard SyncRule.copies.isOn, !originals.isEmpty else { return found }
    let (state, waiting) = (mailbox.state, mailbox.state.waiting)
    for name in mailbox.additions where !mailbox.uncopied.contains(name) {
      guard let identity = mailbox.contents[name]?.identity, let same = originals[identity] else {
        continue
      }
      found[name] = FileCopy(
        originals: same,
        since: waiting[name]?.since,
        isAsked: CopyName.isOne(name),
        twin: same.lazy.filter { $0.mailbox == state.header.id }
          .compactMap { state.messages[$0.uid]?.name }
          .first { mailbox.file(of: $0) != nil }
      )
    }
    return found
  }
}

/// Finds other records of messages whose files are gone from INBOX, where mailboxes are labels.
struct LabelSearch {
  private let outside: OutsideGroup

  init(_ outside: OutsideGroup) { self.outside = outside }

  /// The other labels of the messages without a file, by their UIDs.
  func labels(in mailbox: OpenMailbox) throws(SyncFailure) -> [UInt32: [RemoteReference]] {
    guard outside.context.facts.hasLabels, mailbox.mailbox.role == .inbox else { return [:] }
    var uids: [ContentIdentity: [UInt32]] = [:]
    var partials: [Sameness.Key: [UInt32]] = [:]
    for record in mailbox.fileless {
      // What the files of partial messages hold may differ.
      if record.completeness.isPartial, let look = Trace(record).key(.bodiless) {
        partials[look, default: []].append(record.uid)
      } else if let identity = record.identity {
        uids[identity, default: []].append(record.uid)
      }
    }
    guard !uids.isEmpty || !partials.isEmpty else { return [:] }
    var states = outside.group.filter { $0 !== mailbox }.map(\.state)
    for entry in outside.entries {
      if let state = try outside.state(of: entry) { states.append(state) }
    }
    let others = outside.context.facts.otherThanLabels
    var found: [UInt32: [RemoteReference]] = [:]
    for state in states where !others.contains(MailboxName(wire: state.header.mailbox)) {
      for (identity, uid) in state.messages.wholeMessages(holding: Set(uids.keys)) {
        let reference = RemoteReference(mailbox: state.header.id, uid: uid)
        for own in uids[identity] ?? [] { found[own, default: []].append(reference) }
      }
      guard !partials.isEmpty else { continue }
      for record in state.messages.partialRecords {
        guard let look = Trace(record).key(.bodiless) else { continue }
        let reference = RemoteReference(mailbox: state.header.id, uid: record.uid)
        for own in partials[look] ?? [] { found[own, default: []].append(reference) }
      }
    }
    return found
  }
}

extension OutsideGroup {
  /// Whether any message is on record in the account.
  var hasRecords: Bool {
    group.contains { !$0.state.messages.isEmpty } || entries.contains { $0.messages > 0 }
  }

  /// The messages of a mailbox whose files are gone and that have a copy on record in another one, which was made from here.
  func copied(in mailbox: OpenMailbox) throws(SyncFailure) -> [UInt32: RemoteReference] {
    let state = mailbox.state
    guard !state.copies.isEmpty else { return [:] }
    var found: [UInt32: RemoteReference] = [:]
    for record in mailbox.fileless {
      guard let copy = state.copies[record.uid] else { continue }
      guard let holder = try recorded(copy.source), holder.holds(copy) else { continue }
      found[record.uid] = RemoteReference(mailbox: copy.source, uid: copy.uid)
    }
    return found
  }

  /// What is recorded of a mailbox, by its id; nil where nothing is.
  private func recorded(_ mailbox: UInt64) throws(SyncFailure) -> MailboxState? {
    if let open = group.first(where: { $0.mailbox.id == mailbox }) { return open.state }
    guard let entry = entries.first(where: { $0.header.id == mailbox }) else { return nil }
    return try state(of: entry)
  }
}
