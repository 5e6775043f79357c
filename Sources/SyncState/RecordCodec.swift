internal import MailModel
internal import MessageContent
internal import Octets
internal import SyncPlan

/// Records as lines of text: words between single spaces, names percent-escaped, `-` for nothing.
enum RecordCodec {
  /// The line of a record, without its line end.
  static func encode(_ record: StateRecord) -> [UInt8] {
    var line = LineWriter()
    switch record {
    case .message(let message):
      line.word(message.completeness.isPartial ? "partial" : "message")
      write(message, to: &line)
    case .arrived(let message, let number, let origin):
      line.word(message.completeness.isPartial ? "arrived-partial" : "arrived")
      line.number(number)
      write(origin, to: &line)
      write(message, to: &line)
    case .flags(let uid, let flags):
      line.word("flags")
      line.number(uid)
      write(flags, to: &line)
    case .flagsUnderWay(let uid, let flags):
      line.word("flags-under-way")
      line.number(uid)
      line.flags(flags.shown)
      line.flags(flags.stored)
    case .gone(let uid):
      line.word("gone")
      line.number(uid)
    case .detached(let name):
      line.word("detached")
      line.name(name)
    case .pendingExpunge(let uid, let expunge):
      line.word("pending-expunge")
      line.number(uid)
      line.word(expunge.isFlagged ? "flagged" : "unflagged")
      if let copy = expunge.copy {
        line.number(copy.validity)
        line.number(copy.uid)
      }
    case .version(let uid, let version):
      line.word("version")
      line.number(uid)
      line.number(version.size)
      line.number(version.modified)
    case .reached(let uidNext, let modSequence):
      line.word("reached")
      line.number(uidNext)
      line.number(modSequence)
    case .window(let window):
      line.word("window")
      line.name(window)
    case .serverID(let id):
      line.word("server-id")
      line.name(id)
    case .deletions(let hour, let count):
      line.word("deletions")
      line.number(hour)
      line.number(count)
    case .heldLosses(let held):
      line.word("held-losses")
      line.number(held.here ? 1 : 0)
      line.number(held.there ? 1 : 0)
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
    line.number(message.uid)
    line.flags(message.flags.system)
    line.number(message.size)
    line.number(message.date)
    line.identity(message.identity)
    line.keywords(message.flags.keywords)
    write(message.completeness, to: &line)
    line.name(message.name)
  }

  private static func write(_ completeness: Completeness, to line: inout LineWriter) {
    switch completeness {
    case .whole: break
    case .partial(let name): line.name(name)
    }
  }

  private static func write(_ intent: Intent, _ number: UInt64, to line: inout LineWriter) {
    line.word("intent")
    line.number(number)
    switch intent {
    case .append(let upload):
      line.word(upload.origin == nil ? "append" : "keep")
      if let origin = upload.origin { write(origin, to: &line) }
      line.number(upload.size)
      line.identity(upload.identity)
      line.number(upload.uidNext)
      line.number(upload.replacing ?? 0)
      line.name(upload.name)
      if let flags = upload.flags { write(flags, to: &line) }
    case .move(let transfer):
      line.word(transfer.completeness.isPartial ? "move-partial" : "move")
      line.name(Hex.digits(transfer.source))
      line.number(transfer.validity)
      line.number(transfer.uid)
      line.number(transfer.size)
      line.identity(transfer.identity)
      line.number(transfer.uidNext)
      write(transfer.completeness, to: &line)
      line.name(transfer.name)
    case .discard(let disposal):
      line.word("discard")
      line.number(disposal.uid)
      line.number(disposal.validity)
      line.number(disposal.uidNext)
      line.number(disposal.size)
      line.identity(disposal.identity)
      line.name(disposal.trash)
    case .leave(let origin):
      line.word("leave")
      write(origin, to: &line)
    case .unmark(let marks):
      line.word("unmark")
      line.number(marks.validity)
      for uid in marks.uids { line.number(uid) }
    }
  }

  private static func write(_ flags: MessageFlags, to line: inout LineWriter) {
    line.flags(flags.system)
    line.keywords(flags.keywords)
  }

  private static func write(_ origin: Intent.Origin, to line: inout LineWriter) {
    line.name(Hex.digits(origin.source))
    line.number(origin.validity)
    line.number(origin.uid)
  }

  private static func decode(
    _ kind: ArraySlice<UInt8>,
    _ reader: inout LineReader
  ) -> StateRecord? {
    switch kind {
    case "message": message(&reader).map { .message($0) }
    case "partial": message(&reader, isPartial: true).map { .message($0) }
    case "arrived": arrival(&reader)
    case "arrived-partial": arrival(&reader, isPartial: true)
    case "flags": flags(&reader)
    case "flags-under-way": flagsUnderWay(&reader)
    case "gone": reader.number(UInt32.self).map { .gone(uid: $0) }
    case "detached": reader.name().map { .detached(name: $0) }
    case "pending-expunge": pendingExpunge(&reader)
    case "version": version(&reader)
    case "reached": reached(&reader)
    case "window": reader.name().map { .window($0) }
    case "server-id": reader.name().map { .serverID($0) }
    case "deletions": deletions(&reader)
    case "held-losses": heldLosses(&reader)
    case "intent": intent(&reader)
    case "resolved": reader.number(UInt64.self).map { .resolved(number: $0) }
    case "durable": .durable
    default: nil
    }
  }

  private static func arrival(
    _ reader: inout LineReader,
    isPartial: Bool = false
  ) -> StateRecord? {
    guard let number = reader.number(UInt64.self), let origin = origin(&reader),
      let message = message(&reader, isPartial: isPartial)
    else { return nil }
    return .arrived(message, number: number, from: origin)
  }

  /// What the file of a partial message says of itself.
  private static func completeness(
    _ reader: inout LineReader,
    isPartial: Bool
  ) -> Completeness? {
    guard isPartial else { return .whole }
    return reader.name().map { .partial(name: $0) }
  }

  private static func message(
    _ reader: inout LineReader,
    isPartial: Bool = false
  ) -> BaseRecord? {
    guard let uid = reader.number(UInt32.self), let system = reader.flags(),
      let size = reader.number(UInt64.self), let date = reader.number(Int64.self),
      let identity = reader.identity(), let keywords = reader.keywords(),
      let completeness = completeness(&reader, isPartial: isPartial), let name = reader.name()
    else { return nil }
    return BaseRecord(
      uid: uid,
      name: name,
      flags: MessageFlags(system, keywords: keywords),
      size: size,
      date: date,
      identity: identity.value,
      completeness: completeness
    )
  }

  private static func flags(_ reader: inout LineReader) -> StateRecord? {
    guard let uid = reader.number(UInt32.self), let flags = messageFlags(&reader)
    else { return nil }
    return .flags(uid: uid, flags)
  }

  private static func messageFlags(_ reader: inout LineReader) -> MessageFlags? {
    guard let system = reader.flags(), let keywords = reader.keywords() else { return nil }
    return MessageFlags(system, keywords: keywords)
  }

  private static func flagsUnderWay(_ reader: inout LineReader) -> StateRecord? {
    guard let uid = reader.number(UInt32.self), let shown = reader.flags(),
      let stored = reader.flags()
    else { return nil }
    return .flagsUnderWay(uid: uid, FlagsUnderWay(shown: shown, stored: stored))
  }

  private static func pendingExpunge(_ reader: inout LineReader) -> StateRecord? {
    guard let uid = reader.number(UInt32.self), let mark = reader.word() else { return nil }
    var expunge: PendingExpunge
    switch mark {
    case "flagged": expunge = PendingExpunge(isFlagged: true)
    case "unflagged": expunge = PendingExpunge(isFlagged: false)
    default: return nil
    }
    if !reader.isAtEnd {
      guard let validity = reader.number(UInt32.self), let copy = reader.number(UInt32.self)
      else { return nil }
      expunge.copy = PendingExpunge.Copy(validity: validity, uid: copy)
    }
    return .pendingExpunge(uid: uid, expunge)
  }

  private static func version(_ reader: inout LineReader) -> StateRecord? {
    guard let uid = reader.number(UInt32.self), let size = reader.number(Int64.self),
      let modified = reader.number(Int64.self)
    else { return nil }
    return .version(uid: uid, FileVersion(size: size, modified: modified))
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

  private static func heldLosses(_ reader: inout LineReader) -> StateRecord? {
    guard let here = reader.number(UInt8.self), let there = reader.number(UInt8.self), here <= 1,
      there <= 1
    else { return nil }
    return .heldLosses(HeldLosses(here: here == 1, there: there == 1))
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
    case "append": return upload(&reader, from: nil).map { .append($0) }
    case "keep": return kept(&reader).map { .append($0) }
    case "move": return transfer(&reader).map { .move($0) }
    case "move-partial": return transfer(&reader, isPartial: true).map { .move($0) }
    case "discard": return disposal(&reader).map { .discard($0) }
    case "leave": return origin(&reader).map { .leave($0) }
    case "unmark": return unmarking(&reader).map { .unmark($0) }
    default: return nil
    }
  }

  private static func kept(_ reader: inout LineReader) -> Intent.Upload? {
    origin(&reader).flatMap { upload(&reader, from: $0) }
  }

  private static func upload(
    _ reader: inout LineReader,
    from origin: Intent.Origin?
  ) -> Intent.Upload? {
    guard let size = reader.number(UInt64.self), let identity = reader.identity()?.value,
      let uidNext = reader.number(UInt32.self), let replaced = reader.number(UInt32.self),
      let name = reader.name()
    else { return nil }
    // Older versions wrote no flags.
    let flags = reader.isAtEnd ? nil : messageFlags(&reader)
    return Intent.Upload(
      name: name,
      size: size,
      identity: identity,
      flags: flags,
      uidNext: uidNext,
      replacing: replaced == 0 ? nil : replaced,
      origin: origin
    )
  }

  private static func transfer(
    _ reader: inout LineReader,
    isPartial: Bool = false
  ) -> Intent.Transfer? {
    guard let source = reader.word().flatMap({ Hex.value($0) }),
      let validity = reader.number(UInt32.self), let uid = reader.number(UInt32.self),
      let size = reader.number(UInt64.self), let identity = reader.identity(),
      let uidNext = reader.number(UInt32.self),
      let completeness = completeness(&reader, isPartial: isPartial), let name = reader.name()
    else { return nil }
    return Intent.Transfer(
      source: source,
      validity: validity,
      uid: uid,
      name: name,
      size: size,
      identity: identity.value,
      uidNext: uidNext,
      completeness: completeness
    )
  }

  private static func origin(_ reader: inout LineReader) -> Intent.Origin? {
    guard let source = reader.word().flatMap({ Hex.value($0) }),
      let validity = reader.number(UInt32.self), let uid = reader.number(UInt32.self)
    else { return nil }
    return Intent.Origin(source: source, validity: validity, uid: uid)
  }

  private static func unmarking(_ reader: inout LineReader) -> Intent.Unmarking? {
    guard let validity = reader.number(UInt32.self) else { return nil }
    var uids: [UInt32] = []
    while !reader.isAtEnd {
      guard let uid = reader.number(UInt32.self) else { return nil }
      uids.append(uid)
    }
    return uids.isEmpty ? nil : Intent.Unmarking(validity: validity, uids: uids)
  }

  private static func disposal(_ reader: inout LineReader) -> Intent.Disposal? {
    guard let uid = reader.number(UInt32.self), let validity = reader.number(UInt32.self),
      let uidNext = reader.number(UInt32.self), let size = reader.number(UInt64.self),
      let identity = reader.identity(), let trash = reader.name()
    else { return nil }
    return Intent.Disposal(
      uid: uid,
      trash: trash,
      validity: validity,
      uidNext: uidNext,
      size: size,
      identity: identity.value
    )
  }
}

/// A word of a line compared with a literal, octet by octet.
private func ~= (literal: StaticString, word: ArraySlice<UInt8>) -> Bool {
  literal.withUTF8Buffer { word.elementsEqual($0) }
}
