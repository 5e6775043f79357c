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
