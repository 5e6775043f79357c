internal import Octets

/// A character set by the name that a converter knows it by.
package struct Charset: Sendable, Hashable {
  /// The canonical name, such as `UTF-8` or `ISO-8859-15`; empty when the text says nothing usable.
  package let name: String

  private init(name: String) {
    self.name = name
  }

  /// The charset that a label as found in mail means.
  ///
  /// Case, quotes, punctuation and a language after `*` (RFC 2231 §5) do not matter. Labels that say
  /// nothing (`unknown-8bit`, `default`) give ``unlabelled``. One that is not known is passed on in
  /// capitals, only letters, digits and `-_.:+` kept, for the converter to try.
  package init(label: some Collection<UInt8>) {
    let label = label.prefix(64).prefix { $0 != ASCII.asterisk }.map { ASCII.lowercased($0) }
    let key = label.filter { ASCII.isLetter($0) || ASCII.isDigit($0) }
    if let known = CharsetAliases.names[String(decoding: key, as: UTF8.self)] {
      name = known
      return
    }
    let marks = [UInt8](ascii: "-_.:+")
    let kept = label.filter { ASCII.isLetter($0) || ASCII.isDigit($0) || marks.contains($0) }
    name = String(decoding: kept.map { ASCII.uppercased($0) }, as: UTF8.self)
  }

  /// US-ASCII, what text without a label is by the standard (RFC 2045 §5.2).
  package static let ascii = Charset(name: "US-ASCII")

  package static let utf8 = Charset(name: "UTF-8")

  /// ISO-8859-1; read as windows-1252, its superset, since that is what such mail holds.
  package static let latin1 = Charset(name: "ISO-8859-1")

  package static let windows1252 = Charset(name: "WINDOWS-1252")

  /// HZ-GB-2312, and what it is decoded by.
  static let hz = Charset(name: "HZ-GB-2312")
  static let gb18030 = Charset(name: "GB18030")

  /// Whether each of its characters takes two octets or four.
  var isWide: Bool { name.hasPrefix("UTF-16") || name.hasPrefix("UTF-32") }

  /// A text without a label: read as UTF-8 where it is that, else as what it is most likely, windows-1252 in the end.
  package static let unlabelled = Charset(name: "")
}
