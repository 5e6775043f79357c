internal import MailStore
internal import IMAP
internal import MailModel
internal import MessageContent
internal import Platform
internal import SyncPlan

/// Finds messages that were sent to a mailbox and whose UIDs are not known: after a crash, or with a
/// server without UIDPLUS.
///
/// Only messages at or above the UIDNEXT of before count, and only those that nothing else claims.
/// The Message-ID decides, and as much more as `WantedArrival.Evidence` asks for; where several have it, the content
/// chooses. A server may have changed the message on its way in: where it said that it took it, From, Date and Subject decide
/// then. What is not there is looked for a second time two seconds later.
struct ArrivalSearch {
  private static let secondLookDelay = 2.0

  private let connection: Connection
  private let interruption: Interruption
  private var claimed: Set<UInt32>

  /// A search in the mailbox that is open on the connection, in which `claimed` are known messages.
  init(_ connection: Connection, _ interruption: Interruption, claimed: Set<UInt32>) {
    self.connection = connection
    self.interruption = interruption
    self.claimed = claimed
  }

  /// The message of each wanted one, nil where there is none.
  mutating func find(_ wanted: [WantedArrival]) throws(SyncFailure) -> [RemoteMessage?] {
    var found = [RemoteMessage?](repeating: nil, count: wanted.count)
    try look(for: wanted, &found)
    guard found.contains(where: { $0 == nil }) else { return found }
    guard interruption.sleep(seconds: Self.secondLookDelay) else { throw .interrupted }
    try look(for: wanted, &found)
    return found
  }

  private mutating func look(
    for wanted: [WantedArrival],
    _ found: inout [RemoteMessage?]
  ) throws(SyncFailure) {
    guard let first = wanted.map(\.uidNext).min() else { return }
    // Makes the server look at the mailbox again (RFC 9051 §5.4).
    _ = try connection.perform(.noop)
    let arrivals = try ContentQueries(connection).arrivals(from: max(1, first))
    let unread = wanted.indices.filter { wanted[$0].evidence == .unread && found[$0] == nil }
    try takeUnread(arrivals.map(\.0), unread, wanted, &found)
    let open = wanted.indices.filter { found[$0] == nil && wanted[$0].evidence != .unread }
    for (identifier, indices) in Dictionary(grouping: open, by: { wanted[$0].identifier }) {
      let candidates = arrivals.filter { identifier == nil || $0.messageID == identifier }
        .map(\.0).sorted { $0.uid < $1.uid }
      try assign(candidates, to: indices, wanted, &found)
    }
    try takeChanged(arrivals, wanted, &found)
  }

  /// Gives the wanted whose bodies were never seen the messages that have their sizes and headers.
  private mutating func takeUnread(
    _ candidates: [RemoteMessage],
    _ indices: [Int],
    _ wanted: [WantedArrival],
    _ found: inout [RemoteMessage?]
  ) throws(SyncFailure) {
    let sizes = Set(indices.compactMap { wanted[$0].size })
    let free = candidates.filter {
      !claimed.contains($0.uid) && ($0.size.map(sizes.contains) ?? false)
    }
    guard !free.isEmpty else { return }
    let headers = try ContentQueries(connection).headers(free.map(\.uid))
    assignCandidates(free.sorted { $0.uid < $1.uid }, indices, wanted, &found) { message, wanted in
      guard let header = headers[message.uid] else { return false }
      return wanted.compare(header.trace(of: message)).level >= .likely
    }
  }

