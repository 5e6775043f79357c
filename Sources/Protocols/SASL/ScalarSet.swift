internal import Octets

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
