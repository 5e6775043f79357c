internal import Octets

/// A file of another program, as it was read.
package struct ForeignFile: Hashable, Sendable {
  /// The name that people are shown.
  package let name: String
  /// What stands in it.
  package let octets: [UInt8]

  /// A file that was read.
  package init(name: String, octets: [UInt8]) {
    self.name = Printable.text(name.utf8)
    self.octets = octets
  }

  /// The most lines that are read; hostile files have more.
  private static let lineLimit = 5_000

  /// What is said of a file that is longer than what is read of it; nil where it is not.
  var lengthRemark: Remark? {
    guard octets.count(where: { $0 == ASCII.lineFeed }) > Self.lineLimit else { return nil }
    return malformed(Self.lineLimit, "only the first \(Self.lineLimit) lines are read")
  }

  /// The lines without their ends, each with its number from 1.
  var lines: [(number: Int, octets: ArraySlice<UInt8>)] {
    octets.split(
      separator: ASCII.lineFeed,
      maxSplits: Self.lineLimit,
      omittingEmptySubsequences: false
    ).prefix(Self.lineLimit).enumerated().map {
      ($0 + 1, $1.last == ASCII.carriageReturn ? $1.dropLast() : $1)
    }
  }

  /// The octets as text; nil where they are not UTF-8, or hold control characters.
  static func text(_ octets: some Collection<UInt8>) -> String? {
    guard !octets.contains(where: { ASCII.isControl($0) && $0 != ASCII.tab }) else { return nil }
    return String(validating: octets, as: UTF8.self)
  }

  /// A line that is nothing the program could read.
  func malformed(_ line: Int, _ text: String) -> Remark {
    Remark(file: name, line: line, directive: nil, kind: .malformed, text: text)
  }

  static let notText = "not UTF-8, or with control characters: passed over"
}
