internal import MailModel
internal import MailStore
internal import MessageContent
internal import SyncPlan

/// Finds messages that were sent to a mailbox and whose UIDs nobody told, in the order of `IMAPStore.ArrivalSearch`.
struct MemoryArrivalSearch {
  private let mailbox: MemoryMailbox
  private var claimed: Set<UInt32>
  private var found: [RemoteMessage?] = []

  /// A search in a mailbox in which `claimed` are known messages.
  init(_ mailbox: MemoryMailbox, _ claimed: Set<UInt32>) {
    self.mailbox = mailbox
    self.claimed = claimed
  }

  /// The message of each wanted one, nil where there is none.
  mutating func find(_ wanted: [WantedArrival]) -> [RemoteMessage?] {
    found = [RemoteMessage?](repeating: nil, count: wanted.count)
    let (unread, open) = (
      wanted.indices.filter { wanted[$0].evidence == .unread },
      wanted.indices.filter { wanted[$0].evidence != .unread }
    )
    take(wanted, unread) {
      var found = Trace($0.facts.identity, size: UInt64($0.octets.count))
      found.body = nil
      return $1.compare(found).level >= .likely
    }
    let unknown = open.filter { wanted[$0].identity == nil }
    take(wanted, unknown) { $1.mayBeUnknown($0.described(0)) }
    let groups = Dictionary(grouping: open.filter { wanted[$0].identity != nil }) {
      wanted[$0].identity?.messageID ?? 0
    }
    for (identifier, indices) in groups.sorted(by: { $0.key < $1.key }) {
      assign(wanted, indices, identifier)
    }
    let known = Set(groups.keys)
    let isChanged = { (message: MemoryMailbox.Message, wanted: WantedArrival) in
      !known.contains(message.facts.header.messageID)
        && wanted.headerKey == message.facts.header.headerKey
    }
    take(wanted, open) { isChanged($0, $1) && Self.isFound($0, $1) }
    take(wanted, open) {
      $1.evidence == .taken && isChanged($0, $1)
    }
    return found
  }

  private mutating func assign(_ wanted: [WantedArrival], _ indices: [Int], _ identifier: UInt64) {
    let free = mailbox.messages.filter { uid, message in
      !claimed.contains(uid) && message.facts.header.messageID == identifier
    }
    let isSame = { (message: MemoryMailbox.Message) in
      message.facts.header.messageID == identifier
    }
    let isTaken = indices.allSatisfy { wanted[$0].evidence == .taken }
    if identifier == 0 || free.count > 1 || indices.count > 1 || !isTaken {
      take(wanted, indices) { isSame($0) && Self.isFound($0, $1) }
    }
    guard identifier != 0 else { return }
    take(wanted, indices) {
      isSame($0) && UInt64($0.octets.count) == $1.size && $1.evidence == .taken
    }
    take(wanted, indices) { message, wanted in
      isSame(message) && wanted.evidence == .taken
        && UInt64(message.octets.count) != wanted.size
        && wanted.headerKey == message.facts.header.headerKey
    }
  }

  private static func isFound(_ message: MemoryMailbox.Message, _ wanted: WantedArrival) -> Bool {
    let described = message.described(0)
    let found = Trace(message.facts.identity, size: described.size, date: described.date)
    return wanted.compare(found).level == .certain
  }

  private mutating func take(
    _ wanted: [WantedArrival],
    _ indices: [Int],
    where fits: (MemoryMailbox.Message, WantedArrival) -> Bool
  ) {
    for index in indices where found[index] == nil {
      let match = mailbox.messages.sorted { $0.key < $1.key }.first { uid, message in
        uid >= wanted[index].uidNext && !claimed.contains(uid) && fits(message, wanted[index])
      }
      guard let match else { continue }
      claimed.insert(match.key)
      found[index] = match.value.described(match.key)
    }
  }
}
