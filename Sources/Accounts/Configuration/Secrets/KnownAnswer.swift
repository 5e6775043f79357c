internal import Octets

/// An answer of a server that is known to mean more than it says, with its cause and what to do about it.
package struct KnownAnswer: Hashable, Sendable {
  /// A fixed word for programs, such as `app-password`.
  package let cause: String
  package let meaning: String
  package let remedy: String

  /// Whose answers it is among; none: of any provider.
  let hosts: [String]
  /// Texts of which one has to be in the answer, letters of either case; none: any refusal of a password.
  let texts: [String]

  /// Both in one line.
  package var hint: String { "\(meaning): \(remedy)" }

  /// What an answer means.
  ///
  /// - Parameters:
  ///   - answer: what the server said, as it is shown to people.
  ///   - host: the host of the server; nil for a tunnel.
  ///   - isPasswordRefused: whether the server refused the user name or the password.
  /// - Returns: what is known of it; nil where that is nothing, since nothing is guessed.
  package static func find(_ answer: String, host: String?, isPasswordRefused: Bool) -> KnownAnswer?
  {
    let answer = answer.lowercased()
    let host = host?.lowercased() ?? ""
    return all.first { known in
      let isThere = known.hosts.isEmpty || known.hosts.contains { isHost(host, of: $0) }
      let isSaid = known.texts.contains { contains(answer, $0.lowercased()) }
      return isThere && (isSaid || known.texts.isEmpty && isPasswordRefused)
    }
  }

  private static func isHost(_ host: String, of domain: String) -> Bool {
    host.utf8.elementsEqual(domain.utf8) || host.hasSuffix(".\(domain)")
  }

  /// Whether the text stands there by itself: `5.7.3` is not in `5.7.30`.
  private static func contains(_ answer: String, _ text: String) -> Bool {
    var rest = answer[...]
    while let found = rest.firstPlace(of: text) {
      let next = rest[found.upperBound...].utf8.first
      let endsInDigit = text.utf8.last.map(ASCII.isDigit) ?? false
      if !endsInDigit || !(next.map(ASCII.isDigit) ?? false) { return true }
      rest = rest[found.upperBound...]
    }
    return false
  }
}