  /// Gives each of the wanted, which have one Message-ID, its message.
  private mutating func assign(
    _ candidates: [RemoteMessage],
    to indices: [Int],
    _ wanted: [WantedArrival],
    _ found: inout [RemoteMessage?]
  ) throws(SyncFailure) {
    let free = candidates.filter { !claimed.contains($0.uid) }
    guard !free.isEmpty, let identifier = wanted[indices[0]].identifier else {
      return assignCandidates(free, indices, wanted, &found) { $1.mayBeUnknown($0) }
    }
    let isChoice = identifier == 0 || free.count > 1 || indices.count > 1
    if isChoice || indices.contains(where: { wanted[$0].evidence != .taken }) {
      let contents = try ContentQueries(connection).contents(free.map(\.uid))
      assignCandidates(free, indices, wanted, &found) { Self.isFound($0, contents, $1) }
    }
    guard identifier != 0 else { return }
    assignCandidates(free, indices, wanted, &found) {
      $0.size.equals($1.size) && $1.evidence == .taken
    }
    try takeAlike(free, indices, wanted, &found)
  }

  /// What the server changed on its way in has another size: From, Date and Subject decide.
  private mutating func takeAlike(
    _ candidates: [RemoteMessage],
    _ indices: [Int],
    _ wanted: [WantedArrival],
    _ found: inout [RemoteMessage?]
  ) throws(SyncFailure) {
    let open = indices.filter {
      found[$0] == nil && wanted[$0].headerKey != nil && wanted[$0].evidence == .taken
    }
    let free = candidates.filter { !claimed.contains($0.uid) }
    guard !open.isEmpty, !free.isEmpty else { return }
    let headers = try ContentQueries(connection).headers(free.map(\.uid))
    assignCandidates(free, open, wanted, &found) { message, wanted in
      !message.size.equals(wanted.size) && headers[message.uid]?.headerKey == wanted.headerKey
    }
  }

  /// Gives the wanted that are still open the messages that the server changed when it took them.
  private mutating func takeChanged(
    _ arrivals: [(RemoteMessage, messageID: UInt64)],
    _ wanted: [WantedArrival],
    _ found: inout [RemoteMessage?]
  ) throws(SyncFailure) {
    let open = wanted.indices.filter { found[$0] == nil && wanted[$0].headerKey != nil }
    let identifiers = Set(wanted.compactMap(\.identifier)).subtracting([0])
    let free = arrivals.filter {
      !claimed.contains($0.0.uid) && !identifiers.contains($0.messageID)
    }
    guard !open.isEmpty, !free.isEmpty else { return }
    let headers = try ContentQueries(connection).headers(free.map(\.0.uid))
    let keys = Set(open.compactMap { wanted[$0].headerKey })
    let alike = free.map(\.0).filter {
      headers[$0.uid].map { keys.contains($0.headerKey) } ?? false
    }
    guard !alike.isEmpty else { return }
    let contents = try ContentQueries(connection).contents(alike.map(\.uid))
    let sorted = alike.sorted { $0.uid < $1.uid }
    assignCandidates(sorted, open, wanted, &found) { message, wanted in
      headers[message.uid]?.headerKey == wanted.headerKey
        && Self.isFound(message, contents, wanted)
    }
    assignCandidates(sorted, open, wanted, &found) { message, wanted in
      wanted.evidence == .taken && headers[message.uid]?.headerKey == wanted.headerKey
    }
  }

  private static func isFound(
    _ message: RemoteMessage,
    _ contents: [UInt32: ReadContent],
    _ wanted: WantedArrival
  ) -> Bool {
    guard let content = contents[message.uid] else { return false }
    return wanted.compare(content.trace(size: message.size, date: message.date)).level == .certain
  }

  private mutating func assignCandidates(
    _ candidates: [RemoteMessage],
    _ indices: [Int],
    _ wanted: [WantedArrival],
    _ found: inout [RemoteMessage?],
    where fits: (RemoteMessage, WantedArrival) -> Bool
  ) {
    for index in indices where found[index] == nil {
      let match = candidates.first {
        $0.uid >= wanted[index].uidNext && !claimed.contains($0.uid) && fits($0, wanted[index])
      }
      guard let match else { continue }
      claimed.insert(match.uid)
      found[index] = match
    }
  }
}

extension WantedArrival {
  /// The hash of the Message-ID, 0 for none; nil where nothing is known of the content.
  fileprivate var identifier: UInt64? { identity?.messageID }
}
