internal import AgentPlan
internal import Configuration
internal import MailModel
internal import Octets
internal import Triage

/// What a call of `act` asks for, and the right that it needs.
struct ActVerb {
  let verb: TriageVerb
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
    case "move":
      words.append(to ?? "")
      verb = .move(to ?? "")
    case "tag":
      let edit = try Self.edit(added ?? [], removed ?? [])
      words += edit.words
      verb = .tag(edit)
    default:
      guard let plain = Self.plain(word) else { throw .arguments }
      verb = plain
    }
    command = [UInt8](words.joined(separator: " ").utf8)
  }

  /// The verb of that word among those that need nothing else.
  static func plain(_ word: String) -> TriageVerb? {
    let verbs: [TriageVerb] = [
      .read, .unread, .flag, .unflag, .archive, .delete, .junk, .notjunk,
    ]
    return verbs.first { $0.word == word }
  }

  /// The right that it needs; nil for what no agent does.
  var right: AgentSettings.Right? {
    switch verb {
    case .read, .unread, .flag, .unflag: .mark
    case .tag: .tag
    case .archive: .archive
    case .move: .move
    case .junk, .notjunk: .junk
    case .delete: .delete
    case .copy, .expunge, .snooze, .unsnooze: nil
    }
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
