internal import Octets
package import Platform

extension StateStore {
  /// The ids of all mailboxes that have a map, whether it can be read or not.
  package func recorded() throws(SystemError) -> Set<UInt64> {
    guard try FileSystem.status(mailboxes) != nil else { return [] }
    var ids: Set<UInt64> = []
    _ = try FileSystem.entries(of: mailboxes) { name, _ in
      guard name.count == 20, name.suffix(4).elementsEqual(".map".utf8),
        let id = Hex.value([UInt8](name.prefix(16)))
      else { return }
      ids.insert(id)
    }
    return ids
  }

  /// The header of a mailbox's map; nil where it cannot be read.
  package func header(of id: UInt64) throws(SystemError) -> MailboxHeader? {
    guard let header = try header(in: file(id, "map")), header.id == id else { return nil }
    return header
  }
}
