internal import MailModel
internal import Platform

/// Why nothing can be shown.
enum ShowExplanation {
  static func of(_ error: SystemError) -> Explanation { Explanation(.partial, error.description) }

  static func nothing(_ query: String) -> Explanation {
    Explanation(.partial, place: query, "no such file, and no message found")
  }

  static func ambiguous(_ count: Int) -> Explanation {
    Explanation(
      .usage,
      "\(count) messages found; a part can be shown of one",
      hint: "name it by its id: or file"
    )
  }

  static func severalFiles(_ count: Int) -> Explanation {
    Explanation(
      .usage,
      "\(count) messages found; --format eml prints one",
      hint: "--format mbox prints several, and magnum export --format eml writes a file for each"
    )
  }

  static func hidden(_ number: String) -> Explanation {
    Explanation(
      .partial,
      "part \(number) is not shown: it is not certain what was signed in it",
      hint: "--raw prints the message as it was received"
    )
  }

  static func noPart(_ number: String) -> Explanation {
    Explanation(.partial, "no part \(number)", hint: "without --part the parts are listed")
  }
}
