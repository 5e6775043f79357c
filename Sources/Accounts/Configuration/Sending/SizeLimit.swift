/// How long a message may be that is handed in.
package struct SizeLimit: Hashable, Sendable {
  /// The most octets.
  package let octets: Int

  /// 50 MiB: more than providers take.
  package static let standard = SizeLimit(octets: 50 << 20)

  /// The limits there can be.
  static let range = 1 << 10...1 << 30

  /// The same for people: in the largest unit that needs no fraction.
  package var text: String {
    for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] where octets % (1 << shift) == 0 {
      return "\(octets >> shift) \(unit)"
    }
    return "\(octets) octets"
  }

  /// The longest entry of a queue that such messages make, encoded as quoted-printable and with their recipients.
  package var ofEntries: Int { max(160 << 20, octets / 5 * 16) }
}
