package import MailModel
internal import MIME
internal import Octets

/// What programs noted of a message in its header, beside what the message is: taken off, and read.
package struct ContainerFields: Hashable, Sendable {
  /// The header without these fields.
  package let rest: [UInt8]
  /// Flags; `.seen` among them unless something says that the message is unread, or nothing says anything.
  package let flags: SystemFlags
  /// Whether something says if the message was read.
  package let tellsSeen: Bool
  /// Tags, each once, without those that are flags.
  package let tags: [[UInt8]]
  /// What Google's own labels say.
  package let labels: Set<GmailLabel>
  /// The tags that are labels which a person made, as far as it is known.
  package let ownLabels: [[UInt8]]
  /// Whether it was deleted, and only not removed from its file yet.
  package let isDeleted: Bool
  /// Whether it is no mail: what pine and Dovecot put on top of an mbox to keep its state.
  package let isState: Bool
  /// Whether there is a field at all.
  package let hasFields: Bool
  /// The id of the message, without its brackets; nil where it has none.
  package let messageID: [UInt8]?

  /// Reads a header with its line ends; `keepsFields` leaves the fields in it.
  package init(
    _ header: [UInt8],
    keepsFields: Bool = false,
    _ labels: GmailLabels = GmailLabels()
  ) {
    var reading = Reading(known: labels)
    let fields = HeaderLines(header).fields
    var rest: [UInt8] = []
    for (name, raw) in fields {
      guard let field = Field(name) else {
        rest += raw
        continue
      }
      if keepsFields { rest += raw }
      let value = HeaderLines.value(raw).filter { $0 != ASCII.carriageReturn }
        .map { $0 == ASCII.lineFeed ? ASCII.space : $0 }
      reading.add(field, HeaderLines.trimmed(value[...]))
    }
    self.rest = rest
    flags = reading.flags
    tellsSeen = reading.tellsSeen
    tags = reading.tags
    self.labels = reading.labels
    ownLabels = reading.ownLabels
    isDeleted = reading.isDeleted
    isState = Self.isState(fields)
    hasFields = fields.contains { !$0.name.isEmpty }
    messageID =
      fields.first { $0.name.equalsCaseless("Message-ID") }
      .flatMap { MessageID(Self.unfolded(HeaderLines.value($0.raw))) }?.octets
  }

  /// A header without the fields that an mbox says anew, or that would be wrong in one.
  package static func withoutNotes(_ header: [UInt8]) -> [UInt8] {
    var rest: [UInt8] = []
    for (name, raw) in HeaderLines(header).fields {
      switch Field(name) {
      case nil, .labels: rest += raw
      case .other where name.equalsCaseless("X-GM-THRID"): rest += raw
      default: break
      }
    }
    return rest
  }

  private static func isState(_ fields: HeaderLines.Fields) -> Bool {
    let keepsState = fields.contains { name, _ in
      name.equalsCaseless("X-IMAP") || name.equalsCaseless("X-IMAPbase")
    }
    guard keepsState, let subject = fields.first(where: { $0.name.equalsCaseless("Subject") })
    else { return false }
    let text = HeaderLines.trimmed(unfolded(HeaderLines.value(subject.raw))[...])
    return text.elementsEqual("DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA".utf8)
  }

  private static func unfolded(_ value: ArraySlice<UInt8>) -> [UInt8] {
    value.filter { $0 != ASCII.carriageReturn && $0 != ASCII.lineFeed }
  }

  /// A field that the program which keeps a mailbox writes.
  private enum Field {
    case status, otherStatus, keywords, mozillaStatus, mozillaStatus2, mozillaKeys, labels
    /// It says nothing of the message.
    case other

    init?(_ name: ArraySlice<UInt8>) {
      guard let first = name.first, Self.initials.contains(ASCII.lowercased(first)) else {
        return nil
      }
      guard let found = Self.names.first(where: { name.equalsCaseless($0.name) }) else {
        return nil
      }
      self = found.field
    }

    private static let initials = [UInt8](ascii: "sxcl")

    private static let names: [(name: StaticString, field: Field)] = [
      ("Status", .status), ("X-Status", .otherStatus), ("X-Keywords", .keywords),
      ("X-UID", .other), ("X-IMAP", .other), ("X-IMAPbase", .other), ("Content-Length", .other),
      ("Lines", .other), ("X-Mozilla-Status", .mozillaStatus),
      ("X-Mozilla-Status2", .mozillaStatus2), ("X-Mozilla-Keys", .mozillaKeys),
      ("X-GM-THRID", .other), ("X-Gmail-Labels", .labels),
    ]
  }

  /// What the fields say together.
  private struct Reading {
    let known: GmailLabels
    var flags: SystemFlags = []
    var tellsSeen = false
    var tags: [[UInt8]] = []
    /// The same with small letters: a stranger may write very many.
    private var knownTags: Set<[UInt8]> = []
    var labels: Set<GmailLabel> = []
    var ownLabels: [[UInt8]] = []
    var isDeleted = false

    init(known: GmailLabels) { self.known = known }

    mutating func add(_ field: Field, _ value: ArraySlice<UInt8>) {
      switch field {
      case .status:
        tellsSeen = true
        if value.contains(UInt8(ascii: "R")) { flags.insert(.seen) }
        if value.contains(UInt8(ascii: "D")) { isDeleted = true }
      case .otherStatus:
        if value.contains(UInt8(ascii: "A")) { flags.insert(.answered) }
        if value.contains(UInt8(ascii: "F")) { flags.insert(.flagged) }
        // As c-client, Dovecot, mutt and Python write it: D is deleted, T a draft.
        if value.contains(UInt8(ascii: "D")) { isDeleted = true }
        if value.contains(UInt8(ascii: "T")) { flags.insert(.draft) }
      case .keywords:
        let separator = value.contains(ASCII.comma) ? ASCII.comma : ASCII.space
        addTags(value.split(separator: separator))
      case .mozillaStatus: addMozilla(value)
      case .mozillaStatus2, .other: break
      case .mozillaKeys: addTags(value.split(separator: ASCII.space))
      case .labels: addLabels(value)
      }
    }

    /// The bits of Thunderbird: 1 read, 2 replied, 4 flagged, 8 deleted, 0x1000 passed on.
    private mutating func addMozilla(_ value: ArraySlice<UInt8>) {
      guard let bits = Int(String(decoding: value, as: UTF8.self), radix: 16) else { return }
      tellsSeen = true
      if bits & 0x0001 != 0 { flags.insert(.seen) }
      if bits & 0x0002 != 0 { flags.insert(.answered) }
      if bits & 0x0004 != 0 { flags.insert(.flagged) }
      if bits & 0x1000 != 0 { flags.insert(.forwarded) }
      if bits & 0x0008 != 0 { isDeleted = true }
    }

    private mutating func addLabels(_ value: ArraySlice<UInt8>) {
      for label in GmailLabels.split(value) {
        guard let meaning = known[label] else {
          ownLabels.append(label)
          addTags([label[...]])
          continue
        }
        labels.insert(meaning)
        switch meaning {
        case .unread:
          tellsSeen = true
          flags.remove(.seen)
        case .starred: flags.insert(.flagged)
        case .draft: flags.insert(.draft)
        case .opened: if !tellsSeen { flags.insert(.seen) }
        case .inbox, .sent, .trash, .spam, .archived, .none: break
        }
      }
    }

    private mutating func addTags(_ found: [ArraySlice<UInt8>]) {
      for word in found {
        let tag = Array(HeaderLines.trimmed(word))
        guard !tag.isEmpty, !tag.contains(where: { ASCII.isControl($0) }) else { continue }
        if let flag = Self.flag(tag) {
          flags.insert(flag)
        } else if knownTags.insert(tag.map { ASCII.lowercased($0) }).inserted {
          tags.append(tag)
        }
      }
    }

    private static func flag(_ tag: [UInt8]) -> SystemFlags? {
      tag.equalsCaseless("$Forwarded") ? .forwarded : nil
    }
  }
}
