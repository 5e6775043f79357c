internal import MailModel
internal import Octets
internal import SMTP

extension Entry {
  /// Reads the header of an entry.
  ///
  /// - Parameter file: the file, or at least its header.
  /// - Returns: the entry and where its message begins. Whether that is the right one is not looked at.
  /// - Throws: `EntryError` when it cannot be worked on.
  package static func decode(
    _ file: [UInt8]
  ) throws(EntryError) -> (entry: Entry, messageStart: Int) {
    var decoder = try EntryDecoder(file)
    return (try decoder.entry(), decoder.messageStart)
  }
}

extension Entry {
  /// Whether the file says of itself, in its second line, that it carries a message, whatever is wrong with the others.
  package static func claimsMessage(_ file: [UInt8]) -> Bool {
    let lines = file.split(separator: ASCII.lineFeed, maxSplits: 2)
    guard lines.count > 1 else { return false }
    let line = String(decoding: lines[1], as: UTF8.self)
    return ["send", "append"].contains { line == "\(EntryField.kind.rawValue): \($0)" }
  }
}

/// Reads the header of an entry: every line is understood, or the entry is refused.
struct EntryDecoder {
  private var values: [EntryField: (line: Int, octets: [UInt8])] = [:]
  private var recipients: [Recipient] = []
  private var requests = RequestLines()
  private(set) var messageStart = 0

  init(_ file: [UInt8]) throws(EntryError) {
    var cursor = Cursor(file)
    var number = 0
    while true {
      guard let line = cursor.take(upTo: ASCII.lineFeed), cursor.skip(ASCII.lineFeed) else {
        throw number == 0 ? .notAnEntry : .malformed(line: number + 1)
      }
      number += 1
      guard !line.isEmpty else { break }
      try readLine(line, number)
    }
    messageStart = cursor.remaining.startIndex
    guard number > 1 else { throw .notAnEntry }
  }

  private mutating func readLine(_ line: ArraySlice<UInt8>, _ number: Int) throws(EntryError) {
    guard let colon = line.firstIndex(of: ASCII.colon),
      let field = EntryField(rawValue: String(decoding: line[..<colon], as: UTF8.self))
    else { throw number == 1 ? .notAnEntry : .malformed(line: number) }
    var value = [UInt8](line[(colon + 1)...])
    if value.first == ASCII.space { value.removeFirst() }
    if number == 1 {
      guard field == .version else { throw .notAnEntry }
      let versions = (1...Entry.agentVersion).map { [UInt8](decimal: $0) }
      guard versions.contains(value) else { throw .unknownVersion(value) }
    }
    if field == .kind { try Self.checkKind(value) }
    guard try !takeRecipient(field, value, number),
      try !requests.readField(field, value, number)
    else { return }
    guard values.updateValue((number, value), forKey: field) == nil else {
      throw .malformed(line: number)
    }
  }

  /// What follows in an entry of a former kind is not understood.
  private static func checkKind(_ value: [UInt8]) throws(EntryError) {
    let kind = String(decoding: value, as: UTF8.self)
    if ["flags", "move", "delete"].contains(kind) { throw .formerKind(kind) }
  }

  /// Takes a field that stands once for each recipient; `false` for any other.
  private mutating func takeRecipient(
    _ field: EntryField,
    _ value: [UInt8],
    _ line: Int
  ) throws(EntryError) -> Bool {
    switch field {
    case .to:
      guard let address = try Self.path(value, line) else { throw .malformed(line: line) }
      recipients.append(Recipient(address))
    case .original:
      guard !recipients.isEmpty else { throw .malformed(line: line) }
      recipients[recipients.count - 1].original = try Self.path(value, line)
    case .notify:
      guard !recipients.isEmpty, let notification = NotificationText.notification(value) else {
        throw .malformed(line: line)
      }
      recipients[recipients.count - 1].notification = notification
    default: return false
    }
    return true
  }

  mutating func entry() throws(EntryError) -> Entry {
    let id = try value(.id) { EntryID($0) }
    let action = try action()
    try checkAgent(of: action)
    return Entry(
      id: id,
      account: String(decoding: try text(.account), as: UTF8.self),
      queued: try value(.queued) { Timestamp.seconds($0) },
      action: action,
      seal: action.hasMessage ? try seal() : nil
    )
  }

