package import MailModel
internal import Octets
package import SyncPlan

extension UnknownName {
  /// What fits nothing, and what was probably meant.
  package func explanation(account: String) -> Explanation {
    Explanation(status, place: account, what, hint: hint(account))
  }

  private var status: ExitStatus { source == .commandLine ? .usage : .configuration }

  var what: String {
    switch (source, remedy) {
    case (.commandLine, .notMirrored): "\(shown) is not mirrored"
    case (.commandLine, _): "no mailbox matches \(shown)"
    case (.include, _): "include: no mailbox matches \(shown)"
    case (.exclude, _): "exclude: no mailbox matches \(shown)"
    case (.role(let role), .marked(let marked)):
      "roles: \(role.rawValue) is \(shown), which is not there; the server has \(text(marked))"
    case (.role(let role), _): "roles: \(role.rawValue) is \(shown), which is not there"
    }
  }

  func hint(_ account: String) -> String? {
    switch (source, remedy) {
    case (.commandLine, .near(let name)):
      "did you mean \(Printable.text(account.utf8))/\(Printable.text(name))?"
    case (.commandLine, .notMirrored):
      "the configuration leaves it out; see magnum-sync --list-mailboxes \(Printable.text(account.utf8))"
    case (.commandLine, _):
      "magnum-sync --list-mailboxes \(Printable.text(account.utf8)) lists them"
    case (.role, .marked(let marked)):
      "write \(text(marked)), or remove the line, or make the mailbox"
    case (_, .near(let name)): "did you mean \(text(name))?"
    case (_, .none), (_, .marked), (_, .notMirrored): nil
    }
  }

  private var shown: String { text(name) }

  private func text(_ name: [UInt8]) -> String { "\"\(Printable.text(name))\"" }
}
