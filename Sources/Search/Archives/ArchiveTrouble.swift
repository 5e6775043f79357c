package import MailModel
internal import Octets
package import Platform

/// Why an archive no longer answers.
package enum ArchiveTrouble: Error, Hashable, Sendable {
  /// Its command cannot be started.
  case notStarted(SystemError)
  /// Its command ended; the first line of what it said, if anything.
  case ended(words: String?)
  /// Nothing came from it for so many seconds.
  case silent(seconds: Int)
  /// Its answer was not complete after so many seconds.
  case slow(seconds: Int)
  /// It speaks a later version of the protocol.
  case newer(version: Int)
  /// It said what the protocol does not have; what was expected.
  case garbled(expected: String)
  /// It said more than is acceptable.
  case tooLong
  /// It cannot answer; its words.
  case refused(String)
}

extension Explanation {
  /// Why an archive is left out.
  package init(_ trouble: ArchiveTrouble, of archive: String) {
    let words: String
    var hint: String?
    switch trouble {
    case .notStarted(let error): words = "its command cannot be started: \(error.reason)"
    case .ended(let said):
      words = "its command ended" + (said.map { ": \($0)" } ?? "")
    case .silent(let seconds):
      words = "nothing came from it for \(seconds) seconds"
      hint = "give it more time with timeout in [archive.\(archive)]"
    case .slow(let seconds):
      words = "its answer was not complete after \(seconds) seconds"
      hint = "give it more time with timeout in [archive.\(archive)]"
    case .newer(let version):
      words = "a later version of magnum-search answers there (protocol \(version))"
      hint = "install that version here"
    case .garbled(let expected):
      words = "it said something that is no answer (no \(expected))"
    case .tooLong: words = "it said more than an answer can be"
    case .refused(let said): words = "it cannot answer: \(Printable.text(said.utf8, limit: 200))"
    }
    self.init(.tryAgain, place: "archive \(archive)", "left out: \(words)", hint: hint)
  }
}
