package import Octets
package import SpoolPlan

/// An entry with its message, which is the right one.
package struct StoredEntry: Sendable {
  /// What its header says.
  package let entry: Entry

  /// The message, in its file, which stays readable wherever the entry goes; `nil` where the action has none.
  package let message: (any OctetSource)?

  /// The part of the entry for a user who has no mailboxes of the account: the message is sent, and not copied.
  ///
  /// `nil` where it requests anything else.
  package var sendingAlone: StoredEntry? {
    guard case .send(let sending) = entry.action else { return nil }
    let alone = Entry(
      id: entry.id,
      account: entry.account,
      queued: entry.queued,
      action: .send(sending.withoutCopy),
      seal: entry.seal
    )
    return StoredEntry(entry: alone, message: message)
  }

  /// The first 64 KiB of the message; none where the action has none.
  package var beginning: ArraySlice<UInt8> {
    get throws(SpoolError) { try octets(1 << 16) }
  }

  /// The whole message; none where the action has none.
  package var wholeMessage: [UInt8] {
    get throws(SpoolError) { [UInt8](try octets(.max)) }
  }

  private func octets(_ limit: Int) throws(SpoolError) -> ArraySlice<UInt8> {
    guard let message else { return [] }
    do throws(SourceError) {
      return try message.octets(in: 0..<min(message.count, limit))
    } catch {
      throw .message(error)
    }
  }
}
