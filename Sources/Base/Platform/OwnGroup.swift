internal import Glibc
internal import Octets

/// Groups with a single user, as most systems make one for each user; files of mode 0664 are usual there (umask 002).
enum OwnGroup {
  /// Whether a group bears the name of a user, and has no other members.
  static func isOwn(_ number: UInt32, of user: UInt32) -> Bool {
    guard let entry = UserEntry(of: user), entry.group == number else { return false }
    var record = group()
    var found: UnsafeMutablePointer<group>?
    var buffer = [CChar](repeating: 0, count: 64 * 1024)
    guard getgrgid_r(number, &record, &buffer, buffer.count, &found) == 0, found != nil,
      let name = record.gr_name, octets(name) == entry.name
    else { return false }
    var next = record.gr_mem
    while let member = next?.pointee {
      guard octets(member) == entry.name else { return false }
      next = next?.advanced(by: 1)
    }
    return true
  }

  private static func octets(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}
