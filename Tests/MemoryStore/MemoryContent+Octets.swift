// All mail of a user as octets: numbers of eight octets, the rest with its length before it.
extension MemoryContent {
  /// What was written as octets; nil where they are something else.
  package init?(octets: [UInt8]) {
    var reader = OctetReader(octets)
    guard reader.number() == Self.mark else { return nil }
    nextValidity = UInt32(truncatingIfNeeded: reader.number())
    for path in MemoryAbilities.switches { abilities[keyPath: path] = reader.number() == 1 }
    for _ in 0..<reader.number() {
      let name = reader.text()
      mailboxes[name] = MemoryMailbox(&reader)
    }
    guard !reader.isShort else { return nil }
  }

  /// All of it as octets.
  package var octets: [UInt8] {
    var writer = OctetWriter()
    writer.number(Self.mark)
    writer.number(UInt64(nextValidity))
    for path in MemoryAbilities.switches { writer.number(abilities[keyPath: path] ? 1 : 0) }
    writer.number(UInt64(mailboxes.count))
    for (name, mailbox) in mailboxes {
      writer.text(name)
      mailbox.write(to: &writer)
    }
    return writer.octets
  }

  private static var mark: UInt64 { 0x4d41_4e55_4d00_0001 }
}

extension MemoryMailbox {
  fileprivate init(_ reader: inout OctetReader) {
    self.init(validity: UInt32(truncatingIfNeeded: reader.number()), id: reader.text())
    uidNext = UInt32(truncatingIfNeeded: reader.number())
    modSequence = reader.number()
    use = MailboxUse(rawValue: reader.text()) ?? .none
    denied = Set(reader.text())
    for _ in 0..<reader.number() {
      let uid = UInt32(truncatingIfNeeded: reader.number())
      let flags = Set((0..<reader.number()).map { _ in reader.text() })
      messages[uid] = Message(
        flags: flags,
        date: Int64(bitPattern: reader.number()),
        octets: reader.run(),
        modSequence: reader.number()
      )
    }
    for _ in 0..<reader.number() {
      let uid = UInt32(truncatingIfNeeded: reader.number())
      vanished[uid] = reader.number()
    }
  }

  fileprivate func write(to writer: inout OctetWriter) {
    writer.number(UInt64(validity))
    writer.text(id)
    writer.number(UInt64(uidNext))
    writer.number(modSequence)
    writer.text(use.rawValue)
    writer.text(String(denied.sorted()))
    writer.number(UInt64(messages.count))
    for (uid, message) in messages {
      writer.number(UInt64(uid))
      writer.number(UInt64(message.flags.count))
      for flag in message.flags { writer.text(flag) }
      writer.number(UInt64(bitPattern: message.date))
      writer.run(message.octets)
      writer.number(message.modSequence)
    }
    writer.number(UInt64(vanished.count))
    for (uid, modSequence) in vanished {
      writer.number(UInt64(uid))
      writer.number(modSequence)
    }
  }
}

private struct OctetWriter {
  private(set) var octets: [UInt8] = []

  mutating func number(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { octets.append(contentsOf: $0) }
  }

  mutating func run(_ run: [UInt8]) {
    number(UInt64(run.count))
    octets.append(contentsOf: run)
  }

  mutating func text(_ text: String) {
    run(Array(text.utf8))
  }
}

private struct OctetReader {
  private let octets: [UInt8]
  private var position = 0
  private(set) var isShort = false

  init(_ octets: [UInt8]) { self.octets = octets }

  mutating func number() -> UInt64 {
    guard octets.count - position >= 8 else {
      isShort = true
      return 0
    }
    let number = octets.withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    }
    position += 8
    return UInt64(littleEndian: number)
  }

  mutating func run() -> [UInt8] {
    let count = number()
    guard count <= UInt64(octets.count - position) else {
      isShort = true
      return []
    }
    defer { position += Int(count) }
    return Array(octets[position..<position + Int(count)])
  }

  mutating func text() -> String { String(decoding: run(), as: UTF8.self) }
}
