package import SearchIndex

extension SearchSet {
  /// The octets of a message that was found, as an archive has it.
  ///
  /// Nil where none has it, or those that had it no longer answer.
  /// An archive that has all attachments is preferred.
  package func archived(_ message: FoundMessage) -> [UInt8]? {
    var first: [UInt8]?
    for case let archive as Archive in archives
    where message.copies.contains(where: { $0.archive == archive.name }) {
      guard let octets = archive.message(message.id) else { continue }
      if !message.isPartial(octets) { return octets }
      first = first ?? octets
    }
    return first
  }
}
