internal import Configuration
package import MailModel
internal import Octets
internal import Platform
internal import SyncEngine
internal import Triage

/// Something that is reported of messages that did not reach a recipient.
package enum BounceOutcome: Sendable {
  /// So many sent messages are known now not to have reached a recipient.
  case bounced(Int)
  /// Reports could not be looked for, or their messages not tagged.
  case problem(Explanation)
}

/// Looks for reports of failures where a sync brought mail to an account that sends, or is the first one of a program.
final class BounceStage: Sendable {
  private let configuration: Configuration
  private let stateHome: Path
  private let accounts: [String: Account]
  /// The accounts whose sync is past this.
  private let handled = Monitor(Set<String>())
  /// The accounts in which all reports were looked for since the program began.
  private let known: Monitor<Set<String>>

  /// Nil where none of the accounts sends and keeps tags on its server; `before` is that of the syncs before these.
  init?(
    _ configuration: Configuration,
    _ accounts: [Account],
    stateHome: Path,
    after before: BounceStage?
  ) {
    let own = accounts.filter { account in
      account.server != nil && account.isIndexed && account.sync.direction == .both
        && configuration.sender(named: account.name) != nil
    }
    guard !own.isEmpty else { return nil }
    self.configuration = configuration
    self.stateHome = stateHome
    known = before?.known ?? Monitor([])
    self.accounts = Dictionary(first: own.map { ($0.name, $0) })
  }

  /// Looks for them once where all mail of a sync is in place and indexed; nil where nothing is to be said.
  func handleEvent(_ event: SyncEvent) -> BounceOutcome? {
    switch event.kind {
    case .started:
      handled.withLock { _ = $0.remove(event.account) }
      return nil
    case .mirrored(let report), .finished(let report):
      guard let account = accounts[event.account], isDue(report),
        !Interruption.shared.isRequested,
        handled.withLock({ $0.insert(event.account).inserted })
      else { return nil }
      return look(account)
    default: return nil
    }
  }

  /// Where mail came, and once in a program: one before it may have ended between the mail and the look at it.
  private func isDue(_ report: AccountReport) -> Bool {
    if report.total.fetched > 0 { return true }
    return !report.hasFailed && !known.withLock { $0.contains(report.account) }
  }

  private func look(_ account: Account) -> BounceOutcome? {
    known.withLock { _ = $0.remove(account.name) }
    do throws(Explanation) {
      let count = try Triage(configuration, stateHome: stateHome).markBounces(in: account)
      known.withLock { _ = $0.insert(account.name) }
      return count > 0 ? .bounced(count) : nil
    } catch {
      // Another command is at work: what is not tagged yet is found by the next sync.
      return error.status == .tryAgain ? nil : .problem(error)
    }
  }
}

/// Words for sent messages that did not reach a recipient.
package enum BounceWords {
  /// How many there are.
  package static func count(_ count: Int) -> String {
    count == 1 ? "1 sent message bounced" : "\(count) sent messages bounced"
  }
}
