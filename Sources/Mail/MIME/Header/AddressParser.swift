internal import Octets

/// Reads a list of addresses from left to right, one character after the other.
struct AddressParser {
  private var scanner: AddressScanner
  private let decoder: CharsetDecoder
  private var draft = AddressDraft()
  private var result: [Address] = []
  private var group: (name: [UInt8], members: [Mailbox])?

  /// Whether the mailbox before this one is a bare name that a comma may have cut in two.
  private var followsBareName = false

  init(_ text: ArraySlice<UInt8>, _ decoder: CharsetDecoder) {
    scanner = AddressScanner(text)
    self.decoder = decoder
  }

  mutating func parse() -> [Address] {
    while let token = scanner.next() {
      switch token {
      case .word(let word): draft.append(word)
      case .comment(let text): draft.comment = draft.comment ?? text
      case .special(let octet): readOctet(octet)
      }
    }
    endMailbox(isCut: false)
    endGroup()
    return result
  }

  private mutating func readOctet(_ octet: UInt8) {
    switch octet {
    case ASCII.lessThan: draft.openBracket()
    case ASCII.greaterThan: draft.closeBracket()
    case ASCII.comma where draft.isInRoute: draft.dropBracketed()
    case ASCII.comma: endMailbox(isCut: true)
    case ASCII.semicolon:
      endMailbox(isCut: false)
      endGroup()
    case ASCII.colon: takeColon()
    default: break
    }
  }

  /// A colon ends a route, the name of a group, or a `mailto`.
  private mutating func takeColon() {
    if draft.isBracketed {
      draft.dropBracketed()
    } else if draft.isScheme {
      draft = AddressDraft()
    } else if group == nil, !draft.hasAddress {
      group = (EncodedWord.decode(draft.phrase[...], decoder), [])
      draft = AddressDraft()
      followsBareName = false
    }
  }

  private mutating func endMailbox(isCut: Bool) {
    defer { draft = AddressDraft() }
    guard !draft.isEmpty else { return }
    let isBareName = isCut && draft.isBareName
    if followsBareName, draft.hasName, draft.isClosed, let name = removeLast() {
      draft.prepend(name)
    }
    append(draft.mailbox(decoder))
    followsBareName = isBareName
  }

  private mutating func append(_ mailbox: Mailbox) {
    if group == nil {
      result.append(.mailbox(mailbox))
    } else {
      group?.members.append(mailbox)
    }
  }

  /// Takes back the name that was the mailbox before.
  private mutating func removeLast() -> [UInt8]? {
    if group != nil { return group?.members.popLast()?.name }
    guard case .mailbox(let mailbox)? = result.popLast() else { return nil }
    return mailbox.name
  }

  private mutating func endGroup() {
    followsBareName = false
    guard let (name, members) = group else { return }
    result.append(.group(name, members))
    group = nil
  }
}
