package import MailModel
package import Spool
internal import SpoolPlan
internal import SyncEngine

/// The entries of a spool that are to move or to remove messages of the server.
package struct SpooledRequests: Sendable {
  private let spool: Spool

  /// The entries of one account's spool.
  package init(_ spool: Spool) {
    self.spool = spool
  }

  /// The messages they name, whether they wait for a server or for a person.
  ///
  /// - Throws: `SpoolError` where the spool or one of its entries cannot be read.
  package func departing() throws(SpoolError) -> [MessageReference] {
    var messages: [MessageReference] = []
    // The queue again at the end: a person may have sent an entry back to it meanwhile.
    for state: EntryState in [.queue, .failed, .hold, .queue] {
      for id in try spool.entries(state) {
        guard let request = try request(id, state), request.isDeparture else { continue }
        messages.append(request.message)
      }
    }
    return messages
  }

  /// What the entry asks for; nil for one that is about no message of the server, damaged ones of those too.
  private func request(
    _ id: EntryID,
    _ state: EntryState
  ) throws(SpoolError) -> MessageRequest? {
    do throws(SpoolError) {
      return try spool.header(of: id, in: state).flatMap { MessageRequest($0.action) }
    } catch {
      guard case .entry = error, try spool.hasMessage(id, in: state) else { throw error }
      return nil
    }
  }
}
