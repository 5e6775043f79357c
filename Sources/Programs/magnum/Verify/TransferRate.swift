/// Amounts of octets as people write them: `500kB`, `2MB`, `2MB/s`.
enum TransferRate {
  private static let units: [(ending: String, octets: Int)] = [
    ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("B", 1), ("", 1),
  ]

  /// The octets, 1 or more; nil for what is no such amount.
  static func octets(_ text: String) -> Int? {
    let amount = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
    guard let unit = units.first(where: { amount.hasSuffix($0.ending) }),
      let number = Int(amount.dropLast(unit.ending.count)), number > 0
    else { return nil }
    let (octets, isTooMuch) = number.multipliedReportingOverflow(by: unit.octets)
    return isTooMuch ? nil : octets
  }
}
