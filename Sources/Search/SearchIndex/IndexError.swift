internal import CXapian
internal import Glibc
package import MailModel
package import Platform
package import Query
internal import Terminal

/// Why an index could not be used.
package enum IndexError: Error, Hashable, Sendable {
  /// A call of the system failed.
  case system(SystemError)
  /// There is no index yet.
  case notThere(String)
  /// Another process writes to it; its number, where it is known.
  case locked(Path, holder: Int32?)
  /// A later version of the program made it: its schema.
  case newer(schema: Int)
  /// An earlier version of the program made it: its schema.
  case older(schema: Int)
  /// The files on disk are damaged; the library's words.
  case damaged(String)
  /// It changed twice while it was read; only seen where reading again did not help.
  case modified
  /// The disk is full, or the user's share of it.
  case full(String)
  /// More words than can be searched for begin so.
  case tooManyWords(limit: Int)
  /// A regular expression that is none; the system's words.
  case pattern(String)
  /// Asked to stop.
  case interrupted
  /// Anything else; the library's words.
  case failed(String)

  init(_ error: magnum_index_error) {
    let text = withUnsafeBytes(of: error.message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    switch error.status {
    case MAGNUM_INDEX_MODIFIED: self = .modified
    // An index is only opened where one is said to be: what is missing of it was there.
    case MAGNUM_INDEX_OPENING where [0, ENOENT].contains(error.code): self = .damaged(text)
    case MAGNUM_INDEX_OPENING: self = .failed(text)
    case MAGNUM_INDEX_CORRUPT: self = .damaged(text)
    case MAGNUM_INDEX_LOCKED: self = .locked(Path(""), holder: nil)
    case MAGNUM_INDEX_TOO_MANY: self = .tooManyWords(limit: Schema.wordLimit)
    case _ where error.code == ENOSPC || error.code == EDQUOT: self = .full(text)
    default: self = .failed(text)
    }
  }

  /// Whether there was no room on the disk.
  var isOutOfSpace: Bool {
    switch self {
    case .full: true
    case .system(let error): error.isOutOfSpace
    case .notThere, .locked, .newer, .older, .damaged, .modified, .tooManyWords, .pattern,
      .interrupted, .failed:
      false
    }
  }

  /// Whether the same may work a little later.
  package var isTemporary: Bool {
    switch self {
    case .locked, .modified, .interrupted: true
    case .system, .notThere, .newer, .older, .damaged, .full, .tooManyWords, .pattern, .failed:
      false
    }
  }
}

extension IndexError {
  /// What is wrong, in one line.
  package var message: String {
    switch self {
    case .system(let error): error.description
    case .notThere(let words), .failed(let words): words
    case .locked(let path, let holder):
      "another program\(holder.map { " (process \($0))" } ?? "") holds \(path.display)"
    case .newer(let schema): "the index was made by a later version (schema \(schema))"
    case .older(let schema): "the index was made by an earlier version (schema \(schema))"
    case .damaged(let words): "the index is damaged: \(words)"
    case .modified: "the index changes faster than it can be read"
    case .full(let words): "the disk is full: \(words)"
    case .tooManyWords(let limit): "more than \(limit) words begin so"
    case .pattern(let words): "a regular expression is wrong: \(words)"
    case .interrupted: "interrupted; what was there is still there"
    }
  }

  /// What to do about it; nil when the message says it all.
  package var hint: String? {
    switch self {
    case .system(let error):
      error.isOutOfSpace ? "make room; an index that was there before still answers" : nil
    case .notThere:
      "make one: magnum index, or magnum index DIRECTORY"
    case .locked, .modified: "try again"
    case .newer: "install that version"
    case .older: "run: magnum index"
    case .damaged: "run: magnum index --rebuild"
    case .full: "make room; an index that was there before still answers"
    case .tooManyWords: "write more letters before the *"
    case .pattern, .interrupted, .failed: nil
    }
  }
}

extension Explanation {
  /// Why an index cannot be used.
  ///
  /// - Parameters:
  ///   - error: what happened.
  ///   - place: the account or the program that it concerns; nil where the command is about nothing else.
  package init(_ error: IndexError, place: String? = nil) {
    let status: ExitStatus =
      switch error {
      case .locked, .modified, .interrupted: .tryAgain
      case .newer: .configuration
      case .pattern, .tooManyWords: .data
      case .system, .notThere, .older, .damaged, .full, .failed: .partial
      }
    self.init(status, place: place, error.message, hint: error.hint)
  }

  /// The mistake in a query, with marks below it.
  package init(_ error: QueryError, in query: String) {
    self.init(.data, place: "query", error.description)
    excerpt = MarkedExcerpt.lines(query, error.place)
  }
}
