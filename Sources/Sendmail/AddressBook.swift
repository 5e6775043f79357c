internal import MIME
internal import Octets
package import SMTP

/// Finds out who gets a message: reads addresses, and follows aliases.
package struct AddressBook {
  /// How far aliases may lead.
  private static let depthLimit = 10

  private let aliases: Aliases

  /// A book with these aliases.
  package init(_ aliases: Aliases) {
    self.aliases = aliases
  }

  /// The addresses that a caller wrote in one argument, or an alias has behind it.
  ///
  /// - Throws: `badAddress` when it is none, or would be read as something else by a server.
  static func addresses(_ text: [UInt8]) throws(LetterError) -> [SMTP.Address] {
    guard !text.contains(where: ASCII.isControl) else { throw .badAddress(text) }
    let bare = text.drop(while: ASCII.isBlank).reversed().drop(while: ASCII.isBlank).reversed()
    if let address = try? SMTP.Address([UInt8](bare)) { return [try checked(address)] }
    guard !isOne(text) else { throw .badAddress(text) }
    let opened = text.count { $0 == ASCII.lessThan }
    guard opened == text.count(where: { $0 == ASCII.greaterThan }) else { throw .badAddress(text) }
    let addresses = try read(text)
    guard !addresses.isEmpty else { throw .badAddress(text) }
    return addresses
  }

  /// Whether the text can be nothing but one address: what is no list and has no name is not made out, but taken as it
  /// is or not at all, so that a slip of the keyboard sends nothing to somebody else.
  private static func isOne(_ text: [UInt8]) -> Bool {
    let syntax: [UInt8] = [UInt8](ascii: ",;:<>()\"")
    return text.contains(ASCII.at) && !text.contains(where: syntax.contains)
  }

  /// The address, if its domain can be one.
  private static func checked(_ address: SMTP.Address) throws(LetterError) -> SMTP.Address {
    guard let at = address.octets.lastIndex(of: ASCII.at), address.hasDomain else { return address }
    let domain = address.octets[(at + 1)...]
    let isFine =
      domain.first != ASCII.dot
      && !zip(domain, domain.dropFirst()).contains { $0 == ASCII.dot && $1 == ASCII.dot }
    guard isFine else { throw .badAddress(address.octets) }
    return address
  }

  /// The addresses in the value of a field.
  static func read(_ value: [UInt8]) throws(LetterError) -> [SMTP.Address] {
    var result: [SMTP.Address] = []
    for mailbox in MIME.Address.list(value[...], .native).flatMap(\.mailboxes) {
      guard let address = try? SMTP.Address(mailbox.address),
        mailbox.domain.isEmpty || !mailbox.localPart.isEmpty
      else { throw .badAddress(mailbox.address.isEmpty ? mailbox.name : mailbox.address) }
      result.append(try checked(address))
    }
    return result
  }

  /// The recipients behind these addresses, each once; names without a domain by their aliases.
  ///
  /// - Throws: `unknownNames` with all those that have none.
  func resolve(_ addresses: [SMTP.Address]) throws(LetterError) -> [Recipient] {
    var recipients: [Recipient] = []
    var unknown: [[UInt8]] = []
    for address in addresses {
      guard !address.hasDomain else {
        recipients.append(Recipient(address))
        continue
      }
      guard let found = try targets(of: address.octets, depth: 0) else {
        unknown.append(address.octets)
        continue
      }
      recipients += found.map { Recipient($0, original: address) }
    }
    guard unknown.isEmpty else { throw .unknownNames(unknown) }
    var seen: Set<SMTP.Address> = []
    return recipients.filter { seen.insert($0.address).inserted }
  }

  private func targets(of name: [UInt8], depth: Int) throws(LetterError) -> [SMTP.Address]? {
    guard depth < Self.depthLimit else { throw .aliasLoop(name) }
    guard let texts = aliases.targets(of: name) else { return nil }
    var result: [SMTP.Address] = []
    for text in texts {
      for address in try Self.addresses(text) {
        guard !address.hasDomain else {
          result.append(address)
          continue
        }
        guard let further = try targets(of: address.octets, depth: depth + 1) else { return nil }
        result += further
      }
    }
    return result
  }
}

extension SMTP.Address {
  /// Whether it says more than a name on this machine.
  package var hasDomain: Bool {
    octets.last.map { $0 != ASCII.quote } ?? false && octets.contains(ASCII.at)
  }
}
