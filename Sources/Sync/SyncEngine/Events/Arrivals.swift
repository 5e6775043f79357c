package import Maildir
package import Platform

/// The messages that a run brought and that are new to the user, for those who are told of each.
///
/// What the first sync of a mailbox brings is not among them.
package struct Arrivals: Hashable, Sendable {
  /// A message as it was delivered; other programs may have renamed its file since.
  package struct Message: Hashable, Sendable {
    /// The name of its mailbox for people: decoded, safe to print.
    package let mailbox: String
    /// The folder that holds it.
    package let maildir: Path
    package let file: ScannedFile
    /// The rules that did something to it, by their names in their order.
    package let rules: [String]
    /// Why it is named.
    package let cause: Cause

    /// Why a message is named to those who are told of new ones.
    package enum Cause: Hashable, Sendable {
      /// It came.
      case arrival
      /// It was snoozed until now.
      case woken
      /// It got no answer in time.
      case reminder
    }

    package init(
      mailbox: String,
      maildir: Path,
      file: ScannedFile,
      rules: [String] = [],
      cause: Cause = .arrival
    ) {
      self.mailbox = mailbox
      self.maildir = maildir
      self.file = file
      self.rules = rules
      self.cause = cause
    }
  }

  /// How many are named; of the others only the number is known.
  package static let limit = 50

  /// The first of them, up to the limit.
  package private(set) var messages: [Message] = []
  /// How many there are besides.
  package private(set) var rest = 0

  /// None yet.
  package init() {}

  /// The same with messages that became others, or that are no longer named.
  package func mapMessages(_ body: (Message) -> Message?) -> Arrivals {
    var arrivals = self
    arrivals.messages = messages.compactMap(body)
    return arrivals
  }

  /// Adds later ones.
  package mutating func add(_ others: Arrivals) {
    add(others.messages)
    rest += others.rest
  }

  /// Adds later ones.
  package mutating func add(_ others: [Message]) {
    let named = others.prefix(Self.limit - messages.count)
    messages += named
    rest += others.count - named.count
  }
}
