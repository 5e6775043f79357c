internal import Octets
internal import SyncPlan

/// Records as lines of text: words between single spaces, names percent-escaped, `-` for nothing.
enum RecordCodec {
  /// The line of a record, without its line end.
  static func encode(_ record: StateRecord) -> [UInt8] {
    var line = LineWriter()
    switch record {
    case .message(let message): write(message, to: &line)
    case .flags(let uid, let flags):
      line.word("flags")
      line.number(uid)
      line.flags(flags.system)
      line.keywords(flags.keywords)
    case .gone(let uid):
      line.word("gone")
      line.number(uid)
    case .orphan(let name):
      line.word("orphan")
      line.name(name)
    case .reached(let uidNext, let modSequence):
      line.word("reached")
      line.number(uidNext)
      line.number(modSequence)
    case .window(let window):
      line.word("window")
      line.name(window)
    case .deletions(let hour, let count):
      line.word("deletions")
      line.number(hour)
      line.number(count)
    case .intent(let number, let intent): write(intent, number, to: &line)
    case .resolved(let number):
      line.word("resolved")
      line.number(number)
    case .durable: line.word("durable")
    }
    return line.octets
  }

  /// The record of a line; nil when the line is none.
  static func decode(_ line: ArraySlice<UInt8>) -> StateRecord? {
    var reader = LineReader(line)
    guard let kind = reader.word(), let record = decode(kind, &reader), reader.isAtEnd
    else { return nil }
    return record
  }

  private static func write(_ message: BaseRecord, to line: inout LineWriter) {
    line.word("message")
    line.number(message.uid)
    line.flags(message.flags.system)
    line.number(message.size)
    line.number(message.date)
    line.identity(message.identity)
    line.keywords(message.flags.keywords)
    line.name(message.name)
  }

  private static func write(_ intent: Intent, _ number: UInt64, to line: inout LineWriter) {
    line.word("intent")
    line.number(number)
    switch intent {
    case .append(let name, let size, let identity, let validity, let uidNext):
      line.word("append")
      line.number(size)
      line.identity(identity)
      line.number(validity)
      line.number(uidNext)
      line.name(name)
    case .move(let from, let validity, let uid, let identity, let uidNext):
      line.word("move")
      line.number(from)
      line.number(validity)
      line.number(uid)
      line.identity(identity)
      line.number(uidNext)
    case .delete(let uid):
      line.word("delete")
      line.number(uid)
    }
  }

  private static func decode(
    _ kind: ArraySlice<UInt8>,
    _ reader: inout LineReader
  ) -> StateRecord? {
    switch kind {
    case "message": message(&reader)
    case "flags": flags(&reader)
    case "gone": reader.number(UInt32.self).map { .gone(uid: $0) }
    case "orphan": reader.name().map { .orphan(name: $0) }
    case "reached": reached(&reader)
    case "window": reader.name().map { .window($0) }
    case "deletions": deletions(&reader)
    case "intent": intent(&reader)
    case "resolved": reader.number(UInt64.self).map { .resolved(number: $0) }
    case "durable": .durable
    default: nil
    }
  }

  private static func message(_ reader: inout LineReader) -> StateRecord? {
    guard let uid = reader.number(UInt32.self), let system = reader.flags(),
      let size = reader.number(UInt64.self), let date = reader.number(Int64.self),
      let identity = reader.identity(), let keywords = reader.keywords(),
      let name = reader.name()
    else { return nil }
    return .message(
      BaseRecord(
        uid: uid,
        name: name,
        flags: MessageFlags(system, keywords: keywords),
        size: size,
        date: date,
        identity: identity.value
      )
    )
  }

  private static func flags(_ reader: inout LineReader) -> StateRecord? {
    guard let uid = reader.number(UInt32.self), let system = reader.flags(),
      let keywords = reader.keywords()
    else { return nil }
    return .flags(uid: uid, MessageFlags(system, keywords: keywords))
  }

  private static func reached(_ reader: inout LineReader) -> StateRecord? {
    guard let uidNext = reader.number(UInt32.self), let modSequence = reader.number(UInt64.self)
    else { return nil }
    return .reached(uidNext: uidNext, modSequence: modSequence)
  }

  private static func deletions(_ reader: inout LineReader) -> StateRecord? {
    guard let hour = reader.number(Int64.self), let count = reader.number(Int.self), count >= 0
    else { return nil }
    return .deletions(hour: hour, count: count)
  }

  private static func intent(_ reader: inout LineReader) -> StateRecord? {
    guard let number = reader.number(UInt64.self), let kind = reader.word(),
      let intent = intent(kind, &reader)
    else { return nil }
    return .intent(number: number, intent)
  }

  private static func intent(
    _ kind: ArraySlice<UInt8>,
    _ reader: inout LineReader
  ) -> Intent? {
    switch kind {
    case "append":
      guard let size = reader.number(UInt64.self), let identity = reader.identity(),
        let validity = reader.number(UInt32.self), let uidNext = reader.number(UInt32.self),
        let name = reader.name()
      else { return nil }
      return .append(
        name: name,
        size: size,
        identity: identity.value,
        validity: validity,
        uidNext: uidNext
      )
    case "move":
      guard let from = reader.number(UInt64.self), let validity = reader.number(UInt32.self),
        let uid = reader.number(UInt32.self), let identity = reader.identity(),
        let uidNext = reader.number(UInt32.self)
      else { return nil }
      return .move(
        from: from,
        validity: validity,
        uid: uid,
        identity: identity.value,
        uidNext: uidNext
      )
    case "delete": return reader.number(UInt32.self).map { .delete(uid: $0) }
    default: return nil
    }
  }
}

/// A word of a line compared with a literal, octet by octet.
private func ~= (literal: StaticString, word: ArraySlice<UInt8>) -> Bool {
  literal.withUTF8Buffer { word.elementsEqual($0) }
}
