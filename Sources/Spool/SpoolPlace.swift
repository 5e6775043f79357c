internal import Glibc
package import Platform

/// Where the spools of the user are.
package enum SpoolPlace {
  /// The spools of users without a home of their own, a directory for each by his number.
  package static let system = Path("/var/spool/magnum")

  /// The root of the user's spools: `magnum/spool` below his state home, or his part of the
  /// system's, where his home is another's or none at all.
  ///
  /// A home that the environment names counts only if it is his: daemons and sudo leave others' there.
  package static func root(user: UInt32 = geteuid()) -> Path {
    if let state = Environment.octets("XDG_STATE_HOME").flatMap(Path.init(validating:)),
      state.isAbsolute
    {
      return state.appending("magnum/spool")
    }
    if let home = home(of: user) { return home.appending(".local/state/magnum/spool") }
    return system.appending("\(user)")
  }

  /// The user's own home; `nil` where he has none.
  package static func home(of user: UInt32) -> Path? {
    let named = Environment.octets("HOME").flatMap(Path.init(validating:))
    return [named, entry(of: user)].compactMap(\.self).first { home in
      guard home.isAbsolute, let status = try? FileSystem.status(home) else { return false }
      return status.kind == .directory && status.owner == user && home != Path("/")
    }
  }

  private static func entry(of user: UInt32) -> Path? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16 * 1024)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil,
      let home = entry.pw_dir
    else { return nil }
    return Path(validating: Array(UnsafeRawBufferPointer(start: home, count: strlen(home))))
  }
}
