/// Base names of files that are known by numbers, so that a scan need not keep them once more.
package protocol KnownNames: Sendable {
  /// Numbers are below it.
  var count: Int { get }
  /// What tells these names from others: names that were added behind do not change it.
  var token: NameToken { get }
  /// The number of a name, the highest where it has several; nil where it is not known.
  func number(of name: UnsafeRawBufferPointer) -> Int?
  /// Lends a name.
  func withName<Result>(
    _ number: Int,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result
}

/// Tells names that are known from others.
package final class NameToken: Sendable {
  /// One that no other names have.
  package init() {}
}

/// No names.
struct NoNames: KnownNames {
  private static let one = NameToken()

  var count: Int { 0 }
  var token: NameToken { Self.one }

  func number(of name: UnsafeRawBufferPointer) -> Int? { nil }

  func withName<Result>(
    _ number: Int,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
}
