package import SearchIndex

extension SearchSet {
  /// The octets of a message that was found, as an archive has it; nil where none has it any more, or those that had it are out.
  package func archived(_ message: FoundMessage) -> [UInt8]? {
    for case let archive as Archive in archives
    where message.copies.contains(where: { $0.archive == archive.name }) {
      if let octets = archive.message(message.id) { return octets }
    }
    return nil
  }
}
