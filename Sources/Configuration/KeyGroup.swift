/// Keys that answer the same question: one section may hold only one of a group.
///
/// A key of an account takes the place of all keys of its group in the defaults.
enum KeyGroup: Hashable, Sendable {
  case server
  case secret
  case trust
  case submissionUser
  case submissionSecret
  case submissionTrust
  case signature
}
