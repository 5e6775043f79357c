internal import Glibc

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
