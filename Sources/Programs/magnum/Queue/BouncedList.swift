internal import CommandLine
internal import Configuration
internal import MailModel
internal import Octets
internal import Platform
internal import SpoolPlan
internal import Terminal
internal import Triage

/// `magnum queue list --bounced`: sent messages that did not reach a recipient.
struct BouncedList {
  let queue: QueueContext

  func showMessages() -> ExitStatus {
    guard let configuration = queue.configuration() else { return .configuration }
    do throws(Explanation) {
      let triage = Triage(configuration, stateHome: Environment.stateHome)
      for account in try configuration.accounts(named: queue.command.accountsNamed) {
        for message in try triage.bouncedMessages(in: account) { show(message) }
      }
      return .success
    } catch {
      return queue.command.report(error)
    }
  }

  private func show(_ message: BouncedMessage) {
    if queue.command.globals.json {
      return queue.console.print(octets: message.json.octets)
    }
    for line in message.lines(now: Clock.now()) { queue.console.print(line) }
  }
}

extension BouncedMessage {
  fileprivate func lines(now: Int64) -> [String] {
    let subject = subject.isEmpty ? "no subject" : Printable.text(subject, limit: 100)
    let age = HumanFormat.age(max(0, now - date))
    let failed = recipients.map(\.line)
    return ["\(Printable.text(account.utf8))  \(age) ago  \(subject)"]
      + (failed.isEmpty ? ["the reports are gone"] : failed).map { "    \($0)" }
      + ["    id:\(Printable.text(id, limit: 500))"]
  }

  fileprivate var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("account", account)
    line.add("message-id", octets: id)
    line.add("subject", octets: subject)
    line.add("sent", String(decoding: Timestamp.octets(date), as: UTF8.self))
    line.add("recipients", recipients.map(\.json))
    return line
  }
}
