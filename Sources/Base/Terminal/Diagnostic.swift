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

  /// A word for programs that says what kind of message it is; see magnum-formats(5).
  package let code: String

  /// Lines that show where it is, as below a query.
  package let excerpt: [String]

  /// A message; its parts may hold texts from servers and mail.
  package init(
    program: String,
    place: String? = nil,
    what: String,
    hint: String? = nil,
    code: String = "warning",
    excerpt: [String] = []
  ) {
    self.program = program
    self.place = place
    self.what = what
    self.hint = hint
    self.code = code
    self.excerpt = excerpt
  }

  /// The message as JSON, a line.
  package var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("code", code)
    line.add("program", program)
    line.add("where", ifPresent: place)
    line.add("what", what)
    line.add("hint", ifPresent: hint)
    if !excerpt.isEmpty { line.add("excerpt", excerpt) }
    return line
  }

  /// The message as lines without line ends: `program: place: what`, then `hint: …`.
  ///
  /// Control characters in any part are shown, not sent.
  ///
  /// - Parameter colours: whether the terminal may be told to print words bold.
  /// - Returns: one line, or two with a hint, and the excerpt.
  package func lines(colours: Bool = false) -> [String] {
    let head = Self.bold(Self.clean(program) + ":", if: colours)
    let rest = [place, what].compactMap { $0 }.map(Self.clean).joined(separator: ": ")
    let advice = hint.map { ["\(Self.bold("hint:", if: colours)) \(Self.clean($0))"] } ?? []
    return ["\(head) \(rest)"] + advice + excerpt.map { Printable.text($0.utf8, limit: 4000) }
  }

  private static func clean(_ text: String) -> String {
    Printable.text(text.utf8, limit: 2000)
  }

  private static func bold(_ text: String, if wanted: Bool) -> String {
    wanted ? "\u{1B}[1m\(text)\u{1B}[0m" : text
  }
}
