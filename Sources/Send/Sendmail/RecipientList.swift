internal import Octets
internal import SMTP

/// The recipients in the value of a field, each read on its own.
///
/// A reader of mail makes one name of `Doe, Jane <jane@x.test>`; a sender must not, since `root, Jane <jane@x.test>`
/// names two.
struct RecipientList {
  /// What was written for each recipient.
  private(set) var items: [RecipientItem] = []

  private var item = RecipientItem()
  private var commentDepth = 0
  private var isQuoted = false
  private var isBracketed = false
  private var isLiteral = false

  /// Takes a value apart.
  init(_ value: [UInt8]) {
    var rest = value[...]
    while let octet = rest.popFirst() {
      if octet == ASCII.backslash, let next = rest.popFirst() {
        item.written += [octet, next]
        if commentDepth == 0 { item.text += [octet, next] }
      } else {
        readOctet(octet)
      }
    }
    item.hasOpenComment = commentDepth > 0
    end()
  }

  /// The address of each; for a bare word it is that.
  ///
  /// - Throws: `badAddress` for one that nothing can be sent to, or that may be more than one.
  func addresses() throws(LetterError) -> [EnvelopeAddress] {
    var result: [EnvelopeAddress] = []
    for item in items { result += try item.addresses() }
    return result
  }

  private mutating func readOctet(_ octet: UInt8) {
    if !isEnd(octet) { item.written.append(octet) }
    if isQuoted {
      isQuoted = octet != ASCII.quote
      return item.text.append(octet)
    }
    switch octet {
    case ASCII.openParenthesis: commentDepth += 1
    case ASCII.closeParenthesis: commentDepth = max(0, commentDepth - 1)
    case _ where commentDepth > 0: return
    case _ where isEnd(octet): return end()
    // What stands before was the name of a group.
    case ASCII.colon where !isBracketed && !isLiteral && !namesAddress: item.text = []
    default:
      follow(octet)
      return item.text.append(octet)
    }
    item.text.append(ASCII.space)
  }

  /// Whether the octet stands between two recipients.
  private func isEnd(_ octet: UInt8) -> Bool {
    guard !isQuoted, commentDepth == 0 else { return false }
    return octet == ASCII.semicolon || octet == ASCII.comma && !isBracketed
  }

  /// Whether what was read of the item is no mere name.
  private var namesAddress: Bool { RecipientMarks.isBeyondName(item.text) }

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
    if !item.isEmpty { items.append(item) }
    item = RecipientItem()
    (isBracketed, isLiteral) = (false, false)
  }
}
