internal import Glibc
internal import Octets
package import Platform

/// Where the spools of users are.
package enum SpoolPlace {
  /// The spools of the system's accounts, and of users without a home of their own: a directory for each user, by the
  /// user's number.
  package static let system = Path("/var/spool/magnum")

  /// The root of the user's spools: `magnum/spool` below the state home.
  ///
  /// If the home is another user's, or there is none, it is the user's part of the system's place.
  ///
  /// A place that the environment names counts only if it is the user's: daemons and sudo leave others' there.
  package static func root(user: UInt32 = geteuid()) -> Path {
    stateHome(of: user)?.appending("magnum/spool") ?? shared(user: user)
  }

  /// The root for mail that is sent with an account of the system.
  ///
  /// Root can send from there, as the user may not be able to read the password.
  package static func rootForSystemAccounts(user: UInt32 = geteuid()) -> Path {
    let status = try? FileSystem.status(system, followingLinks: false)
    return status?.kind == .directory ? shared(user: user) : root(user: user)
  }

  /// All roots that spools of the user may be in, the usual one first; none that another user made in this one's name.
  package static func roots(user: UInt32 = geteuid()) -> [Path] {
    let usual = root(user: user)
    let others = sharedRoots().filter {
      $0.user == user && $0.root != usual && isOwn($0.root, user)
    }
    return [usual] + others.map(\.root)
  }

  /// The directories in the system's place, with the user whose number each has, sorted.
  ///
  /// A name is a number, with more behind a dot where another user has taken that name.
  package static func sharedRoots() -> [(user: UInt32, root: Path)] {
    var found: [(user: UInt32, root: Path)] = []
    _ = try? FileSystem.entries(of: system) { name, kind in
      var cursor = Cursor([UInt8](name))
      guard kind == .directory, let number = cursor.decimal(), let user = UInt32(exactly: number),
        cursor.isAtEnd || cursor.peek == ASCII.dot
      else { return }
      found.append((user, system.appending(Array(name))))
    }
    return found.sorted { ($0.user, $0.root.display) < ($1.user, $1.root.display) }
  }

  /// The user's part of the system's place.
  ///
  /// Any user can make a directory of any name there: where the name is taken, the user has another one that cannot be
  /// foreseen.
  private static func shared(user: UInt32) -> Path {
    let usual = system.appending("\(user)")
    guard let status = try? FileSystem.status(usual, followingLinks: false) else { return usual }
    if status.kind == .directory, status.owner == user { return usual }
    let other = sharedRoots().first { $0.user == user && isOwn($0.root, user) }
    let random = UInt64.random(in: 0...(.max))
    return other?.root ?? system.appending("\(user).\(String(random, radix: 16))")
  }

  private static func isOwn(_ root: Path, _ user: UInt32) -> Bool {
    guard let status = try? FileSystem.status(root, followingLinks: false) else { return false }
    return status.kind == .directory && status.owner == user
  }

  /// The user's state home; `nil` where there is none.
  private static func stateHome(of user: UInt32) -> Path? {
    Environment.ownPlace("XDG_STATE_HOME", user: user)
      ?? home(of: user)?.appending(".local/state")
  }

  /// The user's own home; `nil` where there is none.
  package static func home(of user: UInt32) -> Path? {
    [Environment.ownPlace("HOME", user: user), UserEntry(of: user)?.home].compactMap(\.self).first {
      home in
      guard home.isAbsolute, let status = try? FileSystem.status(home) else { return false }
      return status.kind == .directory && status.owner == user && home != Path("/")
    }
  }
}
