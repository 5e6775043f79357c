internal import CPlatform
internal import Glibc
internal import Octets

/// What the process was given besides its arguments.
package enum Environment {
  /// The words that the program was called with, as octets: file names and addresses need not be UTF-8.
  ///
  /// The first is its name.
  package static var arguments: [[UInt8]] {
    (0..<magnum_argument_count()).compactMap { number in
      magnum_argument(number).map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  /// The path of its file that the process was started with, which may be a link; empty where the system does not tell it.
  package static var executable: Path { Path(String(cString: magnum_executable())) }

  /// Whether a directory of the search path has a program of that name.
  package static func hasProgram(_ name: String) -> Bool {
    let directories = value("PATH")?.split(separator: ":") ?? []
    return directories.contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  /// Whether a command is there that begins with such a word: a path, or the name of a program in the search path.
  package static func hasCommand(_ word: String) -> Bool {
    word.contains("/") ? access(word, X_OK) == 0 : !word.isEmpty && hasProgram(word)
  }

  /// A variable as text, with octets that are not UTF-8 replaced; nil if it is not set.
  package static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// A variable as octets; nil if it is not set.
  package static func octets(_ name: String) -> [UInt8]? {
    guard let value = getenv(name) else { return nil }
    return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
  }

  /// All variables, each by its name and as the system has it: `NAME=value` with the zero that ends it.
  static var all: [(name: [UInt8], entry: [CChar])] {
    var entries: [(name: [UInt8], entry: [CChar])] = []
    var next = environ
    while let entry = next.pointee {
      let octets = UnsafeBufferPointer(start: entry, count: strlen(entry))
      let name = octets.prefix { $0 != CChar(bitPattern: UInt8(ascii: "=")) }
      entries.append((name.map { UInt8(bitPattern: $0) }, Array(octets) + [0]))
      next += 1
    }
    return entries
  }

  /// The user's home directory: HOME, or else what the user database says, or else the root.
  ///
  /// As all of these, HOME counts only where it is the user's own or root's: sudo -E and su leave that of another user there.
  package static var homeDirectory: Path {
    ownPlace("HOME") ?? UserEntry(of: geteuid())?.home ?? Path("/")
  }

  /// Where configuration lies: XDG_CONFIG_HOME, or ~/.config.
  ///
  /// As in all of these, a relative value counts as none (XDG Base Directory Specification).
  package static var configHome: Path {
    ownPlace("XDG_CONFIG_HOME") ?? homeDirectory.appending(".config")
  }

  /// Where state lies that should outlive a restart: XDG_STATE_HOME, or ~/.local/state.
  package static var stateHome: Path {
    ownPlace("XDG_STATE_HOME") ?? homeDirectory.appending(".local/state")
  }

  /// Where things lie that can be made again: XDG_CACHE_HOME, or ~/.cache.
  package static var cacheHome: Path {
    ownPlace("XDG_CACHE_HOME") ?? homeDirectory.appending(".cache")
  }

  /// Where files lie that are needed for as long as a program runs: TMPDIR, or /tmp.
  package static var temporaryDirectory: Path { ownPlace("TMPDIR") ?? Path("/tmp") }

  /// Where such files lie that may be large, and must not take up memory: TMPDIR, or /var/tmp.
  package static var largeTemporaryDirectory: Path { ownPlace("TMPDIR") ?? Path("/var/tmp") }

  /// Where files lie that are needed for as long as the user is logged in: XDG_RUNTIME_DIR; nil if it is not set.
  package static var runtimeDirectory: Path? { ownPlace("XDG_RUNTIME_DIR") }

  /// The absolute path in a variable, where that place is the user's or root's; nil otherwise.
  package static func ownPlace(_ name: String, user: UInt32 = geteuid()) -> Path? {
    guard let path = octets(name).flatMap(Path.init(validating:)), path.isAbsolute,
      isOwn(path, user)
    else { return nil }
    return path
  }

  /// Whether the place, or the first directory above it that is there, is the user's or root's.
  ///
  /// For root all above it have to be.
  private static func isOwn(_ path: Path, _ user: UInt32) -> Bool {
    guard let real = try? FileSystem.realPath(path) else {
      return path.parent != path && isOwn(path.parent, user)
    }
    let owners = [0, user, UserNamespace.unmappedRoot]
    var place = real
    while let status = (try? FileSystem.status(place)) ?? nil, owners.contains(status.owner) {
      if user != 0 || place.parent == place { return true }
      place = place.parent
    }
    return false
  }
}
