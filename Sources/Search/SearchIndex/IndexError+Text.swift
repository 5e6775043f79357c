internal import Platform

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
      "make one: magnum index, with the directory behind it for a Maildir of no account"
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
