/// An account that lacks something, found when all its keys were read.
struct IncompleteAccount: Error {
  /// The key that is not there.
  let key: String
  let mistake: Mistake
}