  /// An agent is named in entries of its version, and in these always: else a program could pass one over.
  private func checkAgent(of action: Action) throws(EntryError) {
    let isOfAgent = values[.version]?.octets == [UInt8](decimal: Entry.agentVersion)
    if let line = values[.agent]?.line, !isOfAgent || action.agent?.isEmpty != false {
      throw .malformed(line: line)
    }
    if isOfAgent, action.agent == nil { throw .missing(EntryField.agent.rawValue) }
  }

  private func action() throws(EntryError) -> Action {
    let kind = String(decoding: try text(.kind), as: UTF8.self)
    if kind != "change", let line = requests.firstLine { throw .malformed(line: line) }
    return switch kind {
    case "send": .send(try sending())
    case "append": .append(try appending())
    case "change": .change(try requests.all())
    default: throw .malformed(line: values[.kind]?.line ?? 0)
    }
  }

  private func sending() throws(EntryError) -> Sending {
    guard let from = values[.from] else { throw .missing(EntryField.from.rawValue) }
    guard !recipients.isEmpty else { throw .missing(EntryField.to.rawValue) }
    let envelope = Envelope(
      from: try Self.path(from.octets, from.line),
      to: recipients,
      returned: try optional(.returned) { Self.returned($0) },
      identifier: try optionalText(.identifier)
    )
    return Sending(
      envelope,
      messageID: try optionalText(.messageID),
      copy: try optional(.then) { Self.copy($0) },
      blindCopies: try optionalText(.blindCopies),
      label: try optionalText(.label),
      notBefore: try optional(.notBefore) { Timestamp.seconds($0) },
      agent: try optionalText(.agent)
    )
  }

  private static func returned(_ octets: [UInt8]) -> ReturnedContent? {
    if octets.equalsCaseless("full") { return .full }
    return octets.equalsCaseless("headers") ? .headers : nil
  }

  private static func copy(_ octets: [UInt8]) -> SentCopy? {
    var cursor = Cursor(octets)
    guard cursor.skip("append ") else { return nil }
    var mailbox: [UInt8]?
    if cursor.skip(ASCII.quote) {
      guard let name = cursor.take(upTo: ASCII.quote).flatMap({ PercentEscape.unescape($0) }),
        cursor.skip(ASCII.quote)
      else { return nil }
      mailbox = name
    } else if cursor.take(while: { $0 != ASCII.space }) != EntryText.sentRole[...] {
      return nil
    }
    return EntryText.words(cursor.remaining).map { SentCopy(to: mailbox, flags: $0) }
  }

  private func appending() throws(EntryError) -> Appending {
    Appending(
      to: try text(.mailbox),
      flags: try value(.flags) { EntryText.words($0) },
      date: try optional(.date) { Timestamp.seconds($0) },
      messageID: try optionalText(.messageID)
    )
  }

  private func seal() throws(EntryError) -> MessageSeal {
    let size: UInt64 = try value(.size, EntryText.number)
    let digest: [UInt8]? = try optional(.digest) { digits in
      Hex.decode(digits).flatMap { $0.count == 32 ? $0 : nil }
    }
    if let digest { return MessageSeal(size: size, checksum: .sha256(digest)) }
    let checksum: UInt64 = try value(.checksum) { $0.count == 16 ? Hex.value($0) : nil }
    return MessageSeal(size: size, checksum: .hash64(checksum))
  }

  /// An address in angle brackets; `nil` for none in them.
  private static func path(_ octets: [UInt8], _ line: Int) throws(EntryError) -> EnvelopeAddress? {
    guard octets.first == ASCII.lessThan, octets.last == ASCII.greaterThan, octets.count >= 2,
      let address = PercentEscape.unescape(octets.dropFirst().dropLast())
    else { throw .malformed(line: line) }
    guard !address.isEmpty else { return nil }
    do {
      return try EnvelopeAddress(address)
    } catch {
      throw .malformed(line: line)
    }
  }

  private func text(_ field: EntryField) throws(EntryError) -> [UInt8] {
    try value(field) { PercentEscape.unescape($0) }
  }

  private func optionalText(_ field: EntryField) throws(EntryError) -> [UInt8]? {
    try optional(field) { PercentEscape.unescape($0) }
  }

  private func value<Value>(
    _ field: EntryField,
    _ read: ([UInt8]) -> Value?
  ) throws(EntryError) -> Value {
    guard let value = try optional(field, read) else { throw .missing(field.rawValue) }
    return value
  }

  private func optional<Value>(
    _ field: EntryField,
    _ read: ([UInt8]) -> Value?
  ) throws(EntryError) -> Value? {
    guard let found = values[field] else { return nil }
    guard let value = read(found.octets) else { throw .malformed(line: found.line) }
    return value
  }
}
