package import SearchIndex

extension SearchSet {
  /// The octets of a message that was found, as an archive has it; nil where none has it any more, or those that had it are out.
  ///
  /// Those of one that has all that is attached, where there is any.
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
