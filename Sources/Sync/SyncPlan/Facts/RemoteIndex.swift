internal import Octets

/// The server's side of a mailbox, ready for questions about one message.
package struct RemoteIndex {
  /// What the server says about a message of the base.
  enum Fate {
    case unchanged, gone
    case listed(RemoteMessage)
  }

  /// The messages that the server lists, of which some may be gone.
  let messages: RemoteMessages
  private let vanished: [ClosedRange<UInt32>]
  private let isComplete: Bool

  package init(_ view: RemoteView) {
    messages = view.listed
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
    if let message = messages[uid: uid] { return .listed(message) }
    return isComplete ? .gone : .unchanged
  }

  /// Whether a message that the base knows is gone.
  package func isGone(_ uid: UInt32) -> Bool {
    if case .gone = fate(of: uid) { true } else { false }
  }

  /// The message, where the server lists it.
  package func message(_ uid: UInt32) -> RemoteMessage? {
    isVanished(uid) ? nil : messages[uid: uid]
  }

  /// The listed messages that are not among the known ones, newest UID first, each made when it is asked for.
  func newestFirst(
    but known: Set<UInt32>
  ) -> LazyFilterSequence<ReversedCollection<RemoteMessages>> {
    messages.reversed().lazy.filter { [vanished] message in
      !known.contains(message.uid) && !vanished.hold(message.uid)
    }
  }

  private func isVanished(_ uid: UInt32) -> Bool { vanished.hold(uid) }
}
