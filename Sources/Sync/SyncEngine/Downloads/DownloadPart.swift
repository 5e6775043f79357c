package import MailStore
package import SyncPlan

/// What one connection fetches of a `SharedDownload`.
///
/// Used by one thread.
package final class DownloadPart: MessageSink {
  private let committer: DeliveryCommitter
  private let download: SharedDownload
  /// Whether others are in its flight, so that it is committed with them.
  private let isInFlight: Bool
  private var taken: [UInt32: RemoteMessage] = [:]
  /// What failed here first, such as a full disk; nil where nothing did.
  ///
  /// What the committer had taken by then may be lost: the mailbox is not done.
  private(set) var failure: SyncFailure?
  /// The message that was to come next when the connection broke; nil where it did not, or something else was waited for.
  package private(set) var brokenOver: UInt32?

  /// The part of a connection; 0 is the number of the one that the mailbox is worked on over.
  ///
  /// What it fetches is committed with that of others in the flight; nil where it has none.
  init(_ download: SharedDownload, number: Int, in flight: DeliveryFlight?) {
    self.download = download
    isInFlight = flight != nil
    committer = DeliveryCommitter(
      download.target,
      number: number,
      in: flight ?? DeliveryFlight()
    )
  }

  /// What it took that neither came nor failed, in the order of UIDs.
  var open: [RemoteMessage] { taken.values.sorted { $0.uid < $1.uid } }

  /// Takes the next few messages; none where there are none.
  func takeMessages() -> [RemoteMessage] {
    let few = download.next()
    for message in few { taken[message.uid] = message }
    return few
  }

  /// What was fetched.
  package var result: DownloadResult { committer.result }

  /// Makes the last messages durable and records them; also where the server broke off.
  ///
  /// - Throws: the error of the disk.
  package func finish() throws(SyncFailure) {
    try noting { () throws(SyncFailure) in try committer.finish() }
  }

  private func noting(_ body: () throws(SyncFailure) -> Void) throws(SyncFailure) {
    do throws(SyncFailure) {
      try body()
    } catch {
      failure = failure ?? error
      throw error
    }
  }

  // MARK: Messages

  /// The octets of a message begin.
  package func begin() throws(SyncFailure) { committer.begin() }

  /// Its next octets, as they came over the wire.
  package func receiveOctets(_ octets: ArraySlice<UInt8>) throws(SyncFailure) {
    try noting { () throws(SyncFailure) in try committer.receiveOctets(octets) }
  }

  /// Its octets are complete.
  package func end() throws(SyncFailure) {
    try noting { () throws(SyncFailure) in try committer.end() }
  }

  /// What is complete is this message.
  package func deliver(_ message: RemoteMessage) throws(SyncFailure) {
    let wanted = taken.removeValue(forKey: message.uid)
    if let wanted { download.finishMessage(wanted, octets: committer.octets) }
    let wasSized = wanted?.size != nil
    try noting { () throws(SyncFailure) in try committer.deliver(message) }
    download.recordMessage(octets: message.size ?? 0, wasSized: wasSized)
  }

  /// What is complete is no message that was asked for.
  package func discard() throws(SyncFailure) {
    try noting { () throws(SyncFailure) in try committer.discard() }
  }

  /// All that the server gives of the order has come; what is in a flight is committed with the others.
  package func finishOrder() throws(SyncFailure) {
    if !isInFlight { try finish() }
  }

  /// The server did not give a message that it lists.
  package func fail(_ uid: UInt32, _ problem: MessageProblem) {
    if let wanted = taken.removeValue(forKey: uid) { download.finishMessage(wanted, octets: 0) }
    committer.fail(uid, problem)
  }

  /// The connection broke when this message was to come next.
  package func noteBreak(over uid: UInt32) { brokenOver = uid }
}
