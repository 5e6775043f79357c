package import SyncPlan

/// Messages that were not fetched since the limit of the day was reached.
package struct LeftMessages: Hashable, Sendable {
  /// How many they are.
  package private(set) var messages: UInt64 = 0
  /// Their octets, as far as the server told their sizes.
  package private(set) var octets: UInt64 = 0

  /// None.
  package init() {}

  /// Adds one of them.
  package mutating func add(_ message: RemoteMessage) {
    messages += 1
    octets += min(message.size ?? 0, 1 << 40)
  }

  /// Adds others.
  package mutating func add(_ others: LeftMessages) {
    messages += others.messages
    octets += others.octets
  }
}
