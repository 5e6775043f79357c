/// What a command takes besides its options.
package struct Operands: Hashable, Sendable {
  /// The name in help; nil where the command takes none.
  let name: String?
  let minimum: Int
  let maximum: Int
  let completion: Completion
  /// What completes the first one, where that is something else; nil where it is not.
  var first: Completion?
  /// Whether words that begin with a dash are operands, as in a query.
  ///
  /// Options of one letter must then stand alone: `-q`, not `-qv`.
  let mayBeginWithDash: Bool

  /// A command that takes none.
  package static let none = Operands(
    name: nil,
    minimum: 0,
    maximum: 0,
    completion: .none,
    mayBeginWithDash: false
  )

  /// Exactly one.
  package static func one(_ name: String, completion: Completion = .none) -> Operands {
    Operands(name: name, minimum: 1, maximum: 1, completion: completion, mayBeginWithDash: false)
  }

  /// One or none.
  package static func atMostOne(_ name: String, completion: Completion = .none) -> Operands {
    Operands(name: name, minimum: 0, maximum: 1, completion: completion, mayBeginWithDash: false)
  }

  /// As many as wanted, from the minimum on.
  package static func many(
    _ name: String,
    minimum: Int = 0,
    completion: Completion = .none,
    mayBeginWithDash: Bool = false
  ) -> Operands {
    Operands(
      name: name,
      minimum: minimum,
      maximum: .max,
      completion: completion,
      mayBeginWithDash: mayBeginWithDash
    )
  }

  /// The same, the first of which is completed in another way.
  package func beginning(with first: Completion?) -> Operands {
    var operands = self
    operands.first = first
    return operands
  }

  /// `[query ...]`, as a synopsis shows it; nil where there is nothing to show.
  var synopsis: String? {
    guard let name else { return nil }
    let text = maximum > 1 ? "\(name) ..." : name
    return minimum == 0 ? "[\(text)]" : text
  }

  private static func missing(_ name: Substring) -> String {
    name == "message" || name == "file-or-query"
      ? "name a message: a file or a query" : "no \(name) is given"
  }

  func check(_ operands: [String]) throws(UsageMistake) {
    if operands.count < minimum {
      // Where they are different ones, the first that is missing.
      let names = (name ?? "operand").split(separator: " ")
      throw UsageMistake(Self.missing(names[min(operands.count, names.count - 1)]))
    }
    if operands.count > maximum {
      throw UsageMistake("unexpected argument \"\(operands[maximum])\"")
    }
  }
}
