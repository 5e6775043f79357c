package import MailModel
internal import Octets
internal import Platform

extension ConfigurationError: Explainable {
  /// File and line, what is wrong there, and what to do about it.
  package var explanation: Explanation {
    Explanation(.configuration, place: place, message, hint: remedy)
  }
}

extension Explanation {
  /// That an argument has octets that are not UTF-8; nil where all are text.
  package init?(notUTF8 name: String, _ text: String) {
    guard ProcessArguments.lostOctets(in: text) else { return nil }
    self.init(
      .data,
      "the \(name) \"\(Printable.text(text.utf8, limit: 60))\" is not UTF-8",
      hint: "the character set of the terminal has to be UTF-8; iconv(1) converts texts"
    )
  }

  /// An account that is named and not configured.
  package init(unknownAccount name: String, known: [String]) {
    let meant = Suggestion.nearest(to: name, among: known).map { "did you mean \($0)? " } ?? ""
    self.init(
      .usage,
      "unknown account '\(name)'",
      hint: known.isEmpty ? nil : "\(meant)configured accounts: \(known.joined(separator: ", "))"
    )
  }
}

extension Configuration {
  /// The accounts with a Maildir of these names, or all of them where none is named.
  package func accounts(named names: [String]) throws(Explanation) -> [Account] {
    for name in names where account(named: name) == nil {
      throw Explanation(unknownAccount: name, known: accounts.map(\.name))
    }
    return names.isEmpty ? accounts : names.compactMap { account(named: $0) }
  }
}
