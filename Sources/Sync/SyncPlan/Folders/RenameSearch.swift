package import MailModel
import Octets

/// Recognises mailboxes that the server has under other names than the records: a pure function.
///
/// The server's own ids tell them (RFC 8474), where it has such: some give a renamed mailbox another UIDVALIDITY. Elsewhere
/// UIDVALIDITY does, with UIDs that only grow. Some servers take it from the clock or give all mailboxes the same: then
/// messages have to agree, or the folder that was renamed likewise. Where it has changed, as in Courier after a rename, most of
/// the messages have to agree. Where none can be compared, a folder that was renamed likewise decides, if the name on record is
/// gone. Then a run was killed that had renamed a mailbox whose UIDVALIDITY had changed.
package struct RenameSearch {
  /// A mailbox on record and a name of the server that may be its name by now.
  package struct Pair: Hashable, Sendable {
    /// The mailbox's own id.
    package let id: UInt64
    /// The name on the server.
    package let name: MailboxName

    package init(id: UInt64, name: MailboxName) {
      self.id = id
      self.name = name
    }
  }

  /// What the messages of a pair say.
  package enum Evidence: Hashable, Sendable {
    /// The server has messages of the record under their UIDs; `isMost` where it has at least half of those that were
    /// looked for.
    case same(isMost: Bool)
    /// It has others under these UIDs.
    case other
    /// It has none of those that were looked for.
    case none
  }

  /// The pairs whose messages are to be compared.
  package private(set) var questions: [Pair] = []

  private struct Candidate {
    /// What is enough to take the pair for one mailbox.
    enum Proof {
      /// Nothing more: the server's ids agree, or no other mailbox has the UIDVALIDITY.
      case given
      /// Messages that agree, or the folder that was renamed likewise.
      case messages
      /// Most of the messages, and nothing of the kind under the name on record, if that is still listed.
      case mostMessages(recorded: MailboxName, isListed: Bool)
      /// The folder that was renamed likewise: there are no messages to compare.
      case folder
    }

    let pair: Pair
    let proof: Proof
  }

  private var candidates: [Candidate] = []

  /// A search among the listed mailboxes that can be opened.
  package init(_ mailboxes: [ServerMailbox], known: [KnownMailbox]) {
    let listed = mailboxes.filter(\.isSelectable).keyed(by: \.name)
    let lost = known.filter { !Self.isInPlace($0, listed) }.sorted {
      $0.name.wire.lexicographicallyPrecedes($1.name.wire)
    }
    guard !lost.isEmpty else { return }
    let inPlace = Set(known.filter { Self.isInPlace($0, listed) }.map(\.name))
    let found = listed.values.filter { !inPlace.contains($0.name) }.sorted {
      $0.name.wire.lexicographicallyPrecedes($1.name.wire)
    }
    for entry in lost {
      for mailbox in found where Self.fits(mailbox, entry) { add(mailbox, entry, mailboxes, known) }
    }
    let taken = Set(candidates.map(\.pair.name)).union(known.map(\.name))
    let new = found.filter { !taken.contains($0.name) }
    for entry in lost where !candidates.contains(where: { $0.pair.id == entry.id }) {
      for mailbox in new where Self.isRenumbered(mailbox, entry) {
        addRenumbered(mailbox, entry, isNameListed: listed[entry.name] != nil)
      }
    }
  }

  /// One whose UIDVALIDITY changed with its name.
  private mutating func addRenumbered(
    _ mailbox: ServerMailbox,
    _ entry: KnownMailbox,
    isNameListed: Bool
  ) {
    let pair = Pair(id: entry.id, name: mailbox.name)
    guard entry.messages > 0, mailbox.status?.messages ?? 0 > 0 else {
      if !isNameListed { candidates.append(Candidate(pair: pair, proof: .folder)) }
      return
    }
    candidates.append(
      Candidate(pair: pair, proof: .mostMessages(recorded: entry.name, isListed: isNameListed))
    )
    questions.append(pair)
    let recorded = Pair(id: entry.id, name: entry.name)
    if isNameListed, !questions.contains(recorded) { questions.append(recorded) }
  }

  private mutating func add(
    _ mailbox: ServerMailbox,
    _ entry: KnownMailbox,
    _ mailboxes: [ServerMailbox],
    _ known: [KnownMailbox]
  ) {
    guard let status = mailbox.status else { return }
    let pair = Pair(id: entry.id, name: mailbox.name)
    if entry.identity.sharesID(with: status.identity) == true {
      return candidates.append(Candidate(pair: pair, proof: .given))
    }
    let validity = entry.identity.validity
    let isUnique =
      known.count { $0.identity.validity == validity } == 1
      && mailboxes.count { $0.status?.identity.validity == validity } == 1
    candidates.append(Candidate(pair: pair, proof: isUnique ? .given : .messages))
    if entry.messages > 0, status.messages ?? 0 > 0 { questions.append(pair) }
  }

  /// The names that mailboxes have now, by id.
  ///
  /// `evidence` are the answers to the questions; `renamed` are pairs whose folder was renamed in the same way.
  package func matches(
    _ evidence: [Pair: Evidence],
    renamed: (Pair) -> Bool
  ) -> [UInt64: MailboxName] {
    let proven = candidates.filter { Self.isProven($0, evidence, renamed) }
    // Two that are one as far as can be told are not guessed at.
    let pairs = proven.map(\.pair).filter { pair in
      proven.count { $0.pair.id == pair.id } == 1 && proven.count { $0.pair.name == pair.name } == 1
    }
    return Dictionary(first: pairs.map { ($0.id, $0.name) })
  }

  private static func isProven(
    _ candidate: Candidate,
    _ evidence: [Pair: Evidence],
    _ renamed: (Pair) -> Bool
  ) -> Bool {
    let pair = candidate.pair
    switch (evidence[pair], candidate.proof) {
    case (.other, _): return false
    case (.same(let isMost), .mostMessages(let name, _)):
      return isMost && !isSame(evidence[Pair(id: pair.id, name: name)])
    case (.same, .given), (.same, .messages), (.some(.none), .given), (nil, .given): return true
    case (.some(.none), .messages), (nil, .messages), (_, .folder): return renamed(pair)
    case (.some(.none), .mostMessages(_, let isListed)), (nil, .mostMessages(_, let isListed)):
      return !isListed && renamed(pair)
    }
  }

  private static func isSame(_ evidence: Evidence?) -> Bool {
    if case .same = evidence { true } else { false }
  }

  /// Whether the server has the mailbox under the name on record, as far as it says.
  private static func isInPlace(
    _ entry: KnownMailbox,
    _ listed: [MailboxName: ServerMailbox]
  ) -> Bool {
    guard let mailbox = listed[entry.name] else { return false }
    // The inbox cannot go elsewhere, and one that was emptied by a RENAME stays (RFC 9051 §6.3.6).
    guard !entry.name.isInbox, let identity = mailbox.status?.identity else { return true }
    if let isSame = entry.identity.sharesID(with: identity) { return isSame }
    return !identity.validity.differs(from: entry.identity.validity)
  }

  /// Whether the mailbox may be the one on record, though its UIDVALIDITY is another.
  private static func isRenumbered(_ mailbox: ServerMailbox, _ entry: KnownMailbox) -> Bool {
    guard let status = mailbox.status, !mailbox.name.isInbox else { return false }
    return status.identity.validity.differs(from: entry.identity.validity)
      && entry.identity.sharesID(with: status.identity) == nil
  }

  private static func fits(_ mailbox: ServerMailbox, _ entry: KnownMailbox) -> Bool {
    guard let status = mailbox.status, let uidNext = status.uidNext, !mailbox.name.isInbox
    else { return false }
    if let isSame = entry.identity.sharesID(with: status.identity) { return isSame }
    return status.identity.validity.equals(entry.identity.validity)
      && entry.uidNext.map { uidNext >= $0 } ?? true
  }
}
