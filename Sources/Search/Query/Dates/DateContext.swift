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
