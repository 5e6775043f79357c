internal import Platform
package import Spool
internal import SpoolPlan
package import Terminal

/// What is wrong with a spool, in words.
package struct SpoolWords {
  /// Where it is wrong; nil where `what` says so.
  package private(set) var place: String?
  /// What is wrong.
  package let what: String
  /// What to do about it; nil where nothing can be advised.
  package private(set) var hint: String?
  /// What the exit status is to say.
  package private(set) var status = ExitStatus.partial

  /// The words for an error.
  package init(_ error: SpoolError) {
    switch error {
    case .system(let error): what = error.description
    case .foreignOwner(let path, let user):
      place = path.display
      what = "belongs to user \(user)"
    case .openToOthers(let path, let mode):
      place = path.display
      what = "others can write into it (mode \(String(mode, radix: 8)))"
      hint = "chmod 700 \(path.display)"
    case .notADirectory(let path):
      place = path.display
      what = "is no directory"
    case .lockUnsupported(let path):
      place = path.display
      what = "the file system cannot lock it"
    case .busy(let path):
      place = path.display
      what = "another process works on it"
      status = .tryAgain
    case .noEntry(let id):
      place = "\(id)"
      what = "not in a state in which that can be done"
      hint = "magnum queue list shows the states"
    case .entry(let id, let error):
      place = "\(id)"
      what = "the entry is damaged: \(error)"
    case .log(let id, let error):
      place = "\(id)"
      what = "line \(error.line) of its log cannot be understood"
    }
  }
}
