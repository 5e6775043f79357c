/// A JSON Schema, in the words that those of the project use, to hold what programs print against.
///
/// Stricter than the standard: a member of an object that its schema does not name is a mistake, since readers are told all
/// that there is.
package struct JSONSchema: Sendable {
  private let root: ParsedJSON

  /// The words that are understood; any other in a schema is a mistake of the schema.
  private static let words: Set<String> = [
    "$schema", "$defs", "$ref", "title", "description", "anyOf", "const", "enum", "type", "minimum",
    "properties", "required", "patternProperties", "items", "prefixItems", "minItems",
    // Members that no schema names are mistakes here, unless it has a rule for all others.
    "additionalProperties",
  ]

  /// A schema in its text.
  ///
  /// - Throws: `HarnessError` where it is no JSON.
  package init(_ text: String) throws {
    root = try ParsedJSON(text)
  }

  /// What is wrong with a value, each with the place; nothing where it is as the schema says.
  package func mistakes(in value: ParsedJSON) -> [String] { mistakes(value, root, "$") }

  /// The names of all members that the schema knows.
  package var memberNames: Set<String> { Self.memberNames(of: root) }

  private static func memberNames(of schema: ParsedJSON) -> Set<String> {
    switch schema {
    case .object(let members):
      members.reduce(into: []) { names, member in
        if member.key == "properties", case .object(let properties) = member.value {
          names.formUnion(properties.keys)
        }
        names.formUnion(memberNames(of: member.value))
      }
    case .array(let elements): elements.reduce(into: []) { $0.formUnion(memberNames(of: $1)) }
    case .null, .boolean, .number, .string: []
    }
  }

  private func mistakes(_ value: ParsedJSON, _ schema: ParsedJSON, _ place: String) -> [String] {
    guard case .object(let rules) = schema else { return ["\(place): no schema"] }
    let unknown = rules.keys.filter { !Self.words.contains($0) }
    guard unknown.isEmpty else { return ["\(place): the schema says \(unknown)"] }
    if let name = rules["$ref"]?.text { return mistakes(value, definition(name), place) }
    if case .array(let choices)? = rules["anyOf"] {
      let others = rules.filter { $0.key != "anyOf" }
      let outcomes = choices.map { choice in
        guard case .object(let own) = choice else { return ["\(place): no schema"] }
        return mistakes(value, .object(others.merging(own) { $1 }), place)
      }
      if outcomes.contains([]) { return [] }
      return ["\(place): fits none of:"] + outcomes.flatMap { $0.prefix(1) }
    }
    if let constant = rules["const"], value != constant { return ["\(place): not \(constant)"] }
    if case .array(let values)? = rules["enum"], !values.contains(value) {
      return ["\(place): none of \(values)"]
    }
    return ofType(value, rules, place) + inObject(value, rules, place)
      + inArray(value, rules, place)
  }

  private func definition(_ name: String) -> ParsedJSON {
    name.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] ?? .null }
  }

  private func ofType(_ value: ParsedJSON, _ rules: [String: ParsedJSON], _ place: String)
    -> [String]
  {
    if let minimum = rules["minimum"]?.integer, let number = value.integer, number < minimum {
      return ["\(place): less than \(minimum)"]
    }
    let types: [String] =
      switch rules["type"] {
      case .array(let types)?: types.compactMap(\.text)
      case let type?: [type.text].compactMap(\.self)
      case nil: []
      }
    guard !types.isEmpty, !types.contains(where: value.isOf) else { return [] }
    return ["\(place): no \(types.joined(separator: " or "))"]
  }

  private func inObject(_ value: ParsedJSON, _ rules: [String: ParsedJSON], _ place: String)
    -> [String]
  {
    guard case .object(let members) = value else { return [] }
    var mistakes: [String] = []
    if case .array(let names)? = rules["required"] {
      for name in names.compactMap(\.text) where members[name] == nil {
        mistakes.append("\(place): no member \(name)")
      }
    }
    for (name, member) in members.sorted(by: { $0.key < $1.key }) {
      let place = "\(place).\(name)"
      if let rule = rules["properties"]?[name] ?? pattern(name, rules) ?? Self.others(rules) {
        mistakes += self.mistakes(member, rule, place)
      } else {
        mistakes.append("\(place): not in the schema")
      }
    }
    return mistakes
  }

  /// The rule of members that are not named; nil where there is none but whether there may be such.
  private static func others(_ rules: [String: ParsedJSON]) -> ParsedJSON? {
    guard let rule = rules["additionalProperties"], case .object = rule else { return nil }
    return rule
  }

  /// The rule of a member by the end of its name, the one kind of pattern that is used.
  private func pattern(_ name: String, _ rules: [String: ParsedJSON]) -> ParsedJSON? {
    guard case .object(let patterns)? = rules["patternProperties"] else { return nil }
    return patterns.first { name.hasSuffix($0.key.dropLast()) }?.value
  }

  private func inArray(_ value: ParsedJSON, _ rules: [String: ParsedJSON], _ place: String)
    -> [String]
  {
    guard case .array(let elements) = value else { return [] }
    if let least = rules["minItems"]?.integer, elements.count < least {
      return ["\(place): fewer than \(least) elements"]
    }
    return elements.enumerated().flatMap { number, element in
      guard let rule = rules["prefixItems"]?[number] ?? rules["items"] else { return [String]() }
      return mistakes(element, rule, "\(place)[\(number)]")
    }
  }
}

extension ParsedJSON {
  /// Whether it is of a type, by the name that schemas have for it.
  fileprivate func isOf(_ type: String) -> Bool {
    switch (self, type) {
    case (.null, "null"), (.boolean, "boolean"), (.string, "string"), (.array, "array"),
      (.object, "object"), (.number, "number"):
      true
    case (.number, "integer"): integer != nil
    default: false
    }
  }
}
