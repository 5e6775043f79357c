internal import MIME
internal import Octets

/// A sender or receiver as the index keeps it.
package struct Person: Hashable, Sendable {
  /// The name for people, UTF-8; may be empty.
  package let name: [UInt8]

  /// The address; may be empty.
  package let address: [UInt8]

  package init(name: [UInt8], address: [UInt8]) {
    self.name = name
    self.address = address
  }
}

extension Person {
  /// How many people of one field are indexed, and how much of the field is looked at for them.
  private static let limit = 5000
  private static let fieldLimit = 1 << 20

  /// Those in the fields of a name.
  static func list(
    in header: Header,
    _ name: StaticString,
    _ decoder: CharsetDecoder
  ) -> [Person] {
    var people: [Person] = []
    for field in header.all(name) where people.count < limit {
      let mailboxes = Address.list(field.body.prefix(fieldLimit), decoder).lazy.flatMap(\.mailboxes)
      people += mailboxes.prefix(limit - people.count)
        .map { Person(name: bare($0.name), address: $0.address) }
    }
    return people
  }

  /// A name without the quotation marks that some programs encode with it.
  private static func bare(_ name: [UInt8]) -> [UInt8] {
    guard name.first == ASCII.quote || name.last == ASCII.quote else { return name }
    return [UInt8](name.drop { $0 == ASCII.quote }.reversed().drop { $0 == ASCII.quote }.reversed())
  }

  /// The person as one reads it: `Name <address>`, or the one of them that there is.
  package var text: [UInt8] {
    if name.isEmpty { return address }
    if address.isEmpty { return name }
    return name + [0x20, 0x3C] + address + [0x3E]
  }

  /// The person as a header has it (RFC 5322 §3.4, name in UTF-8): the name in quotation marks where it has to be.
  package var nameAddress: [UInt8] {
    let specials = Array("()<>[]:;@\\,.\"".utf8)
    guard !name.isEmpty, !address.isEmpty, name.contains(where: { specials.contains($0) }) else {
      return text
    }
    let escaped = name.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] }
    return [0x22] + escaped + [0x22, 0x20, 0x3C] + address + [0x3E]
  }

  /// The name, or the address where there is none.
  package var shortName: [UInt8] { name.isEmpty ? address : name }
}
