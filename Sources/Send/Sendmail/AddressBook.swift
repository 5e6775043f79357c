internal import MIME
internal import Octets
package import SMTP

/// Finds out who gets a message: reads addresses, and follows aliases.
package struct AddressBook: Sendable {
  /// Gives the content of a list that aliases include, by its path.
  package typealias ListReader = @Sendable (_ path: [UInt8]) throws(AliasFileProblem) -> [UInt8]

  private let files: [Aliases]
  private let local: LocalNames
  private let readList: ListReader

  /// A book with the aliases of these files, of which the first that knows a name counts.
  ///
  /// A list is read only when a message goes to a name that leads to it.
  package init(
    _ files: [Aliases],
    _ local: LocalNames = LocalNames(),
    readList: @escaping ListReader = { (_) throws(AliasFileProblem) in throw .missing }
  ) {
    self.files = files
    self.local = local
    self.readList = readList
  }

  /// The addresses that a caller wrote in one argument, or an alias has behind it.
  ///
  /// - Throws: `badAddress` when it is none, or would be read as something else by a server.
  static func addresses(_ text: [UInt8]) throws(LetterError) -> [EnvelopeAddress] {
    guard !text.contains(where: ASCII.isControl) else { throw .badAddress(text) }
    let bare = text.drop(while: ASCII.isBlank).reversed().drop(while: ASCII.isBlank).reversed()
    if let address = try? EnvelopeAddress([UInt8](bare)) { return [try checked(address)] }
    guard !isOne(text) else { throw .badAddress(text) }
    let opened = text.count { $0 == ASCII.lessThan }
    guard opened == text.count(where: { $0 == ASCII.greaterThan }) else { throw .badAddress(text) }
    let addresses = try read(text)
    guard !addresses.isEmpty else { throw .badAddress(text) }
    return addresses
  }

  /// Whether the text can be nothing but one address: what is no list and has no name is not made out, but taken as it
  /// is or not at all, so that a slip of the keyboard sends nothing to a stranger.
  private static func isOne(_ text: [UInt8]) -> Bool {
    let syntax: [UInt8] = [UInt8](ascii: ",;:<>()\"")
    return text.contains(ASCII.at) && !text.contains(where: syntax.contains)
  }

  /// The address, if its domain can be one, and something stands before that.
  private static func checked(_ address: EnvelopeAddress) throws(LetterError) -> EnvelopeAddress {
    guard let at = address.octets.lastIndex(of: ASCII.at), address.hasDomain else { return address }
    let domain = address.octets[(at + 1)...]
    let isFine =
      domain.first != ASCII.dot && address.octets[..<at] != [ASCII.quote, ASCII.quote]
      && !zip(domain, domain.dropFirst()).contains { $0 == ASCII.dot && $1 == ASCII.dot }
    guard isFine else { throw .badAddress(address.octets) }
    return address
  }

  /// The addresses in the value of a field, bare names among them.
  static func read(_ value: [UInt8]) throws(LetterError) -> [EnvelopeAddress] {
    var result: [EnvelopeAddress] = []
    for address in try RecipientList(value).addresses() { result.append(try checked(address)) }
    return result
  }

  /// Looks whether each recipient in a list can be meant in one way only, whatever is behind it.
  ///
  /// - Throws: `badAddress` with the first that may be several, as where a comma is missing.
  package static func checkRecipients(in value: [UInt8]) throws(LetterError) {
    for item in RecipientList(value).items { try item.check() }
  }

  /// The recipients that a person names, each in a text of its own.
  ///
  /// - Throws: `badAddress`, `unknownNames`, `discarded`: nothing can be sent to one of them.
  package func recipients(named texts: [[UInt8]]) throws(LetterError) -> [Recipient] {
    var addresses: [EnvelopeAddress] = []
    for text in texts { addresses += try Self.addresses(text) }
    let recipients = try resolve(addresses)
    let unknown = recipients.map(\.address).filter { !$0.hasDomain }
    guard unknown.isEmpty else { throw .unknownNames(unknown.map(\.octets)) }
    guard !recipients.isEmpty else { throw .discarded }
    return recipients
  }

  /// The recipients behind these addresses, each once; names without a domain by their aliases, then by what is said of
  /// local names.
  ///
  /// Names that lead nowhere stay as they are: nothing can be sent to them, and the others get their mail.
  /// - Throws: `unknownNames` where no other recipient is left; `aliasLoop`, `badAlias`, `badList`.
  func resolve(_ addresses: [EnvelopeAddress]) throws(LetterError) -> [Recipient] {
    var walk = AliasWalk(files, local, readList)
    var recipients: [Recipient] = []
    for address in addresses {
      if let name = local.name(in: address), let found = try walk.addresses(behind: name) {
        recipients += found.map { Recipient($0, original: address) }
      } else {
        recipients.append(Recipient(address))
      }
    }
    var seen: Set<[UInt8]> = []
    recipients = recipients.filter { seen.insert(Self.withSmallDomain($0.address)).inserted }
    let unknown = recipients.map(\.address).filter { !$0.hasDomain }
    guard unknown.isEmpty || unknown.count < recipients.count else {
      throw .unknownNames(unknown.map(\.octets))
    }
    return recipients
  }

  /// What a name without a domain means, or an address that is no more than that here; `nil` for all others, and what leads
  /// nowhere.
  func meaning(of octets: [UInt8]) -> [[UInt8]]? {
    guard let address = try? EnvelopeAddress(octets), let name = local.name(in: address) else {
      return nil
    }
    var walk = AliasWalk(files, local, readList)
    guard let found = (try? walk.addresses(behind: name)) ?? nil, !found.isEmpty,
      found.allSatisfy(\.hasDomain)
    else { return nil }
    return found.map(\.octets)
  }

  /// The same address for all ways to write its domain.
  private static func withSmallDomain(_ address: EnvelopeAddress) -> [UInt8] {
    guard let (local, domain) = address.parts else { return address.octets }
    return local + [ASCII.at] + domain.map(ASCII.lowercased)
  }
}
