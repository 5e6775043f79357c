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
    case .waiting(let name, let since, let source):
      line.word("waiting")
      line.number(since ?? 0)
      line.name(Hex.digits(source))
      line.name(name)
    case .copied(let uid, let copy):
      line.word("copied")
      line.number(uid)
      write(copy, to: &line)
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
      line.known(uidNext)
      line.known(modSequence)
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
    case .blockedDeletions(let held):
      line.word("held-losses")
      line.number(held.here ? 1 : 0)
      line.number(held.there ? 1 : 0)
    case .whole(let changed):
      line.word("whole")
      line.number(changed)
    case .intent(let number, let intent): write(intent, number, to: &line)
    case .taken(let number):
      line.word("taken")
      line.number(number)
    case .resolved(let number):
      line.word("resolved")
      line.number(number)
    case .durable: line.word("durable")
    }
    return line.octets
  }

  private static func write(_ message: BaseRecord, to line: inout LineWriter) {
    line.number(message.uid)
    line.flags(message.flags.system)
    line.known(message.size)
    line.known(message.date)
    line.identity(message.identity, serverHeader: message.serverHeader)
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
      write(transfer, to: &line)
    case .copy(let transfer):
      line.word("copy")
      write(transfer, to: &line)
    case .discard(let disposal):
      line.word("discard")
      line.number(disposal.uid)
      line.known(disposal.place?.validity)
      line.known(disposal.place?.uidNext)
      line.known(disposal.size)
      line.identity(disposal.identity)
      line.name(disposal.trash)
    case .follow(let following):
      line.word(following.message.completeness.isPartial ? "follow-partial" : "follow")
      write(following.origin, to: &line)
      line.name(Hex.digits(following.source))
      line.name(following.file)
      line.flags(following.flags)
      write(following.message, to: &line)
    case .leave(let origin):
      line.word("leave")
      write(origin, to: &line)
    case .unmark(let marks):
      line.word("unmark")
      line.number(marks.validity)
      for uid in marks.uids { line.number(uid) }
    }
  }

  private static func write(_ transfer: Intent.Transfer, to line: inout LineWriter) {
    line.name(Hex.digits(transfer.source))
    line.number(transfer.validity)
    line.number(transfer.uid)
    line.known(transfer.size)
    line.identity(transfer.identity)
    line.number(transfer.uidNext)
    write(transfer.completeness, to: &line)
    line.name(transfer.name)
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
}
