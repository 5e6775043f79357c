package import JSON
internal import Octets

/// What an agent can call, in the order in which clients are told of it.
package enum AgentTool: String, CaseIterable, Sendable {
  case search, show, status, draft
  case attachment
  case send
  case act, undo

  /// Whether it changes anything.
  package var isChanging: Bool {
    switch self {
    case .search, .show, .status, .attachment: false
    case .draft, .send, .act, .undo: true
    }
  }

  /// Whether it may take messages out of sight.
  private var isDestructive: Bool { self == .act }

  private var title: String {
    switch self {
    case .search: "Find messages"
    case .show: "Read a message"
    case .status: "What this agent may do"
    case .draft: "Write a draft"
    case .attachment: "Read an attachment"
    case .send: "Hand in a draft to be sent"
    case .act: "Change messages"
    case .undo: "Undo a change"
    }
  }

  private var summary: String {
    switch self {
    case .search:
      "Find messages by a query such as: from:anna subject:invoice date:2026-11.. is:unread. "
        + "Terms side by side must all be found; or, not and parentheses combine them; \"*\" is all "
        + "mail. The newest come first. Go on with cursor from next."
    case .show:
      "Read the text of a message by the id that search gave. Long texts have pages. Quoted lines "
        + "are left out unless quotes is true. Nothing is marked as read."
    case .status:
      "The rights, the limits and what is left of them, the accounts, the drafts of this agent, and "
        + "what became of those that it handed in."
    case .draft:
      "Write a plain-text draft into the person's folder Drafts: nothing is sent. Give reply or "
        + "forward an id, or to and subject. replaces and discard act on drafts that this agent wrote."
    case .attachment:
      "Read the text of an attachment, by the id of its message and its number in parts."
    case .send:
      "Hand in a draft of this agent to be sent: it waits until the person has read it and released "
        + "it at a terminal, or not. status tells what became of it."
    case .act:
      "Mark, tag, archive, move, junk or delete messages by their ids, all or none of them. Nothing "
        + "is deleted for good; undo takes the act back."
    case .undo: "Take back an act of this agent; what was changed since stays as it is."
    }
  }

  /// The tool as a list of tools has it.
  package var definition: JSONValue {
    .object([
      ("name", .string(rawValue)), ("title", .string(title)), ("description", .string(summary)),
      ("inputSchema", argumentSchema), ("outputSchema", resultSchema),
      (
        "annotations",
        .object([
          ("readOnlyHint", .boolean(!isChanging)), ("destructiveHint", .boolean(isDestructive)),
          ("openWorldHint", .boolean(false)),
        ])
      ),
    ])
  }

  /// The schema of its arguments.
  package var argumentSchema: JSONValue { Self.parsed(ToolSchemas.arguments(of: self)) }

  /// The schema of its result.
  package var resultSchema: JSONValue { Self.parsed(ToolSchemas.result(of: self)) }

  private static func parsed(_ text: String) -> JSONValue {
    // ToolTests holds that each of them is JSON.
    (try? JSONValue([UInt8](text.utf8))) ?? .object([])
  }

  /// Checks arguments against the schema.
  ///
  /// - Throws: `arguments`.
  package func check(_ arguments: JSONValue) throws(ToolFailure) {
    guard SchemaCheck.allows(arguments, argumentSchema) else { throw .arguments }
  }
}
