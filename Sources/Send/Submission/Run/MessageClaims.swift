internal import MailModel
internal import Spool
internal import SpoolPlan

/// Which messages of the server have an entry that is not done with them, so that none after it overtakes it.
struct MessageClaims {
  private var first: [MessageReference: EntryID] = [:]

  /// The claims of the entries that wait for a person; what cannot be read claims nothing.
  init(_ spool: Spool) throws(SpoolError) {
    for state: EntryState in [.failed, .hold] {
      for id in try spool.entries(state) { add(id, spool, state) }
    }
  }

  /// Whether an entry for the message came before that one and is not done with it.
  func isHeld(_ message: MessageReference, _ id: EntryID) -> Bool {
    first[message].map { $0 < id } ?? false
  }

  /// Takes an entry that was worked on; nothing where it is done.
  mutating func add(_ id: EntryID, _ spool: Spool) {
    for state in EntryState.wanted { add(id, spool, state) }
  }

  private mutating func add(_ id: EntryID, _ spool: Spool, _ state: EntryState) {
    guard let entry = try? spool.header(of: id, in: state), !entry.action.requests.isEmpty
    else { return }
    for request in entry.unsettledRequests(try? spool.log(of: id)) {
      first[request.message] = min(first[request.message] ?? id, id)
    }
  }
}
