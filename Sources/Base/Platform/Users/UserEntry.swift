internal import Glibc
internal import Octets

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
