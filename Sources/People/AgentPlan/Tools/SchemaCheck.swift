internal import JSON

/// Whether a value is as a schema has it, for the words that schemas of arguments use.
///
/// What a schema says in other words is not looked at: ToolTests holds that none of ours does.
enum SchemaCheck {
  /// The words of schemas that are known here.
  static let words: Set<String> = [
    "$schema", "title", "description", "type", "properties", "required", "additionalProperties",
    "items", "minItems", "maxItems", "minimum", "maximum", "maxLength", "minLength", "enum",
    "const", "default",
  ]

  static func allows(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    if let only = schema.member("const"), only != value { return false }
    if case .array(let choices)? = schema.member("enum"), !choices.contains(value) { return false }
    guard case .string(let type)? = schema.member("type") else { return true }
    switch (type, value) {
    case ("object", .object(let members)): return allows(members, value, schema)
    case ("array", .array(let values)):
      let items = schema.member("items") ?? .object([])
      return values.count <= number("maxItems", schema) ?? .max
        && values.count >= number("minItems", schema) ?? 0
        && values.allSatisfy { allows($0, items) }
    case ("string", .string(let text)):
      let count = text.unicodeScalars.count
      return count <= number("maxLength", schema) ?? .max
        && count >= number("minLength", schema) ?? 0
    case ("integer", .number(let text)):
      guard let whole = Int(text) else { return false }
      return whole >= number("minimum", schema) ?? .min
        && whole <= number("maximum", schema) ?? .max
    case ("boolean", .boolean): return true
    default: return false
    }
  }

  private static func allows(
    _ members: [(name: String, value: JSONValue)],
    _ object: JSONValue,
    _ schema: JSONValue
  ) -> Bool {
    if case .array(let names)? = schema.member("required") {
      for case .string(let name) in names where object.member(name) == nil { return false }
    }
    let isClosed = schema.member("additionalProperties") == .boolean(false)
    return members.allSatisfy { member in
      guard let inner = schema.member("properties")?.member(member.name) else { return !isClosed }
      return allows(member.value, inner)
    }
  }

  private static func number(_ name: String, _ schema: JSONValue) -> Int? {
    if case .number(let text)? = schema.member(name) { Int(text) } else { nil }
  }
}
