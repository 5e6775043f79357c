internal import Octets

/// A message to the user: who says it, where it happened, what happened, what to do.
package struct Diagnostic: Hashable, Sendable {
  /// The name of the program.
  package let program: String

  /// File and line, or account, mailbox and UID; `nil` when it concerns all.
  package let place: String?

  /// What happened, in lower case and without a full stop.
  package let what: String

  /// What to do about it; `nil` when nothing needs doing.
  package let hint: String?

  /// A message; its parts may hold texts from servers and mail.
  package init(program: String, place: String? = nil, what: String, hint: String? = nil) {
    self.program = program
    self.place = place
    self.what = what
    self.hint = hint
  }

  /// The message as lines without line ends: `program: place: what`, then `hint: …`.
  ///
  /// Control characters in any part are shown, not sent.
  ///
  /// - Parameter colours: whether the terminal may be told to print words bold.
  /// - Returns: one line, or two with a hint.
  package func lines(colours: Bool = false) -> [String] {
    let head = Self.bold(Self.clean(program) + ":", if: colours)
    let rest = [place, what].compactMap { $0 }.map(Self.clean).joined(separator: ": ")
    guard let hint else { return ["\(head) \(rest)"] }
    return ["\(head) \(rest)", "\(Self.bold("hint:", if: colours)) \(Self.clean(hint))"]
  }

  private static func clean(_ text: String) -> String {
    Printable.text(text.utf8, limit: 2000)
  }

  private static func bold(_ text: String, if wanted: Bool) -> String {
    wanted ? "\u{1B}[1m\(text)\u{1B}[0m" : text
  }
}
