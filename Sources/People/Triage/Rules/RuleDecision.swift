/// Which of the rules that find a message count for it.
struct RuleDecision: Hashable, Sendable {
  /// What decides about a rule, besides the messages that it finds.
  struct Trait: Hashable, Sendable {
    /// Whether it moves messages.
    let isMoving: Bool
    /// Whether later rules do not see what it finds.
    let isLast: Bool
  }

  /// The rules whose flags and tags count, by their numbers from 0, in their order.
  private(set) var rules: [Int] = []

  /// The one of them that moves the message; nil where none does.
  private(set) var mover: Int?

  /// Decides about a message.
  ///
  /// The first rule that moves it is the only one that does. Flags and tags of later ones still count, up to one that is the
  /// last.
  ///
  /// - Parameters:
  ///   - matching: the rules that find it, by their numbers from 0, in their order.
  ///   - traits: what is known of all rules.
  init(_ matching: some Sequence<Int>, of traits: [Trait]) {
    for number in matching {
      rules.append(number)
      if mover == nil, traits[number].isMoving { mover = number }
      if traits[number].isLast { return }
    }
  }
}
