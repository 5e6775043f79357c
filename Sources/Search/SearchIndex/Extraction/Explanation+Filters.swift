package import MailModel
package import Configuration
internal import Octets

extension FilterReport {
  /// What a person should know of it, each problem with a name by which it is known to be the same again.
  ///
  /// - Parameter place: the account or directory that it is about.
  /// - Returns: the problems, those of all filters first; none where all is well.
  package func problems(of place: String) -> [(name: String, explanation: Explanation)] {
    var problems: [(name: String, explanation: Explanation)] = []
    if let refusal {
      problems.append(("index-filter", Self.refused(refusal, place)))
    }
    for stop in stopped {
      guard let explanation = stop.explanation(place) else { continue }
      problems.append(("index-filter \(stop.filter.type)", explanation))
    }
    for failure in failures {
      let name = "index-filter \(failure.filter.type) \(failure.cause.words)"
      problems.append((name, failure.explanation(place)))
    }
    return problems
  }

  /// Why the system confines no filter; nil where it does.
  private var refusal: String? {
    for stop in stopped { if case .refused(let words) = stop.cause { return words } }
    return nil
  }

  /// It concerns all filters, and is said once.
  private static func refused(_ words: String, _ place: String) -> Explanation {
    Explanation(
      .partial,
      place: place,
      "the filters for attachments do not run, since this system refuses to confine them: \(words)",
      hint: "allow user namespaces, or set index-filter-unconfined = true where you trust the "
        + "filters with whatever strangers send"
    )
  }
}

extension FilterReport.Stop {
  fileprivate func explanation(_ place: String) -> Explanation? {
    let name = Printable.text((filter.command.first ?? "").utf8)
    switch cause {
    case .refused: return nil
    case .notStarted(let words):
      return Explanation(
        .partial,
        place: place,
        "the filter for \(filter.type) cannot be started: \(words)",
        hint: "install \(name) below /usr or /opt: a confined filter sees no home directory"
      )
    case .excess:
      return Explanation(
        .partial,
        place: place,
        "the filter for \(filter.type) is left alone until the next run, since it used more than "
          + "it may several times in a row: \(name)"
      )
    }
  }
}

extension FilterReport.Failure {
  fileprivate func explanation(_ place: String) -> Explanation {
    let name = Printable.text((filter.command.first ?? "").utf8)
    let id = Printable.text(message, limit: 100)
    let subject = count == 1 ? "an attachment of" : "\(count) attachments, the first of them of"
    return Explanation(
      .partial,
      place: place,
      "\(name) \(cause.words) on \(subject) id:\(id), and no text was taken"
    )
  }
}
