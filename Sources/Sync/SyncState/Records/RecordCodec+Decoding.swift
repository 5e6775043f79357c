internal import MailModel
internal import MessageContent
internal import Octets
internal import SyncPlan

// What lines say.
extension RecordCodec {
  /// The record of a line; nil when the line is none.
  static func decode(_ line: ArraySlice<UInt8>) -> StateRecord? {
    var reader = LineReader(line)
    guard let kind = reader.word(), let record = decode(kind, &reader), reader.isAtEnd
    else { return nil }
    return record
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
    case "waiting": waiting(&reader)
    case "copied": copied(&reader)
    case "pending-expunge": pendingExpunge(&reader)
    case "version": version(&reader)
    case "reached": reached(&reader)
    case "window": reader.name().map { .window($0) }
    case "server-id": reader.name().map { .serverID($0) }
    case "deletions": deletions(&reader)
    case "held-losses": blockedDeletions(&reader)
    case "whole": reader.number(Int64.self).map { .whole(changed: $0) }
    case "intent": intent(&reader)
    case "taken": reader.number(UInt64.self).map { .taken(number: $0) }
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
      let size = reader.known(UInt64.self), let date = reader.known(Int64.self),
      let (identity, serverHeader) = reader.identities(), let keywords = reader.keywords(),
      let completeness = completeness(&reader, isPartial: isPartial), let name = reader.name()
    else { return nil }
    return BaseRecord(
      uid: uid,
      name: name,
      flags: MessageFlags(system, keywords: keywords),
      size: size.value,
      date: date.value,
      identity: identity,
      serverHeader: serverHeader,
      completeness: completeness
    )
  }

  private static func waiting(_ reader: inout LineReader) -> StateRecord? {
    guard let since = reader.number(Int64.self), let source = reader.identifier(),
      let name = reader.name()
    else { return nil }
    return .waiting(name: name, since: since == 0 ? nil : since, source: source)
  }

  private static func copied(_ reader: inout LineReader) -> StateRecord? {
    guard let uid = reader.number(UInt32.self), let copy = origin(&reader) else { return nil }
    return .copied(uid: uid, to: copy)
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
    guard let uidNext = reader.known(UInt32.self), let modSequence = reader.known(UInt64.self)
    else { return nil }
    return .reached(uidNext: uidNext.value, modSequence: modSequence.value)
  }

  private static func deletions(_ reader: inout LineReader) -> StateRecord? {
    guard let hour = reader.number(Int64.self), let count = reader.number(Int.self), count >= 0
    else { return nil }
    return .deletions(hour: hour, count: count)
  }

  private static func blockedDeletions(_ reader: inout LineReader) -> StateRecord? {
    guard let here = reader.number(UInt8.self), let there = reader.number(UInt8.self), here <= 1,
      there <= 1
    else { return nil }
    return .blockedDeletions(BlockedDeletions(here: here == 1, there: there == 1))
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
    case "copy": return transfer(&reader).map { .copy($0) }
    case "discard": return disposal(&reader).map { .discard($0) }
    case "follow": return following(&reader).map { .follow($0) }
    case "follow-partial": return following(&reader, isPartial: true).map { .follow($0) }
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
    guard let source = reader.identifier(),
      let validity = reader.number(UInt32.self), let uid = reader.number(UInt32.self),
      let size = reader.known(UInt64.self), let identity = reader.identity(),
      let uidNext = reader.number(UInt32.self),
      let completeness = completeness(&reader, isPartial: isPartial), let name = reader.name()
    else { return nil }
    return Intent.Transfer(
      source: source,
      validity: validity,
      uid: uid,
      name: name,
      size: size.value,
      identity: identity.value,
      uidNext: uidNext,
      completeness: completeness
    )
  }

  private static func following(
    _ reader: inout LineReader,
    isPartial: Bool = false
  ) -> Intent.Following? {
    guard let origin = origin(&reader), let source = reader.identifier(),
      let file = reader.name(), let flags = reader.flags(),
      let message = message(&reader, isPartial: isPartial)
    else { return nil }
    return Intent.Following(message, from: origin, file: file, in: source, changing: flags)
  }

  private static func origin(_ reader: inout LineReader) -> Intent.Origin? {
    guard let source = reader.identifier(),
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
    guard let uid = reader.number(UInt32.self), let validity = reader.known(UInt32.self),
      let uidNext = reader.known(UInt32.self), let size = reader.known(UInt64.self),
      let identity = reader.identity(), let trash = reader.name()
    else { return nil }
    return Intent.Disposal(
      uid: uid,
      trash: trash,
      place: validity.value.map { MailboxPlace(validity: $0, uidNext: uidNext.value ?? 1) },
      size: size.value,
      identity: identity.value
    )
  }
}

/// A word of a line compared with a literal, octet by octet.
private func ~= (literal: StaticString, word: ArraySlice<UInt8>) -> Bool {
  literal.withUTF8Buffer { word.elementsEqual($0) }
}
