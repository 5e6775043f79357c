internal import CommandLine
internal import Configuration
internal import MailModel
internal import MailStore
internal import Octets
internal import Platform
internal import SyncEngine
internal import Terminal

/// The test of the labels of an account's server, in words and as JSON.
struct LabelTest {
  /// What went wrong; nil where labels are pushed from now on.
  let failure: Explanation?
  private let report: LabelTrialReport

  /// Tests them, with messages of its own.
  ///
  /// `trace` gets the conversation, secrets cut; nil for none.
  init(testing account: Account, trace: (@Sendable (String) -> Void)? = nil) {
    do throws(SyncFailure) {
      report = try SyncRun.testLabels(
        account,
        isTracing: trace != nil,
        stateHome: Environment.stateHome,
        interruption: .shared
      ) { event in
        if case .trace(let line) = event.kind { trace?(line) }
      }
      failure = report.failure.map {
        Explanation(
          .unavailable,
          "labels are not pushed: \($0)",
          hint: "report this with the output of --trace; until then the account is only pulled"
        )
      }
    } catch {
      report = LabelTrialReport()
      failure = error.explanation(account: account.name)
    }
  }

  /// Why an account has no labels to test; nil where it has.
  static func objection(to account: Account) -> Explanation? {
    guard account.sync.labels != .tags else { return nil }
    return Explanation(
      .usage,
      place: account.name,
      "its labels are not tags",
      hint: "set labels = \"tags\" in [account.\(account.name)], see magnum-config(5)"
    )
  }

  /// The lines for a person.
  var text: String {
    var lines = report.facts.map { "    \($0.name): \($0.text)" }
    lines += report.left.map { "    left on the server: \(Printable.text($0.utf8))" }
    if failure == nil { lines.append("    labels passed: changes are pushed from now on") }
    return lines.joined(separator: "\n")
  }

  /// The member `labels`.
  var json: JSONLine {
    var line = JSONLine()
    line.add("passed", failure == nil)
    line.add("text", ifPresent: failure?.what)
    line.add(
      "facts",
      report.facts.map { fact in
        var line = JSONLine()
        line.add("name", fact.name)
        line.add("text", fact.text)
        return line
      }
    )
    line.add("left", report.left)
    return line
  }
}
