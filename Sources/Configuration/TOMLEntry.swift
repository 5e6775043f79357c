/// A key of a table with its value.
struct TOMLEntry: Hashable, Sendable {
  let key: String
  let value: TOMLNode

  /// The line of the key, from 1; `nil` when it was not found in the text.
  let line: Int?
}
