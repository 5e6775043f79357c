package import Configuration
internal import MIME
package import MailModel
internal import Octets
internal import Platform
internal import SearchIndex

/// The tags of bounces.
package enum BounceTag {
  /// That of a message that did not reach a recipient.
  package static let bounced = [UInt8](ascii: "bounced")
  /// That of a report that says so.
  static let bounce = [UInt8](ascii: "bounce")
}

/// A sent message that did not reach all of its recipients.
package struct BouncedMessage: Sendable {
  package let account: String

  /// Its Message-ID, without its brackets.
  package let id: [UInt8]

  /// Its subject, as UTF-8.
  package let subject: [UInt8]

  /// When it was written, in seconds since 1970.
  package let date: Int64

  /// Those who did not get it; empty where the reports are gone.
  package let recipients: [FailedRecipient]
}

extension Triage {
  /// Reports that are older count no longer, in seconds.
  private static let bounceAge: Int64 = 14 * 86_400

  /// Tags messages that did not reach a recipient, and the reports that say so.
  ///
  /// These tags are all that is recorded, so that two machines agree, and that a person who takes `bounced` off is not told again.
  ///
  /// - Parameter account: the account whose mail is looked at, as its index has it.
  /// - Returns: how many messages are known now not to have reached a recipient.
  /// - Throws: why they could not be tagged; `tryAgain` where another command has the journal.
  package func markBounces(in account: Account) throws(Explanation) -> Int {
    guard let search = try BounceSearch(account, configuration) else { return 0 }
    let start = now() - Self.bounceAge
    let reports = try search.newReports(since: start, configuration)
    let sent = try search.sent(Set(reports.map(\.content.messageID.octets)))
    var (bounced, believed): (Set<Int>, [Target]) = ([], [])
    for report in reports {
      let failed = sent.indices.filter { !search.failures(in: report, of: sent[$0]).isEmpty }
      guard !failed.isEmpty else { continue }
      bounced.formUnion(failed)
      believed.append(Target(of: report.found, report.files))
    }
    if believed.isEmpty { return 0 }
    let undelivered = bounced.sorted().map { Target(of: sent[$0].found, sent[$0].files) }
    var plan = try tagging(undelivered, BounceTag.bounced)
    let count = plan.messages
    plan.append(try tagging(believed, BounceTag.bounce))
    let result = try carryOut(
      plan,
      command: [UInt8](ascii: "bounces"),
      by: .bounce
    )
    if let remainder = result.remainder {
      throw Explanation(.partial, place: account.name, "bounces: \(remainder.error.description)")
    }
    return count
  }

  private func tagging(_ targets: [Target], _ tag: [UInt8]) throws(Explanation) -> PlannedAct {
    let edit = try TagEdit(["+" + String(decoding: tag, as: UTF8.self)])
    var planner = ActPlanner(.tag(edit), configuration.accounts) { AccountFolders($0) }
    return try planner.plan(targets)
  }

  // MARK: What is known

  /// The sent messages of an account that did not reach all recipients, the newest first.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - id: the Message-ID of the only one that is meant; nil for all.
  /// - Returns: the messages, each with those who did not get it.
  /// - Throws: why the index or the folders cannot be read.
  package func bouncedMessages(
    in account: Account,
    _ id: [UInt8]? = nil
  ) throws(Explanation) -> [BouncedMessage] {
    guard let search = try BounceSearch(account, configuration) else { return [] }
    let sent = try search.bounced(id)
    if sent.isEmpty { return [] }
    let reports = try search.knownReports()
    return sent.map { message in
      var recipients: [FailedRecipient] = []
      for report in reports {
        for failed in search.failures(in: report, of: message)
        where !recipients.contains(where: { $0.address == failed.address }) {
          recipients.append(failed)
        }
      }
      return BouncedMessage(
        account: account.name,
        id: message.found.id,
        subject: message.found.subject,
        date: message.found.date,
        recipients: recipients
      )
    }
  }

  /// How many sent messages of an account did not reach all recipients.
  ///
  /// - Throws: why the index or the folders cannot be read.
  package func bouncedCount(in account: Account) throws(Explanation) -> Int {
    try BounceSearch(account, configuration)?.bouncedCount() ?? 0
  }
}

extension Target {
  fileprivate init(of found: FoundMessage, _ files: [TargetFile]) {
    self.init(id: found.id, subject: found.subject, among: files)
  }
}

extension ActOrigin {
  /// What tags sent messages that did not reach a recipient.
  fileprivate static let bounce = ActOrigin.program([UInt8](ascii: "bounce"))
}

extension ActStep {
  /// Whether it only marks a report as believed, which nothing takes back: the report would be found again.
  func marksReport(by origin: ActOrigin) -> Bool {
    guard origin == .bounce, case .tags(_, let added, let removed) = change else { return false }
    return added == [BounceTag.bounce] && removed.isEmpty
  }
}

extension PlannedAct {
  /// Adds what another act does to other messages.
  mutating func append(_ other: PlannedAct) {
    let first = (steps.map(\.message).max() ?? -1) + 1
    steps += other.steps.map { step in
      var step = step
      step.message += first
      return step
    }
    unchanged += other.unchanged
    incomplete += other.incomplete
  }
}
