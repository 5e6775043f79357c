internal import Octets
internal import Platform

/// The colours of what is shown, as numbers for the terminal (SGR), such as `1;34`.
///
/// The usual ones can be read on a light and on a dark ground.
struct Palette {
  /// The names of header fields.
  var field = "1"
  /// Text that is quoted.
  var quote = "32"
  /// Text that is quoted in a quotation.
  var innerQuote = "35"
  /// The lines between messages.
  var rule = "2"

  /// The usual ones, except for those that `MAGNUM_COLORS` sets: `field=1;34:quote=36`.
  static var current: Palette { Palette(Environment.value("MAGNUM_COLORS") ?? "") }

  /// The usual ones, except for those that a text sets; what it says otherwise has no effect.
  init(_ settings: String) {
    for setting in settings.split(separator: ":") {
      let halves = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, halves[1].utf8.allSatisfy(Self.isPart) else { continue }
      let colour = String(halves[1])
      switch halves[0] {
      case "field": field = colour
      case "quote": quote = colour
      case "quote2": innerQuote = colour
      case "rule": rule = colour
      default: continue
      }
    }
  }

  /// Nothing else reaches the terminal.
  private static func isPart(_ octet: UInt8) -> Bool {
    ASCII.isDigit(octet) || octet == UInt8(ascii: ";")
  }
}
