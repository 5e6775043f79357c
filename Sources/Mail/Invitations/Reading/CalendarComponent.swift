internal import Octets

/// A component of a calendar: what stands between BEGIN and END (RFC 5545 §3.6).
package struct CalendarComponent: Hashable, Sendable {
  /// The name in large letters.
  package let name: [UInt8]
  /// Its own lines, in order.
  package var lines: [CalendarLine] = []
  /// Those within it, in order.
  package var components: [CalendarComponent] = []

  package init(name: [UInt8]) {
    self.name = name
  }

  /// Whether it has that name.
  package func isNamed(_ name: StaticString) -> Bool { self.name.equalsCaseless(name) }

  /// The first line of a name.
  package func first(_ name: StaticString) -> CalendarLine? { lines.first { $0.isNamed(name) } }

  /// All lines of a name.
  package func all(_ name: StaticString) -> [CalendarLine] { lines.filter { $0.isNamed(name) } }

  /// All components of a name right within it.
  package func within(_ name: StaticString) -> [CalendarComponent] {
    components.filter { $0.isNamed(name) }
  }

  /// It as text: lines folded, with CRLF.
  package var octets: [UInt8] {
    let begin = CalendarLine("BEGIN", name).folded
    return begin + lines.flatMap(\.folded) + components.flatMap(\.octets)
      + CalendarLine("END", name).folded
  }
}

/// Why a calendar is not read.
package enum CalendarProblem: Error, Hashable, Sendable {
  /// It is longer than 1 MiB.
  case tooLong
  /// A component has more than 1,000 lines, there are too many components, or too many within one another.
  case tooMany
  /// It is none.
  case malformed

  /// For people.
  package var words: String {
    switch self {
    case .tooLong: "the calendar is longer than 1 MiB, and is not read"
    case .tooMany: "the calendar has more than 1,000 lines in one component, and is not read"
    case .malformed: "the calendar cannot be read"
    }
  }
}

/// Reads calendars; what a stranger can make of them is bounded.
package enum CalendarReader {
  /// The octets of a whole calendar.
  package static let sizeLimit = 1 << 20

  private static let lineLimit = 1000
  private static let depthLimit = 8
  private static let componentLimit = 20_000

  /// The components of a text in UTF-8 that are within no other.
  ///
  /// Lines end with CRLF, LF or CR. A line without a colon is left out, and so is what stands outside of components; a component
  /// without its end ends with the text.
  package static func read(
    _ text: some Collection<UInt8>
  ) throws(CalendarProblem) -> [CalendarComponent] {
    guard text.count <= sizeLimit else { throw .tooLong }
    var (open, roots, count): ([CalendarComponent], [CalendarComponent], Int) = ([], [], 0)
    for octets in lines([UInt8](text)) {
      guard let line = CalendarLine(octets[...]) else { continue }
      if line.isNamed("BEGIN") {
        count += 1
        guard open.count < depthLimit, count <= componentLimit else { throw .tooMany }
        open.append(CalendarComponent(name: word(line)))
      } else if line.isNamed("END") {
        guard open.last?.name == word(line) else { throw .malformed }
        close(&open, &roots)
      } else if let last = open.indices.last {
        guard open[last].lines.count < lineLimit else { throw .tooMany }
        open[last].lines.append(line)
      }
    }
    while !open.isEmpty { close(&open, &roots) }
    return roots
  }

  /// The name of the component that a line begins or ends.
  private static func word(_ line: CalendarLine) -> [UInt8] {
    line.value.map(ASCII.uppercased).filter { !ASCII.isBlank($0) }
  }

  private static func close(
    _ open: inout [CalendarComponent],
    _ roots: inout [CalendarComponent]
  ) {
    guard let last = open.popLast() else { return }
    if open.isEmpty { roots.append(last) } else { open[open.count - 1].components.append(last) }
  }

  /// The lines, folds undone.
  private static func lines(_ text: [UInt8]) -> [[UInt8]] {
    var (lines, line): ([[UInt8]], [UInt8]) = ([], [])
    var index = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < text.count {
      let octet = text[index]
      index += 1
      guard octet == ASCII.lineFeed || octet == ASCII.carriageReturn else {
        line.append(octet)
        continue
      }
      if octet == ASCII.carriageReturn, index < text.count, text[index] == ASCII.lineFeed {
        index += 1
      }
      if index < text.count, ASCII.isBlank(text[index]) {
        index += 1
      } else {
        if !line.isEmpty { lines.append(line) }
        line = []
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
