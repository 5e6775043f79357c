internal import Octets

/// One level of a mailbox name as part of a path, and back.
///
/// Escaped are: `%` itself, `/`, control octets, octets that are not UTF-8, a dot at the start (in Maildir++ every
/// dot), and the first letter of `cur`, `new` and `tmp`. An empty level is a lone `%`.
enum FolderName {
  /// A name that is safe as part of a path.
  static func escape(_ component: [UInt8], isDotSeparator: Bool) -> [UInt8] {
    guard !component.isEmpty else { return [ASCII.percent] }
    let hidden = mustHideFirst(component) ? 1 : 0
    let first = PercentEscape.escape(component.prefix(hidden)) { _ in true }
    return first + escapeRuns(component.dropFirst(hidden), isDotSeparator)
  }

  /// The level that a name stands for; nil where an escape is malformed.
  static func unescape(_ name: [UInt8]) -> [UInt8]? {
    name == [ASCII.percent] ? [] : PercentEscape.unescape(name)
  }

  /// The directories of a Maildir, which are no folders.
  static let reserved = [[UInt8](ascii: "new"), [UInt8](ascii: "cur"), [UInt8](ascii: "tmp")]

  private static func mustHideFirst(_ component: [UInt8]) -> Bool {
    component.first == ASCII.dot || reserved.contains(component)
  }

  /// Escapes character by character, so that octets outside of any character stand out.
  private static func escapeRuns(_ octets: ArraySlice<UInt8>, _ isDotSeparator: Bool) -> [UInt8] {
    var result: [UInt8] = []
    var rest = octets.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var position = octets.startIndex
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let character):
        result += PercentEscape.escape(character) { isSpecial($0, isDotSeparator) }
        position += character.count
      case .error(let length):
        result += PercentEscape.escape(octets[position..<(position + length)]) { _ in true }
        position += length
      case .emptyInput:
        return result
      }
    }
  }

  private static func isSpecial(_ octet: UInt8, _ isDotSeparator: Bool) -> Bool {
    ASCII.isControl(octet) || octet == ASCII.slash || (isDotSeparator && octet == ASCII.dot)
  }
}
