internal import MailModel
internal import Platform
internal import Terminal

/// Errors as magnum-search explains them.
enum SearchExplanation {
  static func of(_ error: SystemError) -> Explanation { Explanation(.partial, error.description) }

  /// Why a directory is not taken for links.
  static func of(_ refusal: LinkedMaildir.Refusal, _ directory: Path) -> Explanation {
    switch refusal {
    case .system(let error): of(error)
    case .holdsOthers:
      Explanation(
        .partial,
        place: directory.display,
        "this directory holds something other than links from an earlier search",
        hint: "name one that is not there, or that is empty"
      )
    case .insideMaildir(let root):
      Explanation(
        .partial,
        place: directory.display,
        "this directory lies in \(root.display), where it would be taken for a mailbox",
        hint: "name one outside of all Maildirs, such as ~/.cache/magnum/results"
      )
    }
  }
}
