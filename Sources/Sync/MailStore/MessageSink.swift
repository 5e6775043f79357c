package import SyncPlan

/// Takes messages as a server gives them.
///
/// The octets of one come before it is certain which it is.
package protocol MessageSink: AnyObject {
  /// The octets of a message begin.
  func begin() throws(SyncFailure)
  /// Its next octets, as they came over the wire.
  func receiveOctets(_ octets: ArraySlice<UInt8>) throws(SyncFailure)
  /// Its octets are complete.
  func end() throws(SyncFailure)
  /// What is complete is this message, with its flags, size and date of now.
  func deliver(_ message: RemoteMessage) throws(SyncFailure)
  /// What is complete is no message that was asked for.
  func discard() throws(SyncFailure)
  /// All that the server gives of the order has come.
  func finishOrder() throws(SyncFailure)
  /// The server did not give a message that it lists.
  func fail(_ uid: UInt32, _ problem: MessageProblem)
  /// The connection broke when this message was to come next.
  func noteBreak(over uid: UInt32)
}

extension MessageSink {
  /// Most do not ask why.
  package func noteBreak(over uid: UInt32) {}
}
