internal import Octets

/// What kind of source some octets begin.
package enum SourceKind: Hashable, Sendable {
  case mbox
  /// One message.
  case message
  /// Nothing at all.
  case empty
  /// No mail.
  case other

  /// Octets that are enough to tell.
  package static let startLength = 8 << 10

  /// What the first octets of a file tell.
  package init(start: [UInt8]) {
    guard !start.isEmpty else {
      self = .empty
      return
    }
    let lines = start[Self.firstLine(in: start)...]
    let first = lines.prefix { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
    if MboxSeparator(first) != nil {
      self = .mbox
      return
    }
    // Empty lines, or a separator of another form, on top of a single message.
    var rest = lines
    let isSingle = first.starts(with: MboxReader.start) || first.starts(with: Self.quoted)
    if isSingle { rest = rest.dropFirst(first.count).drop { $0 <= ASCII.space } }
    self = Self.isHeader(rest) ? .message : .other
  }

  /// Where the first line is that is not empty, behind a byte order mark.
  package static func firstLine(in start: [UInt8]) -> Int {
    let mark = start.starts(with: MboxReader.byteOrderMark) ? MboxReader.byteOrderMark.count : 0
    let line = start[mark...].firstIndex { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
    return line ?? start.count
  }

  /// Whether lines are fields up to the empty one, and one of them is a field of mail: other files have lines with colons too.
  private static func isHeader(_ octets: ArraySlice<UInt8>) -> Bool {
    let text = [UInt8](octets)
    let isWhole = text.count < startLength
    var hasKnown = false
    for field in HeaderLines(text).fields {
      if field.raw.first == ASCII.lineFeed || field.raw.starts(with: [13, 10]) { break }
      if field.name.isEmpty { return !isWhole && field.raw.endIndex == text.count && hasKnown }
      if mailFields.contains(where: { field.name.equalsCaseless($0) }) { hasKnown = true }
    }
    return hasKnown
  }

  private static let mailFields: [StaticString] = [
    "From", "To", "Cc", "Bcc", "Date", "Subject", "Message-ID", "Received", "Return-Path",
    "Delivered-To", "MIME-Version", "Content-Type", "Reply-To", "Sender", "In-Reply-To",
    "References", "X-Mozilla-Status", "Status", "X-Gmail-Labels",
  ]

  private static let quoted = [UInt8](ascii: ">From ")
}
