package import Configuration
internal import MailModel
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex

/// Tags that stay on this machine, since no server can hold them: IMAP's keywords are atoms of ASCII.
package enum LocalTags {
  /// Those that an act is about to be the first to set on messages that a server has.
  package static func first(in plan: PlannedAct, _ configuration: Configuration) -> [[UInt8]] {
    var added: [String: Set<[UInt8]>] = [:]
    for step in plan.steps.map(\.step) {
      guard case .tags(_, let adding, _) = step.change else { continue }
      added[step.targetAccount, default: []]
        .formUnion(adding.filter { !Flag.keyword($0).isStorable })
    }
    var first: Set<[UInt8]> = []
    for (name, tags) in added where !tags.isEmpty {
      guard let account = configuration.account(named: name), account.server != nil else {
        continue
      }
      first.formUnion(tags.filter { !isKnown($0, account) })
    }
    return first.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether the index has messages with the tag; false where it cannot be asked.
  private static func isKnown(_ tag: [UInt8], _ account: Account) -> Bool {
    guard let set = try? SearchSet([account], stemming: nil) else { return false }
    return (try? set.count(.exact(.tag, tag))) ?? 0 > 0
  }
}
