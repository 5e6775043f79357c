internal import Octets

/// The name in tmp of a message that is being fetched: `fetch.V17U5.0123456789abcdef`.
///
/// No file in new or cur is called so: another program may put a message from there into tmp, where it is no leftover.
package enum FetchName {
  private static let prefix = [UInt8](ascii: "fetch.")

  /// The name for a key, whose UID is a number that tells apart what is being fetched.
  package static func octets(_ key: MessageKey) -> [UInt8] { prefix + key.text }

  /// The key of such a name; nil for any other.
  static func key(in name: [UInt8]) -> MessageKey? {
    guard name.starts(with: prefix), let key = MessageKey(baseName: name),
      name.dropFirst(prefix.count).elementsEqual(key.text)
    else { return nil }
    return key
  }
}
