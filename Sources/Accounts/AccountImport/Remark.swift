internal import Octets

/// A directive of another program that has no equivalent, or an account that could not be made of them.
package struct Remark: Hashable, Sendable {
  /// Why it is named.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Magnum has nothing like it.
    case noEquivalent = "no-equivalent"
    /// Magnum does the same without it, or has no use for it.
    case notNeeded = "not-needed"
    /// What was written is near to it, and not the same.
    case approximated
    /// It would make the connection less safe, and was left out.
    case weakensTLS = "weakens-tls"
    /// It is code or a command of the other program, which was neither run nor taken over.
    case notRun = "not-run"
    /// A password that stood in the file.
    case secret
    /// Something is left to do for a person.
    case toDo = "to-do"
    /// The program itself has no such directive, or its value is none.
    case malformed
    /// An account that could not be written.
    case notImported = "not-imported"
  }

  /// The file, as people are shown it.
  package let file: String
  /// The line, from 1; nil where it concerns the whole file.
  package let line: Int?
  /// What stands there, without secrets; nil where it concerns the whole file.
  package let directive: String?
  /// Why it is named.
  package let kind: Kind
  /// What to know about it, or to do.
  package let text: String

  init(file: String, line: Int?, directive: String?, kind: Kind, text: String) {
    self.file = file
    self.line = line
    self.directive = directive
    self.kind = kind
    self.text = text
  }

  init(_ directive: Directive, _ kind: Kind, _ text: String) {
    self.init(
      file: directive.file,
      line: directive.line,
      directive: directive.shown,
      kind: kind,
      text: text
    )
  }

  /// A secret that another one puts aside: it is named, since people look for it where they wrote it.
  static func unused(_ directive: Directive, since other: Directive) -> Remark {
    let text =
      "not taken over, since \(other.name) in line \(other.line) counts; where this is the right one, it has to take its place in the configuration"
    return Remark(directive, .toDo, text)
  }

  /// The remark with its place, in one line: `~/.mbsyncrc:12: MaxSize 10m: …`.
  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return [place, directive, text].compactMap { $0 }.joined(separator: ": ")
  }
}
