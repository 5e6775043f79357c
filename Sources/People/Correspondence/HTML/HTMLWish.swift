package import Platform

/// What makes the HTML that goes beside the text of a message.
package enum HTMLWish: Hashable, Sendable {
  /// Nothing: the text goes alone.
  case textAlone
  /// A command, which gets the text.
  case command(ChildProcess.Command)
  /// The first program that is there for Markdown.
  case markdown
  /// It is there.
  case ready([UInt8])

  /// How many octets of HTML a message may have.
  package static let limit = 5 << 20

  /// What counts: an option more than what a program gives, and that more than the account.
  ///
  /// What an agent wrote goes as the text that a person was shown.
  package static func decide(
    option: HTMLWish?,
    given: [UInt8]?,
    account: ChildProcess.Command?,
    isOfAgent: Bool
  ) -> HTMLWish {
    if isOfAgent { return .textAlone }
    return option ?? given.map { .ready($0) } ?? account.map { .command($0) } ?? .textAlone
  }
}
