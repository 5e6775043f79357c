internal import Octets

/// What a label of a message is here, where labels are tags (Gmail's X-GM-LABELS).
package enum LabelMeaning: Hashable, Sendable {
  /// A tag of this name.
  case tag([UInt8])
  /// The flag D: the message is a draft.
  case draft
  /// Nothing: it is told otherwise, or is one of the server's that no program knows.
  case none
  /// A label that no tag can stand for.
  case unusable

  /// What the label means that has these octets on the wire: a name in modified UTF-7, or one of the server's with a backslash.
  package init(label: [UInt8]) {
    if label.first == ASCII.backslash {
      self = Self.system.first { label.equalsCaseless($0.0) }?.1 ?? .none
      return
    }
    guard let name = ModifiedUTF7.decode(label) else {
      self = .unusable
      return
    }
    let folded = name.map { ASCII.lowercased($0) }
    let isTaken = TagName.isReserved(folded) || Self.isPrefixed(folded)
    let tag = isTaken ? Self.prefix + folded : folded
    self = TagName.isOne(folded) && TagName.isOne(tag) ? .tag(tag) : .unusable
  }

  /// Whether a name is that of a flag or a keyword of IMAP, and of no label.
  package static func isFlag(_ name: [UInt8]) -> Bool {
    name.first == ASCII.dollar || name.first == ASCII.backslash
  }

  /// The label that stands for a tag, on the wire; nil where none does, or the server alone sets it.
  package static func label(of tag: [UInt8]) -> [UInt8]? {
    if let own = settable.first(where: { tag.equalsCaseless($0.tag) }) { return own.label }
    let isPrefixed = tag.count > prefix.count && prefix.equalsCaseless(tag.prefix(prefix.count))
    guard let label = ModifiedUTF7.encode(isPrefixed ? Array(tag.dropFirst(prefix.count)) : tag),
      case .tag(let meant) = LabelMeaning(label: label), meant.equalsCaseless(tag)
    else { return nil }
    return label
  }

  /// The labels of the server that clients set.
  private static let settable: [(tag: [UInt8], label: [UInt8])] = [
    (TagName.inbox, [UInt8](ascii: "\\Inbox")),
    ([UInt8](ascii: "important"), [UInt8](ascii: "\\Important")),
  ]

  /// The labels of the server: `\Starred` is the flag `\Flagged` already.
  private static let system: [(StaticString, LabelMeaning)] = [
    ("\\Inbox", .tag(TagName.inbox)), ("\\Important", .tag([UInt8](ascii: "important"))),
    ("\\Sent", .tag([UInt8](ascii: "sent"))), ("\\Muted", .tag([UInt8](ascii: "muted"))),
    ("\\Draft", .draft), ("\\Drafts", .draft),
  ]

  private static let prefix = [UInt8](ascii: "label:")

  /// Whether the tag would be taken for that of another label, or stays a keyword of IMAP.
  private static func isPrefixed(_ name: [UInt8]) -> Bool {
    name.starts(with: prefix) || name.first == UInt8(ascii: "$")
  }
}
