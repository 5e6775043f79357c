internal import MailModel
internal import Octets

/// What mbsync remembers of one mailbox: which message of the server is which file, and their flags.
///
/// It is the text of `.mbsyncstate` in the mailbox's directory, or, since that is not mbsync's default, of
/// `~/.mbsync/:store:mailbox_:store:mailbox` with `!` for `/`; `nearValidity` tells whose it is. As written by
/// isync 1.4.4:
///
///     FarUidValidity 1795244800
///     NearUidValidity 1795244799
///     MaxPulledUid 19
///     MaxPushedUid 12
///     MaxExpiredFarUid 12
///
///     3 1 FP
///     10 3 ~
///     15 0 S
///     19 12 <S
///
/// Each line of the second part is a pair: UID on the server, UID here, marks and flags; there is a space before
/// the flags even if there are none. Versions before 1.3 said Master for Far and Slave for Near.
struct MbsyncState: Hashable {
  /// The server's UIDVALIDITY when the UIDs were noted.
  let farValidity: UInt32
  /// The validity of the UIDs in the names of the files, as in `MbsyncValidity`.
  let nearValidity: UInt32
  /// The highest UID of a file that was looked at; nil where it is not told.
  ///
  /// Files with higher ones never came to the server.
  let maxPushedUID: UInt32?
  /// The pairs in the order of the file; a line that is none is left out.
  let pairs: [Pair]

  /// Reads the octets of a state file; nil when they are something else.
  ///
  /// A file that was cut short gives fewer pairs, or nil when not all of its head is there.
  init?(_ octets: [UInt8]) {
    var lines = Cursor(octets)
    var far: UInt32?
    var near: UInt32?
    var maxPushed: UInt32?
    while true {
      guard let line = Self.line(&lines) else { return nil }
      if line.isEmpty { break }
      guard let (word, value) = Self.setting(line) else { return nil }
      if Self.farWords.contains(word) { far = value }
      if Self.nearWords.contains(word) { near = value }
      if word.elementsEqual("MaxPushedUid".utf8) { maxPushed = value }
    }
    guard let far, let near, far != 0, near != 0 else { return nil }
    farValidity = far
    nearValidity = near
    maxPushedUID = maxPushed
    var pairs: [Pair] = []
    while let line = Self.line(&lines) {
      if let pair = Pair(line) { pairs.append(pair) }
    }
    self.pairs = pairs
  }

  private static let farWords: [[UInt8]] = [
    Array("FarUidValidity".utf8), Array("MasterUidValidity".utf8),
  ]
  private static let nearWords: [[UInt8]] = [
    Array("NearUidValidity".utf8), Array("SlaveUidValidity".utf8),
  ]

  /// The next line without its end; nil when there is none, or only one that has no end.
  private static func line(_ lines: inout Cursor) -> ArraySlice<UInt8>? {
    guard let line = lines.take(upTo: ASCII.lineFeed) else { return nil }
    _ = lines.skip(ASCII.lineFeed)
    return line
  }

  /// A line of the head: a word and a number.
  private static func setting(_ line: ArraySlice<UInt8>) -> ([UInt8], UInt32)? {
    var cursor = Cursor(line)
    guard let word = cursor.take(upTo: ASCII.space), cursor.skip(ASCII.space),
      let value = cursor.decimal().flatMap(UInt32.init(exactly:)), cursor.isAtEnd
    else { return nil }
    return (Array(word), value)
  }
}

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
