internal import AgentPlan
internal import Configuration
internal import MailModel
internal import Octets
internal import SearchIndex
internal import Triage

/// What an agent may not do to messages that it sees: what goes beyond its rights, or would change what it sees.
struct ActGuard {
  private let profile: AgentProfile
  private let verb: ActVerb

  init(_ profile: AgentProfile, _ verb: ActVerb) {
    (self.profile, self.verb) = (profile, verb)
  }

  // MARK: Before messages are looked for

  /// - Throws: `refused` where the agent may not do that to any message.
  func checkVerb(now: Int64) throws(ToolFailure) {
    guard let right = verb.right, profile.settings.rights.contains(right) else { throw .refused }
    let terms: ViewTerms
    do throws(Explanation) {
      let (read, never) = try profile.queries(now: now)
      let excluded = profile.configuration.search.excludedTags
      terms = ViewTerms([read, never], excluded: excluded.map { [UInt8]($0.utf8) })
    } catch {
      throw .refused
    }
    let isAllowed =
      switch verb.verb {
      case .read, .unread: !terms.joinsThreads(by: .seen)
      case .flag, .unflag: !terms.joinsThreads(by: .flagged)
      case .tag(let edit): (edit.added + edit.removed).allSatisfy { maySet($0, terms) }
      case .junk, .notjunk:
        !terms.joinsThreads(by: .place) && !Self.judgements.contains { names($0, terms) }
      case .archive, .delete, .move: !terms.joinsThreads(by: .place)
      case .copy, .expunge, .snooze, .unsnooze: false
      }
    guard isAllowed else { throw .refused }
  }

  /// The tags that these verbs set and remove.
  private static let judgements = [[UInt8](ascii: "$Junk"), [UInt8](ascii: "$NotJunk")]

  private func maySet(_ tag: [UInt8], _ terms: ViewTerms) -> Bool {
    // A keyword with a sign before it means something to other programs, or to a server.
    tag.first != UInt8(ascii: "$") && profile.settings.tags.contains { $0.matches(tag) }
      && !names(tag, terms)
  }

  private func names(_ tag: [UInt8], _ terms: ViewTerms) -> Bool {
    terms.names(tag) { pattern, tag in
      // One that cannot be read may mean any.
      (try? TextPattern(pattern))?.fits(tag) ?? true
    }
  }

  // MARK: Before anything is planned

  /// Sees to it that the folder is there to which messages go: no agent makes one.
  ///
  /// - Throws: `refused` where it is not, in the account of a message.
  func checkTargets(_ targets: [Target]) throws(ToolFailure) {
    guard verb.verb.isMoving else { return }
    let names = Set(targets.flatMap(\.files).map(\.account.name))
    for account in profile.accounts where names.contains(account.name) {
      guard hasFolder(account) else { throw .refused }
    }
  }

  private func hasFolder(_ account: Account) -> Bool {
    do throws(Explanation) {
      return try verb.verb.target(in: AccountFolders(account)) != nil
    } catch {
      return false
    }
  }

  // MARK: Before anything is done

  /// - Throws: `refused` where a step is none for an agent.
  func check(_ steps: [ActStep]) throws(ToolFailure) {
    var folders: [String: AccountFolders] = [:]
    for step in steps {
      guard let account = profile.accounts.first(where: { $0.name == step.account }) else {
        throw .refused
      }
      let own = folders[account.name] ?? AccountFolders(account)
      folders[account.name] = own
      switch step.change {
      case .tags: continue
      case .place(let from, let to):
        guard from.folder == to.folder || isAllowed(from.folder, to.folder, own) else {
          throw .refused
        }
      case .copy, .export, .removal: throw .refused
      }
    }
  }

  /// Whether messages may go from a folder to another one: a draft stays where a person looks for it, and nothing looks as if a
  /// person had written or sent it.
  private func isAllowed(
    _ source: [UInt8],
    _ target: [UInt8],
    _ folders: AccountFolders
  ) -> Bool {
    guard !folders.mayBe(source, for: .drafts), !folders.mayBe(target, for: .drafts),
      !folders.mayBe(target, for: .sent)
    else { return false }
    guard case .move = verb.verb else { return true }
    // These have verbs and rights of their own.
    return !folders.mayBe(target, for: .trash) && !folders.mayBe(target, for: .junk)
      && isTarget(target, folders)
  }

  /// Whether the configuration names a folder for the right `move`.
  private func isTarget(_ folder: [UInt8], _ folders: AccountFolders) -> Bool {
    let forms = folders.forms(of: folder)
    return profile.settings.moveTargets.contains { $0.matches(anyOf: forms) }
  }
}
