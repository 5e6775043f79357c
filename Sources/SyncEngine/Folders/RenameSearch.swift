internal import IMAP
internal import MailModel

/// Recognises mailboxes that the server has under other names than the records: a pure function.
///
/// The server's own ids tell them (RFC 8474), where it has such: some give a renamed mailbox another UIDVALIDITY.
/// Elsewhere UIDVALIDITY does, with UIDs that only grow. Some servers take it from the clock or give all mailboxes the
/// same: then messages have to agree, or the folder that was renamed likewise.
struct RenameSearch {
  /// A mailbox on record and a name of the server that may be its name by now.
  struct Pair: Hashable {
    var id: UInt64
    var name: MailboxName
  }

  /// What the messages of a pair say.
  enum Evidence: Hashable {
    /// The server has messages of the record under their UIDs.
    case same
    /// It has others under these UIDs.
    case other
    /// It has none of those that were looked for.
    case none
  }

  /// The pairs whose messages are to be compared.
  private(set) var questions: [Pair] = []

  private struct Candidate {
    let pair: Pair
    /// Whether it needs no other proof: the server's ids agree, or no other mailbox has the UIDVALIDITY.
    let isCertain: Bool
  }

  private var candidates: [Candidate] = []

  /// A search among the listed mailboxes that can be opened.
  init(_ listing: MailboxListing.Result, known: [[UInt8]: Summary.Entry]) {
    let names = Set(listing.entries.filter(\.isSelectable).map(\.name))
    let lost = known.values.filter { !Self.isInPlace($0, names, listing) }
    guard !lost.isEmpty else { return }
    let inPlace = Set(known.values.filter { Self.isInPlace($0, names, listing) }.map(\.name))
    let found = names.subtracting(inPlace).compactMap { listing.status[$0] }
    for entry in lost.sorted(by: { $0.header.id < $1.header.id }) {
      for status in found where Self.fits(status, entry) {
        add(status, entry, listing, known)
      }
    }
  }

  private mutating func add(
    _ status: MailboxStatus,
    _ entry: Summary.Entry,
    _ listing: MailboxListing.Result,
    _ known: [[UInt8]: Summary.Entry]
  ) {
    let pair = Pair(id: entry.header.id, name: status.name)
    if entry.header.identity.sharesID(with: status.identity) == true {
      return candidates.append(Candidate(pair: pair, isCertain: true))
    }
    let validity = entry.header.validity
    let isUnique =
      known.values.count { $0.header.validity == validity } == 1
      && listing.status.values.count { $0.uidValidity == validity } == 1
    candidates.append(Candidate(pair: pair, isCertain: isUnique))
    if entry.messages > 0, status.messages ?? 0 > 0 { questions.append(pair) }
  }

  /// The names that mailboxes have now, by id.
  ///
  /// `evidence` are the answers to the questions; `renamed` are pairs whose folder was renamed in the same way.
  func matches(
    _ evidence: [Pair: Evidence],
    renamed: (Pair) -> Bool
  ) -> [UInt64: MailboxName] {
    let proven = candidates.filter { candidate in
      switch evidence[candidate.pair] {
      case .other: false
      case .same: true
      case .some(.none), nil: candidate.isCertain || renamed(candidate.pair)
      }
    }
    // Two that are one as far as can be told are not guessed at.
    let pairs = proven.map(\.pair).filter { pair in
      proven.count { $0.pair.id == pair.id } == 1 && proven.count { $0.pair.name == pair.name } == 1
    }
    return Dictionary(pairs.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
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
