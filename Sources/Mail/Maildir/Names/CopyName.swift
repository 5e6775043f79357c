internal import Octets

/// The names of files that a person had `magnum` make as copies of messages.
///
/// The host that such a name tells is no host: another program that moves a message by a copy gives it another name.
package enum CopyName {
  private static let host = Array(".copy".utf8)

  /// The base name of a copy, which has these octets before the host.
  package static func base(_ unique: String) -> [UInt8] { Array(unique.utf8) + host }

  /// Whether a base name is that of such a copy.
  package static func isOne(_ base: [UInt8]) -> Bool { base.suffix(host.count).elementsEqual(host) }
}
