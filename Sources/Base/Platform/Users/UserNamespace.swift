internal import Octets

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
