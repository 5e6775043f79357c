internal import Octets

/// The lines of a header as they were received, whatever their line ends.
struct HeaderLines {
  private let octets: [UInt8]

  init(_ octets: [UInt8]) { self.octets = octets }

  /// The fields, each with its folded lines and line end, and its name in an empty slice where it is none.
  var fields: Fields { Fields(octets) }

  /// Fields that are found while they are asked for: a stranger's header may have millions.
  struct Fields: Sequence, IteratorProtocol {
    private let octets: [UInt8]
    private var line = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    mutating func next() -> (name: ArraySlice<UInt8>, raw: ArraySlice<UInt8>)? {
      guard line < octets.count else { return nil }
      var end = lineEnd(line)
      while end < octets.count, ASCII.isBlank(octets[end]) { end = lineEnd(end) }
      let raw = octets[line..<end]
      line = end
      if case .at(let nameEnd) = HeaderLines.nameEnd(raw) { return (raw[..<nameEnd], raw) }
      return (raw.prefix(0), raw)
    }

    private func lineEnd(_ start: Int) -> Int {
      let end = OctetScan.index(of: ASCII.lineFeed, in: octets, from: start, to: octets.count)
      return Swift.min(end + 1, octets.count)
    }
  }

  /// The value of the first field of a name, folds kept; nil where there is none.
  func value(_ name: StaticString) -> ArraySlice<UInt8>? {
    fields.first { $0.name.equalsCaseless(name) }.map { Self.value($0.raw) }
  }

  /// What follows the colon of a field.
  static func value(_ raw: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    OctetScan.firstIndex(of: ASCII.colon, in: raw).map { raw[($0 + 1)...] } ?? raw.suffix(0)
  }

  /// A value without the blanks around it.
  static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = value.drop { ASCII.isBlank($0) }
    return start[..<(start.lastIndex { !ASCII.isBlank($0) }.map { $0 + 1 } ?? start.startIndex)]
  }

  /// Where the name of a field ends.
  enum NameEnd: Equatable {
    case at(Int)
    /// It is no field.
    case none
    /// The text ends before that is known.
    case unknown
  }

  /// The greatest length of a name; RFC 5322 allows lines of 998 octets.
  private static let nameLimit = 998

  /// Where the name of the field ends that begins a text.
  static func nameEnd(_ text: ArraySlice<UInt8>) -> NameEnd {
    let start = text.startIndex
    let limit = min(text.endIndex, start + nameLimit)
    // RFC 5322 §2.2: printable ASCII.
    let end = text[..<limit].firstIndex { octet in
      octet <= ASCII.space || octet >= ASCII.delete || octet == ASCII.colon
    }
    guard let end else { return limit == text.endIndex ? .unknown : .none }
    guard end > start else { return .none }
    // A blank may stand before the colon (RFC 5322 §4.5).
    let colon = text[end..<limit].firstIndex { !ASCII.isBlank($0) }
    guard let colon else { return limit == text.endIndex ? .unknown : .none }
    return text[colon] == ASCII.colon ? .at(end) : .none
  }
}
