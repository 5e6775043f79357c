internal import IMAP
internal import MailModel

/// Recognises mailboxes that the server has under other names than the records: a pure function.
///
/// The server's own ids tell them (RFC 8474), where it has such: some give a renamed mailbox another UIDVALIDITY.
/// Elsewhere UIDVALIDITY does, with UIDs that only grow. Some servers take it from the clock or give all mailboxes the
/// same: then messages have to agree, or the folder that was renamed likewise. Where it is another one, as Courier gives
/// with a rename, most of the messages have to agree.
struct RenameSearch {
  /// A mailbox on record and a name of the server that may be its name by now.
  struct Pair: Hashable {
    var id: UInt64
    var name: MailboxName
  }

  /// What the messages of a pair say.
  enum Evidence: Hashable {
    /// The server has messages of the record under their UIDs; `isMost` where it has at least half of those that were
    /// looked for.
    case same(isMost: Bool)
    /// It has others under these UIDs.
    case other
    /// It has none of those that were looked for.
    case none
  }

  /// The pairs whose messages are to be compared.
  private(set) var questions: [Pair] = []

  private struct Candidate {
    /// What is enough to take the pair for one mailbox.
    enum Proof {
      /// Nothing more: the server's ids agree, or no other mailbox has the UIDVALIDITY.
      case given
      /// Messages that agree, or the folder that was renamed likewise.
      case messages
      /// Most of the messages, and nothing of the kind under the name on record.
      case mostMessages(recorded: MailboxName)
    }

    let pair: Pair
    let proof: Proof
  }

  private var candidates: [Candidate] = []

  /// A search among the listed mailboxes that can be opened.
  init(_ listing: MailboxListing.Result, known: [[UInt8]: Summary.Entry]) {
    let names = Set(listing.entries.filter(\.isSelectable).map(\.name))
    let lost = known.values.filter { !Self.isInPlace($0, names, listing) }
    guard !lost.isEmpty else { return }
    let inPlace = Set(known.values.filter { Self.isInPlace($0, names, listing) }.map(\.name))
    let found = names.subtracting(inPlace).compactMap { listing.status[$0] }
    let sorted = lost.sorted { $0.header.id < $1.header.id }
    for entry in sorted {
      for status in found where Self.fits(status, entry) { add(status, entry, listing, known) }
    }
    let taken = Set(candidates.map(\.pair.name))
    let new = found.filter { known[$0.name.wire] == nil && !taken.contains($0.name) }
    for entry in sorted where !candidates.contains(where: { $0.pair.id == entry.header.id }) {
      for status in new where Self.mayFit(status, entry) {
        addRenumbered(status, entry, isNameListed: names.contains(entry.name))
      }
    }
  }

  /// One whose UIDVALIDITY changed with its name.
  private mutating func addRenumbered(
    _ status: MailboxStatus,
    _ entry: Summary.Entry,
    isNameListed: Bool
  ) {
    let pair = Pair(id: entry.header.id, name: status.name)
    candidates.append(Candidate(pair: pair, proof: .mostMessages(recorded: entry.name)))
    questions.append(pair)
    let recorded = Pair(id: entry.header.id, name: entry.name)
    if isNameListed, !questions.contains(recorded) { questions.append(recorded) }
  }

  private mutating func add(
    _ status: MailboxStatus,
    _ entry: Summary.Entry,
    _ listing: MailboxListing.Result,
    _ known: [[UInt8]: Summary.Entry]
  ) {
    let pair = Pair(id: entry.header.id, name: status.name)
    if entry.header.identity.sharesID(with: status.identity) == true {
      return candidates.append(Candidate(pair: pair, proof: .given))
    }
    let validity = entry.header.validity
    let isUnique =
      known.values.count { $0.header.validity == validity } == 1
      && listing.status.values.count { $0.uidValidity == validity } == 1
    candidates.append(Candidate(pair: pair, proof: isUnique ? .given : .messages))
    if entry.messages > 0, status.messages ?? 0 > 0 { questions.append(pair) }
  }

  /// The names that mailboxes have now, by id.
  ///
  /// `evidence` are the answers to the questions; `renamed` are pairs whose folder was renamed in the same way.
  func matches(
    _ evidence: [Pair: Evidence],
    renamed: (Pair) -> Bool
  ) -> [UInt64: MailboxName] {
    let proven = candidates.filter { Self.isProven($0, evidence, renamed) }
    // Two that are one as far as can be told are not guessed at.
    let pairs = proven.map(\.pair).filter { pair in
      proven.count { $0.pair.id == pair.id } == 1 && proven.count { $0.pair.name == pair.name } == 1
    }
    return Dictionary(pairs.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  private static func isProven(
    _ candidate: Candidate,
    _ evidence: [Pair: Evidence],
    _ renamed: (Pair) -> Bool
  ) -> Bool {
    let pair = candidate.pair
    switch (evidence[pair], candidate.proof) {
    case (.other, _): return false
    case (.same(let isMost), .mostMessages(let name)):
      return isMost && !isSame(evidence[Pair(id: pair.id, name: name)])
    case (.same, .given), (.same, .messages), (.some(.none), .given), (nil, .given): return true
    case (.some(.none), .messages), (nil, .messages): return renamed(pair)
    case (.some(.none), .mostMessages), (nil, .mostMessages): return false
    }
  }

  private static func isSame(_ evidence: Evidence?) -> Bool {
    if case .same = evidence { true } else { false }
  }

  /// Whether the server has the mailbox under the name on record, as far as it says.
  private static func isInPlace(
    _ entry: Summary.Entry,
    _ names: Set<MailboxName>,
    _ listing: MailboxListing.Result
  ) -> Bool {
    guard names.contains(entry.name) else { return false }
    // The inbox cannot go elsewhere, and one that was emptied by a RENAME stays (RFC 9051 §6.3.6).
    guard !entry.name.isInbox, let status = listing.status[entry.name] else { return true }
    if let isSame = entry.header.identity.sharesID(with: status.identity) { return isSame }
    return status.uidValidity.map { $0 == entry.header.validity } ?? true
  }

  /// Whether UIDs and their messages may tell that the mailbox is the one on record, though its UIDVALIDITY is another.
  private static func mayFit(_ status: MailboxStatus, _ entry: Summary.Entry) -> Bool {
    !status.name.isInbox && status.uidValidity != entry.header.validity
      && entry.messages > 0 && status.messages ?? 0 > 0
      && entry.header.identity.sharesID(with: status.identity) == nil
  }

  private static func fits(_ status: MailboxStatus, _ entry: Summary.Entry) -> Bool {
    guard let uidNext = status.uidNext, !status.name.isInbox else { return false }
    if let isSame = entry.header.identity.sharesID(with: status.identity) { return isSame }
    return status.uidValidity == entry.header.validity && uidNext >= entry.header.uidNext
  }
}

extension Summary.Entry {
  /// The server's name as of the last run.
  var name: MailboxName { MailboxName(wire: header.mailbox) }
}
