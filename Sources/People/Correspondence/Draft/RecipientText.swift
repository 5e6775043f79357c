package import MIME
internal import Octets
package import Sendmail

/// Recipients as people and programs write them.
package enum RecipientText {
  /// The addresses in a text.
  ///
  /// - Throws: `badAddress` where one of them is none, or may be several.
  package static func addresses(
    _ text: [UInt8],
    _ decoder: CharsetDecoder
  ) throws(LetterError) -> [Address] {
    // A line end within an address would have what follows it taken for a part of it.
    guard !text.contains(where: ASCII.isControl) else { throw .badAddress(text) }
    try AddressBook.checkRecipients(in: text)
    let found = Address.list(text[...], decoder)
    guard !found.isEmpty, found.flatMap(\.mailboxes).allSatisfy(\.canBeRecipient) else {
      throw .badAddress(text)
    }
    return found
  }
}
