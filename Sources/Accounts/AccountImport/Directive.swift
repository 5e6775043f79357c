internal import Octets

/// A line of another program's configuration: a word and what it is set to.
struct Directive: Hashable, Sendable {
  /// The file, as people are shown it.
  let file: String
  /// The line, from 1.
  let line: Int
  /// The word, as it was written.
  let name: String
  /// What it is set to; without quotes, escapes undone.
  let arguments: [String]

  /// The first of the arguments; empty where there is none.
  var value: String { arguments.first ?? "" }

  /// Whether the value may be, or may hold, a password or token.
  var isSecret: Bool {
    let word = name.lowercased()
    return Self.secretWords.contains { word == $0 }
      || Self.secretParts.contains { word.holds($0) }
  }

  private static let secretWords = ["pass", "password", "remotepass", "remotepasseval"]
  private static let secretParts = ["secret", "token", "oauth2"]

  /// The directive as it may be shown: without what may be a secret, and without what would steer a terminal.
  var shown: String {
    let text = isSecret ? "\(name) …" : ([name] + arguments).joined(separator: " ")
    return Printable.text(text.utf8, limit: 200)
  }

  /// Whether it has this name; programs take no account of case.
  func isNamed(_ word: String) -> Bool { name.utf8.equalsCaseless(word.utf8) }
}

/// What a program's file says in one section, from which the reader takes what it has a use for.
///
/// Directives that were not taken are reported in the end, so that none is skipped.
struct DirectiveSet {
  /// What was not taken yet, in the order of the file.
  private(set) var rest: [Directive] = []

  init(_ directives: [Directive] = []) { rest = directives }

  mutating func append(_ directive: Directive) { rest.append(directive) }

  /// Takes all with one of these names.
  ///
  /// - Returns: the last one, which counts; nil where there is none.
  mutating func takeLast(_ names: String...) -> Directive? { takeAll(names).last }

  /// Takes all with one of these names, in the order of the file.
  mutating func takeAll(_ names: [String]) -> [Directive] {
    let taken = rest.filter { directive in names.contains { directive.isNamed($0) } }
    rest.removeAll { directive in names.contains { directive.isNamed($0) } }
    return taken
  }
}

/// What to say of directives that have no equivalent, by their names in lower case.
struct DirectiveNotes {
  /// What one of them comes to.
  enum Note {
    /// What it says was found out in another way.
    case taken
    /// Magnum does the same, or needs it not: nothing is lost.
    case same
    /// It is named.
    case remark(Remark.Kind, String)
  }

  let notes: [String: Note]

  private static let notNeeded = "Magnum needs no setting for this"

  /// Directives that ask for nothing where they are switched off.
  private static let switches = [
    "subscribedonly", "synclabels", "usekeychain", "trashnewonly", "trashremotenew",
    "tls_force_sslv3", "holdconnectionopen", "usesslv3", "usetlsv1", "usetlsv1.1",
  ]

  private static func isOff(_ directive: Directive) -> Bool {
    switches.contains(directive.name.lowercased())
      && ["no", "false", "off", "0"].contains(directive.value.lowercased())
  }

  /// The remarks on all directives that were not taken.
  func remarks(on set: DirectiveSet) -> [Remark] {
    set.rest.compactMap { directive in
      switch Self.isOff(directive) ? .same : notes[directive.name.lowercased()] {
      case .taken: nil
      case .same: Remark(directive, .notNeeded, Self.notNeeded)
      case .remark(let kind, let text): Remark(directive, kind, text)
      case nil: Remark(directive, .malformed, "not a directive that is known here")
      }
    }
  }
}
