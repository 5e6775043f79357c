internal import Octets

/// The one form of a user name or password beyond ASCII that both sides of SCRAM compute with (RFC 4013, Unicode 3.2).
package enum SASLprep {
  /// The text in that form; text in ASCII is left as it is.
  ///
  /// - Returns: nil where the octets are not UTF-8 or the text may not be used: it holds controls or what has no meaning, is
  ///   empty then, or mixes the directions of scripts.
  package static func prepare(_ octets: [UInt8]) -> [UInt8]? {
    if octets.allSatisfy({ (0x20...0x7E).contains($0) }) { return octets }
    guard let text = String(validating: octets, as: UTF8.self) else { return nil }
    let scalars = normalize(mapped(text.unicodeScalars.map(\.value)))
    guard isAllowed(scalars) else { return nil }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars.compactMap { Unicode.Scalar($0) })
    return Array(String(result).utf8)
  }

  /// Spaces are all alike, and some scalars are left out (§2.1).
  private static func mapped(_ scalars: [UInt32]) -> [UInt32] {
    scalars.compactMap { scalar in
      if nothing.contains(scalar) { return nil }
      return spaces.contains(scalar) ? 0x20 : scalar
    }
  }

  /// Whether a text may be used (§2.3 to §2.5).
  private static func isAllowed(_ scalars: [UInt32]) -> Bool {
    guard !scalars.contains(where: { prohibited.contains($0) || unassigned.contains($0) }),
      let first = scalars.first, let last = scalars.last
    else { return false }
    guard scalars.contains(where: rightToLeft.contains) else { return true }
    return !scalars.contains(where: leftToRight.contains) && rightToLeft.contains(first)
      && rightToLeft.contains(last)
  }

  // MARK: - Normalization form KC

  /// Takes all apart, puts marks in order, and composes again (Unicode Standard Annex 15).
  private static func normalize(_ scalars: [UInt32]) -> [UInt32] {
    let parts = scalars.flatMap { decompositions[$0] ?? Hangul.parts(of: $0) ?? [$0] }
    return composed(ordered(parts))
  }

  private static func order(_ scalar: UInt32) -> UInt8 { orders[scalar] ?? 0 }

  /// Marks behind a letter in the order of their classes; those of one class stay as they are.
  private static func ordered(_ scalars: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    for scalar in scalars {
      var place = result.count
      let own = order(scalar)
      while own > 0, place > 0, order(result[place - 1]) > own { place -= 1 }
      result.insert(scalar, at: place)
    }
    return result
  }

  private static func composed(_ scalars: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    var starter: Int?
    var last: UInt8?
    for scalar in scalars {
      let own = order(scalar)
      // What stands between with the same class or none keeps the two apart.
      let isBlocked = last.map { $0 == 0 || $0 >= own } ?? false
      if let place = starter, !isBlocked, let one = pair(result[place], scalar) {
        result[place] = one
        continue
      }
      if own == 0 {
        starter = result.count
        last = nil
      } else {
        last = own
      }
      result.append(scalar)
    }
    return result
  }

  private static func pair(_ first: UInt32, _ second: UInt32) -> UInt32? {
    Hangul.composed(first, second) ?? compositions[UInt64(first) << 32 | UInt64(second)]
  }

  // MARK: - Tables

  private static let prohibited = ScalarSet(SASLprepTable.prohibited)
  private static let unassigned = ScalarSet(SASLprepTable.unassigned)
  private static let spaces = ScalarSet(SASLprepTable.spaces)
  private static let nothing = ScalarSet(SASLprepTable.nothing)
  private static let rightToLeft = ScalarSet(SASLprepTable.rightToLeft)
  private static let leftToRight = ScalarSet(SASLprepTable.leftToRight)

  private static let orders: [UInt32: UInt8] = {
    var orders: [UInt32: UInt8] = [:]
    for (range, value) in ScalarSet.entries(SASLprepTable.orders) {
      for scalar in range { orders[scalar] = value.flatMap { UInt8($0) } }
    }
    return orders
  }()

  private static let compositions: [UInt64: UInt32] = {
    var compositions: [UInt64: UInt32] = [:]
    for (parts, one) in ScalarSet.pairs(SASLprepTable.compositions) where parts.count == 2 {
      compositions[UInt64(parts[0]) << 32 | UInt64(parts[1])] = one.first
    }
    return compositions
  }()

  private static let decompositions: [UInt32: [UInt32]] = {
    var decompositions: [UInt32: [UInt32]] = [:]
    for (one, parts) in ScalarSet.pairs(SASLprepTable.decompositions) {
      if let one = one.first { decompositions[one] = parts }
    }
    return decompositions
  }()
}

/// A set of scalars as SASLprepTable has it: `A0 340-341`, in hexadecimal digits and ascending.
struct ScalarSet: Sendable {
  private let ranges: [ClosedRange<UInt32>]

  init(_ text: StaticString) {
    ranges = Self.entries(text).map(\.range)
  }

  func contains(_ scalar: UInt32) -> Bool { ranges.hold(scalar) }

  /// Runs, each with what stands behind an equals sign.
  static func entries(_ text: StaticString) -> [(range: ClosedRange<UInt32>, value: Substring?)] {
    words(text).compactMap { word in
      let sides = word.split(separator: "=")
      let ends = sides[0].split(separator: "-").compactMap { UInt32($0, radix: 16) }
      guard let first = ends.first, let last = ends.last, first <= last else { return nil }
      return (first...last, sides.dropFirst().first)
    }
  }

  /// Sequences with dots between, and what they become.
  static func pairs(_ text: StaticString) -> [(from: [UInt32], to: [UInt32])] {
    words(text).map { word in
      let sides = word.split(separator: "=").map { side in
        side.split(separator: ".").compactMap { UInt32($0, radix: 16) }
      }
      return (sides.first ?? [], sides.dropFirst().first ?? [])
    }
  }

  private static func words(_ text: StaticString) -> [Substring] {
    text.description.split { $0 == " " || $0 == "\n" }
  }
}

/// Syllables of Korean, which are computed and stand in no table (The Unicode Standard, section 3.12).
enum Hangul {
  private static let syllables: Range<UInt32> = 0xAC00..<0xAC00 + 11172
  private static let leading: Range<UInt32> = 0x1100..<0x1100 + 19
  private static let vowels: Range<UInt32> = 0x1161..<0x1161 + 21
  /// The first stands for none.
  private static let trailing: Range<UInt32> = 0x11A7..<0x11A7 + 28

  /// The letters of a syllable; nil for what is none.
  static func parts(of scalar: UInt32) -> [UInt32]? {
    guard syllables.contains(scalar) else { return nil }
    let index = scalar - syllables.lowerBound
    let last = trailing.lowerBound + index % 28
    let first = [leading.lowerBound + index / 588, vowels.lowerBound + index % 588 / 28]
    return last == trailing.lowerBound ? first : first + [last]
  }

  /// The syllable of two letters, or of a syllable and a letter; nil where there is none.
  static func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if leading.contains(first), vowels.contains(second) {
      let number = (first - leading.lowerBound) * 21 + second - vowels.lowerBound
      return syllables.lowerBound + number * 28
    }
    let isOpen = syllables.contains(first) && (first - syllables.lowerBound) % 28 == 0
    guard isOpen, trailing.dropFirst().contains(second) else { return nil }
    return first + second - trailing.lowerBound
  }
}
