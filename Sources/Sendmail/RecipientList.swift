internal import MIME
internal import Octets
internal import SMTP

/// The recipients in the value of a field, each read on its own.
///
/// A reader of mail makes one name of `Doe, Jane <jane@x.test>`; a sender must not, since `root, Jane <jane@x.test>`
/// names two.
struct RecipientList {
  /// The text of each recipient, without comments and names of groups.
  private(set) var items: [[UInt8]] = []

  private var item: [UInt8] = []
  private var commentDepth = 0
  private var isQuoted = false
  private var isBracketed = false
  private var isLiteral = false

  /// Takes a value apart.
  init(_ value: [UInt8]) {
    var rest = value[...]
    while let octet = rest.popFirst() {
      if octet == ASCII.backslash, let next = rest.popFirst() {
        if commentDepth == 0 { item += [octet, next] }
      } else {
        take(octet)
      }
    }
    end()
  }

  /// The address of each; for a bare word it is that.
  ///
  /// - Throws: `badAddress` for one that nothing can be sent to.
  func addresses() throws(LetterError) -> [SMTP.Address] {
    var result: [SMTP.Address] = []
    for item in items {
      for mailbox in MIME.Address.list(item[...], .native).flatMap(\.mailboxes) {
        let octets = mailbox.address.isEmpty ? mailbox.name : mailbox.address
        guard let address = try? SMTP.Address(octets),
          mailbox.domain.isEmpty || !mailbox.localPart.isEmpty
        else { throw .badAddress(octets) }
        result.append(address)
      }
    }
    return result
  }

  private mutating func take(_ octet: UInt8) {
    if isQuoted {
      isQuoted = octet != ASCII.quote
      return item.append(octet)
    }
    switch octet {
    case ASCII.openParenthesis: commentDepth += 1
    case ASCII.closeParenthesis: commentDepth = max(0, commentDepth - 1)
    case _ where commentDepth > 0: return
    case ASCII.comma where !isBracketed: return end()
    case ASCII.semicolon: return end()
    // What stands before was the name of a group.
    case ASCII.colon where !isBracketed && !isLiteral: item = []
    default:
      follow(octet)
      return item.append(octet)
    }
    item.append(ASCII.space)
  }

  private mutating func follow(_ octet: UInt8) {
    switch octet {
    case ASCII.quote: isQuoted = true
    case ASCII.lessThan: isBracketed = true
    case ASCII.greaterThan: isBracketed = false
    case ASCII.openBracket: isLiteral = true
    case ASCII.closeBracket: isLiteral = false
    default: break
    }
  }

  private mutating func end() {
    if item.contains(where: { !ASCII.isBlank($0) }) { items.append(item) }
    item = []
    (isBracketed, isLiteral) = (false, false)
  }
}
