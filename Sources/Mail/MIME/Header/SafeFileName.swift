internal import Octets

/// Names for files, made of names that mail gives.
package enum SafeFileName {
  /// How many octets a safe name has at most: what file systems allow.
  package static let lengthLimit = 255

  /// The name as one that can be given to a file in any folder; `nil` when nothing is left of it.
  ///
  /// Only what follows the last slash or backslash counts. Controls, marks that turn the direction of
  /// text, invisible characters and octets that are not UTF-8 go, leading dots, hyphens and blanks too,
  /// and `:*?"<>|` become `_`. A name too long loses the end of its stem, not its extension.
  package static func make(_ name: [UInt8]) -> [UInt8]? {
    let last = name.split { $0 == ASCII.slash || $0 == ASCII.backslash }.last ?? []
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: last, as: UTF8.self).unicodeScalars where isVisible(scalar) {
      scalars.append(unwanted.contains(scalar) ? "_" : scalar)
    }
    var safe = [UInt8](String(scalars).utf8)[...]
    safe = safe.drop { $0 == ASCII.dot || $0 == ASCII.space || $0 == ASCII.minus }
    while let last = safe.last, last == ASCII.dot || last == ASCII.space { safe.removeLast() }
    return safe.isEmpty ? nil : shortened([UInt8](safe))
  }

  private static let unwanted: [Unicode.Scalar] = [":", "*", "?", "\"", "<", ">", "|"]

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\u{FFFD}" { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      return false
    default:
      return !scalar.properties.isDefaultIgnorableCodePoint
        || scalar.properties.isVariationSelector
    }
  }

  private static func shortened(_ name: [UInt8]) -> [UInt8] {
    guard name.count > lengthLimit else { return name }
    let dot = name.lastIndex(of: ASCII.dot) ?? name.count
    let ending = name.count - dot <= 20 ? name[dot...] : []
    var stem = name.prefix(lengthLimit - ending.count)
    // Cut between characters, not within one.
    while let last = stem.last, name[stem.endIndex] & 0xC0 == 0x80 || last & 0xC0 == 0xC0 {
      stem.removeLast()
    }
    return [UInt8](stem) + ending
  }
}
