package import JSON

/// A call of a tool.
package struct ToolCall: Sendable {
  package let id: RequestID
  package let tool: AgentTool
  /// As the client gave them; ``AgentTool/check(_:)`` tells whether the schema allows them.
  package let arguments: JSONValue
  let revision: ProtocolRevision

  /// A text among the arguments.
  package func text(_ name: String) -> String? {
    if case .string(let text)? = arguments.member(name) { text } else { nil }
  }

  /// A switch among the arguments.
  package func flag(_ name: String) -> Bool? {
    if case .boolean(let flag)? = arguments.member(name) { flag } else { nil }
  }

  /// A whole number among the arguments.
  package func number(_ name: String) -> Int? {
    if case .number(let text)? = arguments.member(name) { Int(text) } else { nil }
  }

  /// Texts among the arguments; nil where they are not given.
  package func texts(_ name: String) -> [String]? {
    guard case .array(let values)? = arguments.member(name) else { return nil }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}

/// Why a call came to nothing, in words that tell nothing of mail.
package enum ToolFailure: Error, CaseIterable, Sendable {
  case arguments, query, notFound, limit, again, refused, ambiguous, full
  /// A message would go to more addresses than one of an agent may.
  case tooManyAddresses
  /// As many of its messages wait for a person as may.
  case tooManyHeld

  /// The word that clients and the record know it by.
  package var code: String {
    switch self {
    case .arguments, .tooManyAddresses: "arguments"
    case .query: "query"
    case .notFound: "not-found"
    case .limit, .tooManyHeld: "limit"
    case .again: "again"
    case .refused: "refused"
    case .ambiguous: "ambiguous"
    case .full: "full"
    }
  }

  /// A fixed sentence for each.
  package var sentence: String {
    switch self {
    case .arguments: "the arguments are not as the schema of the tool has them"
    case .query:
      "the query is wrong, or uses what is not offered here: query:, path:, file:, lastmod:"
    case .notFound: "there is no such message, part, draft or act that this agent may see"
    case .limit: "the hourly limit of this agent is reached; the tool status tells until when"
    case .again: "the mail is busy, or the call took too long; try again later"
    case .refused:
      "this is not allowed to this agent, or the configuration has a mistake; ask the person"
    case .ambiguous: "it is not clear which message or which copy is meant; folder names a copy"
    case .full: "the record of this agent cannot be written; ask the person"
    case .tooManyAddresses:
      "the message would go to more than 50 addresses; answer without all, or name fewer"
    case .tooManyHeld:
      "20 messages of this agent wait already; ask the person to release or discard some"
    }
  }
}

/// What a call came to.
package enum ToolOutcome: Sendable {
  case result(JSONValue)
  case failed(ToolFailure)

  /// The members of its answer: the value, and the same as text for clients that see only that.
  var members: [(name: String, value: JSONValue)] {
    switch self {
    case .result(let value):
      [
        ("content", Self.content(value)), ("structuredContent", value),
        ("isError", .boolean(false)),
      ]
    case .failed(let failure):
      [
        (
          "content",
          Self.content(
            .object([
              ("error", .string(failure.sentence)), ("code", .string(failure.code)),
            ])
          )
        ), ("isError", .boolean(true)),
      ]
    }
  }

  private static func content(_ value: JSONValue) -> JSONValue {
    let text = String(decoding: value.text, as: UTF8.self)
    return .array([.object([("type", .string("text")), ("text", .string(text))])])
  }
}
