internal import Glibc
internal import Octets

/// Working in the name of another user, as only root may.
package enum UserIdentity {
  /// The user in whose name files are opened now.
  package static var effective: UInt32 { geteuid() }

  /// The number of the user of that log-in name; nil where there is none.
  package static func number(of name: String) -> UInt32? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16 * 1024)
    guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
      return nil
    }
    return entry.pw_uid
  }

  /// Does something in the name of a user, with his group and no other rights; then is root again.
  ///
  /// All threads of the process change with it. Code that works in a directory of another user
  /// has to use it: a link there must not lead to what only root may touch.
  /// - Throws: the error of setegid(2), setgroups(2) or seteuid(2); what the body throws.
  package static func assume<Result, Failure: Error>(
    _ user: UInt32,
    mapping: (SystemError) -> Failure,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard user != effective else { return try body() }
    do throws(SystemError) {
      try enter(user)
    } catch {
      leave()
      throw mapping(error)
    }
    defer { leave() }
    return try body()
  }

  private static func enter(_ user: UInt32) throws(SystemError) {
    let group = UserEntry(of: user)?.group ?? user
    try check("setgroups", setgroups(1, [group]))
    try check("setegid", setegid(group))
    try check("seteuid", seteuid(user))
  }

  /// Becomes root again; a process that cannot must not continue as another user.
  private static func leave() {
    guard seteuid(0) == 0, setegid(0) == 0, setgroups(1, [0]) == 0 else { abort() }
  }

  private static func check(_ operation: String, _ result: Int32) throws(SystemError) {
    guard result != 0 else { return }
    throw SystemError(operation: operation, path: nil, code: errno)
  }
}

/// What the system's user database says of a user.
package struct UserEntry: Sendable {
  /// The login name, as octets.
  package let name: [UInt8]
  /// The full name and what else stands there, as octets (GECOS).
  package let comment: [UInt8]
  /// The user's first group.
  package let group: UInt32
  /// The home directory; nil where none can be one.
  package let home: Path?

  /// Looks a user up; nil where the database has none of that number.
  package init?(of user: UInt32) {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16 * 1024)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
      return nil
    }
    name = Self.octets(entry.pw_name)
    comment = Self.octets(entry.pw_gecos)
    group = entry.pw_gid
    home = Path(validating: Self.octets(entry.pw_dir)).flatMap { $0.isAbsolute ? $0 : nil }
  }

  /// The name of a user for people, or the number where there is none.
  package static func name(of user: UInt32) -> String {
    UserEntry(of: user).map { Printable.text($0.name) } ?? "\(user)"
  }

  private static func octets(_ text: UnsafeMutablePointer<CChar>?) -> [UInt8] {
    guard let text else { return [] }
    return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}

/// The users that this process sees.
enum UserNamespace {
  /// The number that stands for root where root has none here.
  ///
  /// In a user namespace of an ordinary user, files of all other users have it. Services of systemd with PrivateUsers= and
  /// sandboxes have such a namespace.
  ///
  /// It is nil where root is seen as itself.
  static let unmappedRoot: UInt32? = {
    guard let map = try? FileSystem.readFile(Path("/proc/self/uid_map"), limit: 1 << 16) else {
      return nil
    }
    let isMapped = map.split(separator: ASCII.lineFeed).contains { line in
      let numbers = line.split(separator: ASCII.space).compactMap { number($0) }
      return numbers.count == 3 && numbers[1] == 0
    }
    guard !isMapped else { return nil }
    let text = (try? FileSystem.readFile(Path("/proc/sys/kernel/overflowuid"), limit: 100)) ?? nil
    return text.flatMap { number($0[...]) } ?? 65_534
  }()

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
    var cursor = Cursor(Array(digits))
    return cursor.decimal().flatMap { UInt32(exactly: $0) }
  }
}
