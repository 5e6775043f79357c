internal import MailModel
internal import Octets
internal import SMTP

extension Entry {
  /// The version of the format of entries that a checksum seals; the others are of the one before.
  package static let version = 2

  /// The version of the format of entries that an agent wrote: programs which do not know that they wait for a person leave
  /// them alone.
  package static let agentVersion = 3

  /// The header of the entry as the file has it, with the empty line behind it.
  package var header: [UInt8] {
    var encoder = EntryEncoder()
    encoder.encode(self)
    return encoder.octets + [ASCII.lineFeed]
  }
}

/// Writes the header of an entry.
struct EntryEncoder {
  private(set) var octets: [UInt8] = []

  mutating func encode(_ entry: Entry) {
    add(.version, [UInt8](decimal: Self.version(of: entry)))
    add(.kind, [UInt8](entry.action.kind.utf8))
    add(.id, entry.id.octets)
    add(.account, EntryText.escape([UInt8](entry.account.utf8)))
    add(.queued, Timestamp.octets(entry.queued))
    add(.agent, ifPresent: entry.action.agent)
    switch entry.action {
    case .send(let sending): encode(sending)
    case .append(let appending): encode(appending)
    case .change(let requests): encode(requests)
    }
    guard let seal = entry.seal else { return }
    add(.size, [UInt8](decimal: seal.size))
    switch seal.checksum {
    case .hash64(let value): add(.checksum, Hex.digits(value))
    case .sha256(let digest): add(.digest, Hex.encode(digest))
    }
  }

  private static func version(of entry: Entry) -> Int {
    if entry.action.agent != nil { return Entry.agentVersion }
    return switch entry.seal?.checksum {
    case .hash64: Entry.version
    case .sha256, nil: Entry.version - 1
    }
  }

  private mutating func encode(_ sending: Sending) {
    add(.from, Self.path(sending.envelope.reversePath))
    for recipient in sending.envelope.recipients {
      add(.to, Self.path(recipient.address))
      if let original = recipient.original { add(.original, Self.path(original)) }
      if let notification = recipient.notification {
        add(.notify, NotificationText.octets(notification))
      }
    }
    switch sending.envelope.returned {
    case .full: add(.returned, [UInt8](ascii: "full"))
    case .headers: add(.returned, [UInt8](ascii: "headers"))
    case nil: break
    }
    add(.identifier, ifPresent: sending.envelope.identifier)
    add(.blindCopies, ifPresent: sending.blindCopies)
    add(.label, ifPresent: sending.label)
    if let moment = sending.notBefore { add(.notBefore, Timestamp.octets(moment)) }
    if let copy = sending.copy { add(.then, Self.then(copy)) }
    add(.messageID, ifPresent: sending.messageID)
  }

  /// `append "Sent" \Seen`, or `append \Sent \Seen` for the mailbox with that role.
  private static func then(_ copy: SentCopy) -> [UInt8] {
    let mailbox =
      copy.mailbox.map { [ASCII.quote] + EntryText.escapeQuoted($0) + [ASCII.quote] }
      ?? EntryText.sentRole
    let words = [[UInt8](ascii: "append"), mailbox] + copy.flags.map(EntryText.escapeWord)
    return [UInt8](words.joined(separator: [ASCII.space]))
  }

  private mutating func encode(_ appending: Appending) {
    add(.mailbox, EntryText.escape(appending.mailbox))
    add(.flags, Self.words(appending.flags))
    if let date = appending.date { add(.date, Timestamp.octets(date)) }
    add(.messageID, ifPresent: appending.messageID)
  }

  /// What several messages have in common, the change or the mailbox, is written once, above them.
  private mutating func encode(_ requests: [MessageRequest]) {
    var last: MessageRequest?
    for request in requests {
      let message = request.message
      let isOther = last?.change != request.change
      if isOther { add(.change, RequestText.octets(request.change)) }
      if isOther || last?.message.mailbox != message.mailbox
        || last?.message.validity != message.validity
      {
        add(.mailbox, EntryText.escape(message.mailbox))
        add(.validity, [UInt8](decimal: message.validity))
      }
      add(.uid, [UInt8](decimal: message.uid))
      add(.baseName, ifPresent: message.baseName)
      add(.messageID, ifPresent: message.messageID)
      last = request
    }
  }

  private static func path(_ address: EnvelopeAddress?) -> [UInt8] {
    [ASCII.lessThan] + EntryText.escape(address?.octets ?? []) + [ASCII.greaterThan]
  }

  private static func words(_ words: [[UInt8]]) -> [UInt8] {
    [UInt8](words.map(EntryText.escapeWord).joined(separator: [ASCII.space]))
  }

  private mutating func add(_ field: EntryField, ifPresent value: [UInt8]?) {
    if let value { add(field, EntryText.escape(value)) }
  }

  private mutating func add(_ field: EntryField, _ value: [UInt8]) {
    octets += field.rawValue.utf8
    octets += value.isEmpty ? [ASCII.colon] : [ASCII.colon, ASCII.space]
    octets += value
    octets.append(ASCII.lineFeed)
  }
}
