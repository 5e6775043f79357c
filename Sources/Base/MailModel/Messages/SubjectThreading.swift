/// Which messages with neither References nor In-Reply-To are linked by their subject.
package enum SubjectThreading: String, Hashable, Sendable, CaseIterable {
  /// Also those between the same two people that have the same subject within 30 days.
  case all
  /// Only those whose subject says that they are an answer, such as `Re:`.
  case replies
  /// None.
  case off
}
