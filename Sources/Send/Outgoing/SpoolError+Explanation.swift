package import MailModel
internal import Platform
package import Spool
internal import SpoolPlan
internal import Submission

extension SpoolError: Explainable {
  /// Where a spool is wrong, what is wrong with it, and what to do about it.
  package var explanation: Explanation {
    switch self {
    case .system(let error): Explanation(.partial, error.description)
    case .foreignOwner(let path, let user):
      Explanation(.partial, place: path.display, "belongs to user \(user)")
    case .openToOthers(let path, let mode):
      Explanation(
        .partial,
        place: path.display,
        "others can write into it (mode \(String(mode, radix: 8)))",
        hint: "chmod 700 \(path.display)"
      )
    case .notADirectory(let path):
      Explanation(.partial, place: path.display, "is no directory")
    case .notAFile(let path):
      Explanation(.partial, place: path.display, "is no ordinary file; not opened")
    case .tooLong(let path, let limit):
      Explanation(.partial, place: path.display, "is longer than \(limit >> 20) MiB; not read")
    case .lockUnsupported(let path):
      Explanation(.partial, place: path.display, "the file system cannot lock it")
    case .busy(let path):
      Explanation(.tryAgain, place: path.display, "another process works on it")
    case .entryBusy(let id):
      Explanation(.tryAgain, place: "\(id)", "another process works on it")
    case .noEntry(let id):
      Explanation(
        .partial,
        place: "\(id)",
        "not in a state in which that can be done",
        hint: "magnum queue list shows the states"
      )
    case .entry(let id, let error):
      Explanation(.partial, place: "\(id)", EntryWords.text(error), hint: Self.hint(error, id))
    case .message(let error): Explanation(.partial, error.description)
    case .log(let id, let error):
      Explanation(.partial, place: "\(id)", "line \(error.line) of its log cannot be understood")
    }
  }

  private static func hint(_ error: EntryError, _ id: EntryID) -> String? {
    if case .formerKind = error { "magnum queue discard \(id)" } else { nil }
  }
}
