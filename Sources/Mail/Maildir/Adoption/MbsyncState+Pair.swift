internal import MailModel
internal import Octets

extension MbsyncState {
  /// One line of the second part: a message that mbsync has seen on both sides, or seen go on one.
  struct Pair: Hashable {
    /// The message that stands in for one above mbsync's size limit.
    enum Placeholder: Hashable {
      /// The server's, `<`: the file is the whole message.
      case far
      /// The file, `>`: its header is the message's, its body only says that it is not there.
      case near
    }

    /// The UID on the server; nil when the message is gone there or never came.
    let farUID: UInt32?
    /// The UID in the file's name, `,U=`; nil when the file is gone or never came.
    let nearUID: UInt32?
    /// The flags both sides had.
    let flags: SystemFlags
    /// Which of the two only stands in for the message, where one does.
    let placeholder: Placeholder?
    /// Whether the file is one too many under `MaxMessages`, `~`.
    ///
    /// It bears a `T` that neither came from the server nor is meant for it.
    let isExpired: Bool
    /// Whether the message never came to the side where it has no UID: `^` and `!` of versions before 1.4.
    let isSkipped: Bool

    /// Whether the message is or was on the server.
    var wasSynced: Bool { farUID != nil || !isSkipped }

    /// The flags to merge with, where they are those of both sides; nil where only the union is safe.
    var base: MessageFlags? { isExpired || placeholder == .near ? nil : MessageFlags(flags) }

    /// Reads one line without its end; nil when it is no pair.
    init?(_ line: ArraySlice<UInt8>) {
      var cursor = Cursor(line)
      guard let far = cursor.decimal(), cursor.skip(ASCII.space), let near = cursor.decimal(),
        cursor.isAtEnd || cursor.skip(ASCII.space), far != 0 || near != 0
      else { return nil }
      guard far <= UInt64(UInt32.max), near <= UInt64(UInt32.max) else { return nil }
      farUID = Self.uid(far)
      nearUID = Self.uid(near)
      let marks = Array(cursor.take { Self.marks.contains($0) })
      placeholder =
        marks.contains(UInt8(ascii: ">"))
        ? .near : marks.contains(UInt8(ascii: "<")) ? .far : nil
      isExpired = marks.contains(UInt8(ascii: "~")) || marks.contains(UInt8(ascii: "X"))
      isSkipped =
        marks.contains(UInt8(ascii: "^")) || marks.contains(UInt8(ascii: "!"))
        || max(far, near) >= Self.leastMark
      guard let flags = Self.flags(cursor.takeAll()) else { return nil }
      self.flags = flags
    }

    private static let marks = Array("<>~X^!".utf8)

    /// In files of versions before 1.3, -1 and -2 in place of a UID say why there is none.
    private static let leastMark = UInt64(UInt32.max) - 1

    private static func uid(_ number: UInt64) -> UInt32? {
      number == 0 || number >= leastMark ? nil : UInt32(exactly: number)
    }

    private static func flags(_ letters: ArraySlice<UInt8>) -> SystemFlags? {
      var flags: SystemFlags = []
      for letter in letters {
        guard let flag = SystemFlags(character: letter) else { return nil }
        flags.insert(flag)
      }
      return flags
    }
  }
}
