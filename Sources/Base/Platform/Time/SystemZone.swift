/// The zones that the system knows.
package enum SystemZone {
  private static let directory = Path("/usr/share/zoneinfo")

  /// Longer ones are none of a zone.
  private static let limit = 1 << 18

  /// The file of a zone such as `Europe/Berlin` (RFC 9636); nil where there is none.
  ///
  /// The name has letters, digits, `_`, `+` and `-` between slashes.
  package static func file(_ name: [UInt8]) -> [UInt8]? {
    (try? FileSystem.readFile(directory.appending(name), limit: limit)) ?? nil
  }
}
