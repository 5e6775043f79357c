internal import AgentPlan
internal import Configuration
internal import MailModel
internal import Octets
internal import Triage

/// What a call of `act` asks for, and the right that it needs.
struct ActVerb {
  let verb: TriageVerb
  let right: AgentSettings.Right
  /// Its words in the journal.
  let command: [UInt8]

  /// - Throws: `arguments` where the verb lacks what it needs, or something is given that it does not take.
  init(_ call: ToolCall) throws(ToolFailure) {
    let word = call.text("do") ?? ""
    let (to, added, removed) = (call.text("to"), call.texts("add"), call.texts("remove"))
    guard (to != nil) == (word == "move"), to?.isEmpty != true,
      word == "tag" || added == nil && removed == nil
    else {
      throw .arguments
    }
    var words = [word]
    switch word {
    case "read": (verb, right) = (.read, .mark)
    case "unread": (verb, right) = (.unread, .mark)
    case "flag": (verb, right) = (.flag, .mark)
    case "unflag": (verb, right) = (.unflag, .mark)
    case "archive": (verb, right) = (.archive, .archive)
    case "junk": (verb, right) = (.junk, .junk)
    case "notjunk": (verb, right) = (.notjunk, .junk)
    case "delete": (verb, right) = (.delete, .delete)
    case "move":
      words.append(to ?? "")
      (verb, right) = (.move(to ?? ""), .move)
    case "tag":
      let edit = try Self.edit(added ?? [], removed ?? [])
      words += edit.words
      (verb, right) = (.tag(edit), .tag)
    default: throw .arguments
    }
    command = [UInt8](words.joined(separator: " ").utf8)
  }

  /// Tags that stand for a flag or a place are none of these.
  private static func edit(
    _ added: [String],
    _ removed: [String]
  ) throws(ToolFailure) -> TagEdit {
    let all = (added + removed).map { [UInt8]($0.utf8) }
    guard !all.isEmpty, all.allSatisfy({ CleanText.isClean($0) }),
      !added.contains(where: { tag in
        removed.contains { [UInt8]($0.utf8).equalsCaseless([UInt8](tag.utf8)) }
      })
    else { throw .arguments }
    guard all.allSatisfy(TagEdit.isOwn) else { throw .refused }
    do throws(Explanation) {
      return try TagEdit(added.map { "+" + $0 } + removed.map { "-" + $0 })
    } catch {
      throw .refused
    }
  }
}
