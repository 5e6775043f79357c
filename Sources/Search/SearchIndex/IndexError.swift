internal import CXapian
internal import Glibc
package import Platform

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

  /// Whether the same may work a little later.
  package var isTemporary: Bool {
    switch self {
    case .locked, .modified, .interrupted: true
    case .system, .notThere, .newer, .older, .damaged, .full, .tooManyWords, .pattern, .failed:
      false
    }
  }
}
