/// How far back messages are mirrored.
package enum SyncWindow: Hashable, Sendable {
  /// Every message.
  case all

  /// Messages that arrived at the server within that many days; 1…36500.
  case days(Int)
}
