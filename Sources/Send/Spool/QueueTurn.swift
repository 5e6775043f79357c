internal import Octets
internal import Platform

/// The turn of the one process that goes through a queue, in its order; others leave their entries to it meanwhile.
///
/// It is the lock of the file `.run`. Once that says so the turn is closed: entries that come from then on are not its business,
/// and who hands one in waits for the end of the turn, to have the next one. So no entry is left to a process that does not look
/// for it, and none looks for new ones for ever.
package final class QueueTurn {
  private let spool: Spool
  private let lock: FileLock

  private init(_ spool: Spool, _ lock: FileLock) {
    (self.spool, self.lock) = (spool, lock)
  }

  /// Takes the turn in a spool that was prepared.
  ///
  /// - Parameters:
  ///   - spool: the spool.
  ///   - timeout: seconds to wait for the end of a turn that is closed.
  /// - Returns: `nil` when another process has the turn, and does all that is there, or has it all that time.
  /// - Throws: `lockUnsupported` on file systems without locks, where no work is possible.
  package static func acquire(
    _ spool: Spool,
    timeout: Double
  ) throws(SpoolError) -> QueueTurn? {
    let deadline = Deadline.after(seconds: timeout)
    while true {
      if let lock = try LockedSpool.lock(spool.runLockFile, timeout: 0) {
        let turn = QueueTurn(spool, lock)
        turn.write([])
        return turn
      }
      guard try isClosed(spool), !deadline.isPast,
        Interruption.shared.sleep(seconds: min(0.05, deadline.remaining))
      else { return nil }
    }
  }

  /// Says that entries which come from now on are not for this turn.
  package func close() { write([UInt8](ascii: "closed\n")) }

  /// What cannot be noted, as on a full disk, is no reason to send nothing: some entry may wait for the next run then.
  private func write(_ text: [UInt8]) {
    defer { withExtendedLifetime(lock) {} }
    guard let file = (try? SpoolFile.open(spool.runLockFile, .truncate)) ?? nil else { return }
    try? file.write(all: text)
  }

  private static func isClosed(_ spool: Spool) throws(SpoolError) -> Bool {
    try SpoolFile.start(of: spool.runLockFile, length: 1)?.isEmpty == false
  }
}
