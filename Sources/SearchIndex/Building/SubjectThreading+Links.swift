package import Configuration
package import Threads

extension SubjectThreading {
  /// What the configuration says.
  package init(_ links: SubjectLinks) {
    self =
      switch links {
      case .all: .all
      case .replies: .replies
      case .off: .off
      }
  }
}
