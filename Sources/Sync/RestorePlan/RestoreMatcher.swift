internal import MailModel
internal import SyncPlan

/// Finds which files of a Maildir a mailbox of the server has already: a pure function on one mailbox.
///
/// Each file is joined with one message and each message with one file, so that two equal files need two messages. In this
/// order:
///
/// 1. What is recorded of an earlier run: this UID is the message of a file with these octets.
/// 2. The same octets; the same Message-ID, header and body except for fields that are added on a message's way; the same
///    Message-ID and body. The last does not count for drafts, whose versions may differ in the header alone. These are
///    the rules by which a sync finds files that the server has already.
///
/// A Message-ID is only a hint which messages to fetch; what was not fetched is never joined but by a record. So ask
/// ``identifiersWanted`` and ``contentsWanted``, fill in, and match anew until both are empty, or cannot be had.
package struct RestoreMatcher: Sendable {
  /// How a file was found to be a message.
  package enum Evidence: Hashable, Sendable {
    /// An earlier run recorded it.
    case recorded
    /// All octets are the same.
    case octets
    /// The header is another one.
    case content
  }

  /// A message that is a file's.
  package struct Partner: Hashable, Sendable {
    /// The message.
    package let uid: UInt32
    /// How that is known.
    package let evidence: Evidence
  }

  /// The message of each file, in their order; nil where none was found.
  package private(set) var partners: [Partner?]
  /// The messages whose Message-ID is needed to decide, ascending.
  package private(set) var identifiersWanted: [UInt32] = []
  /// The messages that have to be fetched to decide, ascending.
  package private(set) var contentsWanted: [UInt32] = []

  private let files: [RestoredFile]
  private let messages: PresentMessages
  private var isTaken: [Bool]

  /// Matches the files with the messages of their mailbox, which is the one for drafts where `holdsDrafts` says so.
  package init(
    _ files: [RestoredFile],
    _ messages: PresentMessages,
    _ records: RestoreRecords.Mailbox,
    holdsDrafts: Bool
  ) {
    self.files = files
    self.messages = messages
    partners = Array(repeating: nil, count: files.count)
    isTaken = Array(repeating: false, count: messages.uids.count)
    matchRecords(records)
    let open = files.indices.filter { partners[$0] == nil }
    guard !open.isEmpty else { return }
    findWanted(Set(open.map { files[$0].identity.messageID }))
    join(open, .octets, { $0.digest }, { $0.digest })
    join(open, .content, { $0.identity }, { $0.identity })
    guard !holdsDrafts else { return }
    let finished = open.filter { !files[$0].flags.system.contains(.draft) }
    join(
      finished,
      .content,
      { CopyKey(named: $0.identity) },
      { CopyKey(named: $0.identity) }
    )
  }

  private mutating func matchRecords(_ records: RestoreRecords.Mailbox) {
    guard !records.isEmpty else { return }
    var places: [UInt32: Int] = [:]
    for (index, uid) in messages.uids.enumerated() { places[uid] = index }
    for (index, file) in files.enumerated() {
      let known = records.messages(of: file.digest).lazy.compactMap { places[$0] }
      guard let place = known.first(where: { !isTaken[$0] }) else { continue }
      pairFile(index, place, .recorded)
    }
  }

  private mutating func findWanted(_ identifiers: Set<UInt64>) {
    for (index, uid) in messages.uids.enumerated() where !isTaken[index] {
      if messages.contents[uid] != nil { continue }
      guard let identifier = messages.identifiers[uid] else {
        identifiersWanted.append(uid)
        continue
      }
      if identifiers.contains(identifier) { contentsWanted.append(uid) }
    }
    identifiersWanted.sort()
    contentsWanted.sort()
  }

  /// Joins files and messages that agree in a key, in their orders: any of them is as good as another.
  private mutating func join<Key: Hashable>(
    _ candidates: [Int],
    _ evidence: Evidence,
    _ fileKey: (RestoredFile) -> Key?,
    _ messageKey: (WireContent) -> Key?
  ) {
    // The first message of each key, and behind each message the next one of its key.
    var first: [Key: Int] = [:]
    var next: [Int: Int] = [:]
    guard !messages.contents.isEmpty else { return }
    for (index, uid) in messages.uids.enumerated().reversed() where !isTaken[index] {
      guard let key = messages.contents[uid].flatMap(messageKey) else { continue }
      next[index] = first.updateValue(index, forKey: key)
    }
    guard !first.isEmpty else { return }
    for index in candidates where partners[index] == nil {
      guard let key = fileKey(files[index]), let place = first[key] else { continue }
      first[key] = next[place]
      pairFile(index, place, evidence)
    }
  }

  private mutating func pairFile(_ file: Int, _ place: Int, _ evidence: Evidence) {
    partners[file] = Partner(uid: messages.uids[place], evidence: evidence)
    isTaken[place] = true
  }
}
