internal import MailModel
internal import Octets

/// Reads what an entry asks for messages of the server: `Change` stands above the messages that it is about, and so do
/// `Mailbox` and `Uidvalidity`; `Uid` begins a message.
struct RequestLines {
  /// What the lines so far say of the messages that follow.
  private enum Place {
    case nothing
    case change(MessageRequest.Change)
    case mailbox(MessageRequest.Change, [UInt8])
    case messages(MessageRequest.Change, [UInt8], validity: UInt32)
  }

  private var place = Place.nothing
  private var requests: [MessageRequest] = []

  /// The number of the first line; `nil` where there is none.
  private(set) var firstLine: Int?

  /// Whether a message stands below the last `Change` and `Mailbox`.
  private var isUsed = true

  /// Reads a line about messages of the server; `false` for any other.
  mutating func readField(
    _ field: EntryField,
    _ value: [UInt8],
    _ line: Int
  ) throws(EntryError) -> Bool {
    switch (field, place) {
    // Of a message that is to go somewhere.
    case (.mailbox, .nothing), (.messageID, .nothing): return false
    case (.change, _), (.mailbox, _), (.validity, _), (.uid, _), (.baseName, _), (.messageID, _):
      guard readField(field, value) else { throw .malformed(line: line) }
      firstLine = firstLine ?? line
      return true
    default: return false
    }
  }

  private mutating func readField(_ field: EntryField, _ value: [UInt8]) -> Bool {
    switch field {
    case .change: takeChange(value)
    case .mailbox: takeMailbox(value)
    case .validity: takeValidity(value)
    case .uid: takeUID(value)
    default: takeName(field, value)
    }
  }

  private mutating func takeChange(_ value: [UInt8]) -> Bool {
    guard isUsed, let change = RequestText.change(value) else { return false }
    (place, isUsed) = (.change(change), false)
    return true
  }

  private mutating func takeMailbox(_ value: [UInt8]) -> Bool {
    guard let name = PercentEscape.unescape(value) else { return false }
    switch place {
    case .change(let change): place = .mailbox(change, name)
    case .messages(let change, _, _) where isUsed: place = .mailbox(change, name)
    case .nothing, .mailbox, .messages: return false
    }
    isUsed = false
    return true
  }

  private mutating func takeValidity(_ value: [UInt8]) -> Bool {
    guard case .mailbox(let change, let name) = place,
      let validity: UInt32 = EntryText.number(value)
    else { return false }
    place = .messages(change, name, validity: validity)
    return true
  }

  private mutating func takeUID(_ value: [UInt8]) -> Bool {
    guard case .messages(let change, let name, let validity) = place,
      let uid: UInt32 = EntryText.number(value)
    else { return false }
    let message = MessageReference(
      mailbox: name,
      validity: validity,
      uid: uid,
      baseName: nil,
      messageID: nil
    )
    requests.append(MessageRequest(change, of: message))
    isUsed = true
    return true
  }

  /// Takes what else is said of the last message: the name of its file first, its Message-ID behind it.
  private mutating func takeName(_ field: EntryField, _ value: [UInt8]) -> Bool {
    guard isUsed, let last = requests.indices.last, requests[last].message.messageID == nil,
      let text = PercentEscape.unescape(value)
    else { return false }
    if field == .messageID {
      requests[last].message.messageID = text
    } else {
      guard requests[last].message.baseName == nil else { return false }
      requests[last].message.baseName = text
    }
    return true
  }

  /// All that is asked for.
  func all() throws(EntryError) -> [MessageRequest] {
    guard !requests.isEmpty else { throw .missing(EntryField.change.rawValue) }
    guard isUsed else { throw .missing(EntryField.uid.rawValue) }
    return requests
  }
}

/// The way of a change into a line, and back: `flags +\Seen -$Junk`, `move Archive/2026`, `trash`, `expunge`.
enum RequestText {
  static func octets(_ change: MessageRequest.Change) -> [UInt8] {
    switch change {
    case .flags(let added, let removed):
      let words = added.map { word(ASCII.plus, $0) } + removed.map { word(ASCII.minus, $0) }
      return [UInt8](([[UInt8](ascii: "flags")] + words).joined(separator: [ASCII.space]))
    case .move(let target): return [UInt8](ascii: "move ") + EntryText.escape(target)
    case .trash: return [UInt8](ascii: "trash")
    case .expunge: return [UInt8](ascii: "expunge")
    }
  }

  /// The change that a line is about; `nil` for any other line.
  static func change(_ line: [UInt8]) -> MessageRequest.Change? {
    var cursor = Cursor(line)
    let word = cursor.take { $0 != ASCII.space }
    let hasMore = cursor.skip(ASCII.space)
    switch String(decoding: word, as: UTF8.self) {
    case "flags": return flags(cursor.remaining)
    case "move":
      let target = PercentEscape.unescape(cursor.remaining)
      return target.flatMap { $0.isEmpty ? nil : .move(to: $0) }
    case "trash": return hasMore ? nil : .trash
    case "expunge": return hasMore ? nil : .expunge
    default: return nil
    }
  }

  private static func word(_ sign: UInt8, _ flag: [UInt8]) -> [UInt8] {
    [sign] + EntryText.escapeWord(flag)
  }

  private static func flags(_ text: ArraySlice<UInt8>) -> MessageRequest.Change? {
    var (added, removed): ([[UInt8]], [[UInt8]]) = ([], [])
    for word in text.split(separator: ASCII.space) {
      guard word.count > 1, let flag = PercentEscape.unescape(word.dropFirst()) else { return nil }
      switch word.first {
      case ASCII.plus: added.append(flag)
      case ASCII.minus: removed.append(flag)
      default: return nil
      }
    }
    return .flags(adding: added, removing: removed)
  }
}
