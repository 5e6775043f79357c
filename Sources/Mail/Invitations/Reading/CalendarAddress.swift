internal import Octets

/// The organizer of an event, or a person who is invited: a line with an address (RFC 5545 §3.3.3).
package struct CalendarAddress: Hashable, Sendable {
  /// The line as it came.
  package let line: CalendarLine

  /// The name for people, as the line has it; empty where it has none.
  package let name: [UInt8]

  /// The address of mail: that of a `mailto:`, else of the parameter EMAIL; nil where there is neither.
  package let address: [UInt8]?

  package init(_ line: CalendarLine) {
    self.line = line
    name = line.parameter("CN") ?? []
    address = Self.mailto(line.value) ?? line.parameter("EMAIL").flatMap(Self.checked)
  }

  /// How the person answered: the parameter PARTSTAT in large letters, NEEDS-ACTION where there is none.
  package var answer: [UInt8] {
    line.parameter("PARTSTAT")?.map(ASCII.uppercased) ?? [UInt8](ascii: "NEEDS-ACTION")
  }

  /// Whether it has this address, in letters of either case.
  package func has(_ other: [UInt8]) -> Bool { address?.equalsCaseless(other) ?? false }

  private static func mailto(_ value: [UInt8]) -> [UInt8]? {
    guard value.startsCaseless(with: "mailto:") else { return nil }
    let rest = value.dropFirst(7).prefix { $0 != ASCII.questionMark }
    return PercentEscape.unescape(rest).flatMap(checked)
  }

  /// An address without anything that could mean more in a header or an envelope.
  private static func checked(_ address: [UInt8]) -> [UInt8]? {
    let isPlain = address.allSatisfy {
      $0 > ASCII.space && $0 != ASCII.delete && !"<>\",;:\\()[]".utf8.contains($0)
    }
    let halves = address.split(separator: ASCII.at, omittingEmptySubsequences: false)
    guard isPlain, address.count <= 254, halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty
    else { return nil }
    return address
  }
}
