internal import Octets
internal import Platform

/// mbsync's state of one Maildir, wherever its user had it kept.
///
/// That is `.mbsyncstate` in the Maildir (`SyncState *`), or a file whose name ends with the mailbox's in one of
/// mbsync's directories. mbsync numbers mailboxes by the second, so that the validity alone would not tell them
/// apart. What cannot be read counts as not there: then contents alone have to tell.
struct MbsyncStateFile {
  /// The largest file that is read, in octets: some five million messages.
  private static let limit = 256 << 20

  /// What it says.
  let state: MbsyncState
  /// Whether a run of mbsync broke off, so that more happened than it says.
  let isBehind: Bool

  /// A state as it was read.
  init(state: MbsyncState, isBehind: Bool) {
    self.state = state
    self.isBehind = isBehind
  }

  /// Finds it; nil where there is none that belongs to the Maildir.
  ///
  /// - Parameters:
  ///   - directory: The Maildir.
  ///   - names: What mbsync may call the mailbox, with slashes between the levels.
  ///   - directories: Where mbsync keeps states.
  init?(of directory: Path, names: [[UInt8]], in directories: [Path]) {
    guard let octets = Self.read(directory.appending(".uidvalidity")),
      let validity = MbsyncValidity(octets)?.validity
    else { return nil }
    let within = directory.appending(".mbsyncstate")
    let candidates = [within] + directories.flatMap { Self.files(in: $0, of: names) }
    for file in candidates {
      guard let octets = Self.read(file), let state = MbsyncState(octets),
        state.nearValidity == validity
      else { continue }
      self.init(state: state, isBehind: Self.isBehind(file))
      return
    }
    return nil
  }

  /// The directories in which mbsync keeps states by default: since isync 1.5 the second, if it is there.
  static var usualDirectories: [Path] {
    [Environment.homeDirectory.appending(".mbsync"), Environment.stateHome.appending("isync")]
  }

  private static func files(in directory: Path, of names: [[UInt8]]) -> [Path] {
    var found: [[UInt8]] = []
    _ = try? FileSystem.entries(of: directory) { name, _ in found.append(Array(name)) }
    let ends = names.map(mangled)
    return found.filter { name in ends.contains { isOf($0, name) } }
      .sorted { $0.lexicographicallyPrecedes($1) }.map { directory.appending($0) }
  }

  /// mbsync writes `/` as `!`.
  private static func mangled(_ name: [UInt8]) -> [UInt8] {
    name.map { $0 == ASCII.slash ? UInt8(ascii: "!") : $0 }
  }

  /// Whether the last part of `:far:mailbox_:near:mailbox` is that mailbox, in whatever folder.
  private static func isOf(_ mailbox: [UInt8], _ name: [UInt8]) -> Bool {
    guard !mailbox.isEmpty, name.count > mailbox.count,
      name.suffix(mailbox.count).elementsEqual(mailbox)
    else { return false }
    let before = name[name.count - mailbox.count - 1]
    return before == ASCII.colon || before == UInt8(ascii: "!")
  }

  private static func isBehind(_ file: Path) -> Bool {
    [".journal", ".new"].contains { ending in
      let path = Path(file.octets + Array(ending.utf8))
      return ((try? FileSystem.status(path)) ?? nil).map { $0.size > 0 } ?? false
    }
  }

  private static func read(_ file: Path) -> [UInt8]? {
    (try? FileSystem.readFile(file, limit: limit)) ?? nil
  }
}

/// The validity of the UIDs in the names of a Maildir that mbsync keeps: its file `.uidvalidity`.
///
/// Two lines, the validity and the highest UID given away. mbsync makes both up itself, they are not the server's.
struct MbsyncValidity: Hashable {
  /// The validity, never 0.
  let validity: UInt32
  /// The highest UID that a file was given; 0 when none was.
  let highestUID: UInt32

  /// Reads the octets of the file; nil when they are something else or were cut short.
  init?(_ octets: [UInt8]) {
    var cursor = Cursor(octets)
    guard let validity = Self.number(&cursor), let highestUID = Self.number(&cursor),
      cursor.isAtEnd, validity != 0
    else { return nil }
    self.validity = validity
    self.highestUID = highestUID
  }

  private static func number(_ cursor: inout Cursor) -> UInt32? {
    guard let number = cursor.decimal(), cursor.skip(ASCII.lineFeed) else { return nil }
    return UInt32(exactly: number)
  }
}
