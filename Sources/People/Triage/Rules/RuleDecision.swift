/// Which of the rules that find a message count for it.
struct RuleDecision: Hashable, Sendable {
  /// What decides about a rule, besides the messages that it finds.
  struct Trait: Hashable, Sendable {
    /// Whether it moves messages.
    let isMoving: Bool
    /// Whether it sets or removes flags or tags.
    let isMarking: Bool
    /// Whether later rules do not see what it finds.
    let isLast: Bool
  }

  /// The rules whose flags and tags count, by their numbers from 0, in their order.
  private(set) var rules: [Int] = []

  /// The one of them that moves the message; nil where none does.
  private(set) var mover: Int?

  /// Whether later rules do not see the message.
  private var isComplete = false

  /// No rule finds it so far.
  init() {}

  /// Decides about a message.
  ///
  /// The first rule that moves it is the only one that does. Flags and tags of later ones still count, up to one that is the
  /// last.
  ///
  /// - Parameters:
  ///   - matching: the rules that find it, by their numbers from 0, in their order.
  ///   - traits: what is known of all rules.
  init(_ matching: some Sequence<Int>, of traits: [Trait]) {
    for number in matching { add(number, traits[number]) }
  }

  /// Takes in that one more rule finds the message, which stands behind all others that do.
  mutating func add(_ number: Int, _ trait: Trait) {
    guard !isComplete else { return }
    rules.append(number)
    if mover == nil, trait.isMoving { mover = number }
    isComplete = trait.isLast
  }

  /// Whether it makes a difference that one more rule finds the message.
  func depends(on trait: Trait) -> Bool {
    !isComplete && (mover == nil || trait.isMarking || trait.isLast)
  }
}
