/// The server's side of a mailbox, ready for questions about one message.
package struct RemoteIndex {
  /// What the server says about a message of the base.
  enum Fate {
    case unchanged, gone
    case listed(RemoteMessage)
  }

  private let messages: [UInt32: RemoteMessage]
  private let vanished: [ClosedRange<UInt32>]
  private let isComplete: Bool

  /// The index of a view.
  package init(_ view: RemoteView) {
    messages = Dictionary(view.listed.map { ($0.uid, $0) }) { _, last in last }
    switch view {
    case .complete: (vanished, isComplete) = ([], true)
    case .changes(_, let ranges): (vanished, isComplete) = (ranges, false)
    }
  }

  /// What became of a message that the base knows.
  ///
  /// A message both listed and vanished is gone: UIDs never come back (RFC 9051 §2.3.1.1).
  func fate(of uid: UInt32) -> Fate {
    if isVanished(uid) { return .gone }
    if let message = messages[uid] { return .listed(message) }
    return isComplete ? .gone : .unchanged
  }

  /// Whether a message that the base knows is gone.
  package func isGone(_ uid: UInt32) -> Bool {
    if case .gone = fate(of: uid) { true } else { false }
  }

  /// The message, where the server lists it.
  package func message(_ uid: UInt32) -> RemoteMessage? {
    isVanished(uid) ? nil : messages[uid]
  }

  /// The listed messages that satisfy the condition, newest UID first.
  func newestFirst(where isWanted: (UInt32) -> Bool) -> [RemoteMessage] {
    messages.values.filter { isWanted($0.uid) && !isVanished($0.uid) }.sorted { $0.uid > $1.uid }
  }

  private func isVanished(_ uid: UInt32) -> Bool {
    var low = 0
    var high = vanished.count
    while low < high {
      let middle = (low + high) / 2
      if vanished[middle].upperBound < uid { low = middle + 1 } else { high = middle }
    }
    return low < vanished.count && vanished[low].contains(uid)
  }
}
