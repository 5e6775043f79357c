/// How much of a message a result tells.
package enum ResultDetail: Hashable, Sendable {
  /// All that the index keeps.
  case all
  /// All but the receivers: what a list of threads shows.
  case list
}
