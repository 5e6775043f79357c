internal import Octets

/// The value of `date:`, as moments.
package struct DateRange: Hashable, Sendable {
  /// The first second, since 1970; nil for no beginning.
  package let first: Int64?

  /// The last second; nil for no end.
  package let last: Int64?

  package init(first: Int64?, last: Int64?) {
    self.first = first
    self.last = last
  }

  /// Where in a range the part stands that cannot be made out.
  package struct Mistake: Error, Hashable, Sendable {
    /// From which octet of the text to which.
    package let place: Range<Int>
  }

  /// The range that a text means: `since..until`, `since..`, `..until`, `since..!` or `day`.
  ///
  /// Either end covers all that it names: `2012..2013` are two whole years, `..yesterday` ends with yesterday.
  ///
  /// - Throws: which part says nothing about dates.
  package init(_ text: [UInt8], _ dates: DateContext) throws(Mistake) {
    guard let dots = Self.dots(text) else {
      let fields = try Self.fields(text[...])
      self.init(first: fields.resolve(dates, .down), last: fields.resolve(dates, .up))
      return
    }
    let (since, until) = (text[..<dots], text[(dots + 2)...])
    if since.isEmpty, until.isEmpty { throw Mistake(place: 0..<text.count) }
    let first = since.isEmpty ? nil : try Self.fields(since)
    if until.elementsEqual([0x21]), let first {
      self.init(first: first.resolve(dates, .down), last: first.resolve(dates, .up))
      return
    }
    let last = until.isEmpty ? nil : try Self.fields(until)
    self.init(first: first?.resolve(dates, .down), last: last?.resolve(dates, .up))
  }

  private static func dots(_ text: [UInt8]) -> Int? {
    text.indices.dropLast().first { text[$0] == ASCII.dot && text[$0 + 1] == ASCII.dot }
  }

  private static func fields(_ text: ArraySlice<UInt8>) throws(Mistake) -> DateFields {
    guard let expression = DateExpression([UInt8](text)) else {
      throw Mistake(place: text.startIndex..<text.endIndex)
    }
    return expression.fields
  }
}

/// What time it is, and how far the clocks here are from UTC: what the words for dates depend on.
package struct DateContext: Sendable {
  /// Seconds since 1970.
  package let now: Int64

  /// Seconds by which local clocks were ahead of UTC at a moment, negative to the west.
  package let offset: @Sendable (_ moment: Int64) -> Int

  package init(now: Int64, offset: @escaping @Sendable (_ moment: Int64) -> Int) {
    self.now = now
    self.offset = offset
  }

  /// A context for a place whose clocks never change.
  package init(now: Int64, offset: Int = 0) {
    self.init(now: now) { _ in offset }
  }

  /// The local clock at a moment, as seconds since 1970 on that clock.
  package func local(_ moment: Int64) -> Int64 {
    moment + Int64(offset(moment))
  }

  /// The moment at which local clocks show a time.
  ///
  /// Where they show it twice, the first; where they skip it, as far behind the gap as it is behind its start.
  func moment(local: Int64) -> Int64 {
    let guess = local - Int64(offset(local - Int64(offset(local))))
    let earlier = local - Int64(offset(guess - 86_400))
    return self.local(earlier) == local ? earlier : guess
  }
}
