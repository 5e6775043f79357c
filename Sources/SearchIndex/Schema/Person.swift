/// A sender or receiver as the index keeps it.
package struct Person: Hashable, Sendable {
  /// The name for people, UTF-8; may be empty.
  package let name: [UInt8]

  /// The address; may be empty.
  package let address: [UInt8]

  /// A person of a name and an address.
  package init(name: [UInt8], address: [UInt8]) {
    self.name = name
    self.address = address
  }
}

extension Person {
  /// The person as one reads it: `Name <address>`, or the one of them that there is.
  package var text: [UInt8] {
    if name.isEmpty { return address }
    if address.isEmpty { return name }
    return name + [0x20, 0x3C] + address + [0x3E]
  }

  /// The name, or the address where there is none.
  package var shortName: [UInt8] { name.isEmpty ? address : name }
}
