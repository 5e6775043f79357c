internal import Threads

/// A file whose header has been read.
struct SurveyedFile: Sendable {
  let file: StoredFile
  let member: ThreadMember
  /// How long it is.
  let size: UInt64
}
