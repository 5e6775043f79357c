/// Which messages with neither References nor In-Reply-To are put into one thread by their subject.
package enum SubjectLinks: String, Hashable, Sendable, CaseIterable {
  /// All with the same subject within 30 days.
  case all
  /// Only those whose subject says that they are an answer.
  case replies
  /// None.
  case off
}
