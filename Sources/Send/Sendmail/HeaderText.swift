internal import MIME
internal import Octets

/// The value of a field for people.
enum HeaderText {
  /// The value with its encoded words decoded, as UTF-8 without controls.
  static func decoded(_ value: [UInt8]) -> [UInt8] {
    EncodedWord.decode(value[...], .native).map { ASCII.isControl($0) ? ASCII.space : $0 }
  }
}
