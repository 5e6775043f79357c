package import MailModel
package import Spool
internal import SpoolPlan

/// The entries of a spool that are to move or to remove messages of the server.
package struct SpooledRequests: Sendable {
  private let spool: Spool

  package init(_ spool: Spool) {
    self.spool = spool
  }

  /// The messages they name and are not done with, whether they wait for a server or for a person.
  ///
  /// - Throws: `SpoolError` where the spool or one of its entries cannot be read.
  package func departing() throws(SpoolError) -> [MessageReference] {
    var messages: [MessageReference] = []
    // The queue again at the end: a person may have sent an entry back to it meanwhile.
    for state: EntryState in [.queue, .failed, .hold, .queue] {
      for id in try spool.entries(state) {
        messages += try requests(id, state).filter(\.change.isDeparture).map(\.message)
      }
    }
    return messages
  }

  /// What the entry asks for; nothing for one that is about no message of the server, damaged ones of those too.
  private func requests(
    _ id: EntryID,
    _ state: EntryState
  ) throws(SpoolError) -> [MessageRequest] {
    do throws(SpoolError) {
      guard let entry = try spool.header(of: id, in: state), !entry.action.requests.isEmpty else {
        return []
      }
      return entry.unsettledRequests(try? spool.log(of: id))
    } catch {
      guard case .entry = error, try spool.hasMessage(id, in: state) else { throw error }
      return []
    }
  }
}
