internal import Octets
internal import Web

/// What came to the listener that waits for a browser, judged.
package enum RedirectAnswer: Hashable, Sendable {
  /// The login went well: a code for the token endpoint. Ends the wait.
  case code([UInt8])
  /// The server refused, or the user. Ends the wait.
  case refused(OAuthError)
  /// It comes from another authorization server than was asked (RFC 9207). Ends the wait.
  case otherIssuer([UInt8]?)
  /// Another path, such as that of a picture for the browser: 404.
  case otherPath
  /// Not an answer to this login: 400.
  case malformed(Fault)

  /// What is wrong with it.
  package enum Fault: Hashable, Sendable {
    /// It is no GET request of HTTP/1.
    case notHTTP
    /// It is longer than ``RedirectAnswer/lengthLimit``.
    case tooLong
    /// It names another host: a page elsewhere may have caused it.
    case otherHost
    /// It does not have the state of this login, or has it twice.
    case otherState
    /// It has neither a code nor an error, or both, or one twice.
    case noAnswer
    /// Its address is not that which the browser was to be sent back to.
    case otherAddress
  }

  /// The longest request, in octets.
  package static let lengthLimit = 8192

  /// Whether the wait for the browser is over.
  package var endsWait: Bool {
    switch self {
    case .code, .refused, .otherIssuer: true
    case .otherPath, .malformed: false
    }
  }
}

extension AuthorizationRequest {
  /// Whether a request for HTTP/1 is there with all its fields: an empty line ends them.
  package static func isComplete(_ octets: [UInt8]) -> Bool {
    let end = [UInt8](ascii: "\r\n\r\n")
    return octets.count >= end.count && octets.holds(end)
  }

  /// Judges what a browser sent, up to the empty line.
  package func answer(toRequest octets: [UInt8]) -> RedirectAnswer {
    guard octets.count <= RedirectAnswer.lengthLimit else { return .malformed(.tooLong) }
    guard let end = octets.firstPlace(of: [UInt8](ascii: "\r\n\r\n")) else {
      return .malformed(.notHTTP)
    }
    let lines = Self.lines(octets[..<end.lowerBound])
    guard let first = lines.first, let target = Self.target(first) else {
      return .malformed(.notHTTP)
    }
    guard Self.hosts(lines.dropFirst()) == [redirect.authority] else {
      return .malformed(.otherHost)
    }
    return answer(target: target)
  }

  /// Judges an address that the user copied from the browser.
  ///
  /// Blanks, quotes and angle brackets around it do not count; scheme and host may be missing, as browsers leave them out.
  package func answer(toPasted text: [UInt8]) -> RedirectAnswer {
    let rest = text.drop(while: Self.isWrapping)
    let text = [UInt8](
      rest[..<((rest.lastIndex { !Self.isWrapping($0) } ?? rest.startIndex - 1) + 1)]
    )
    guard text.count <= RedirectAnswer.lengthLimit else { return .malformed(.tooLong) }
    guard let target = target(ofPasted: text) else { return .malformed(.otherAddress) }
    let result = answer(target: [UInt8](target.prefix { $0 != ASCII.hash }))
    return result == .otherPath ? .malformed(.otherAddress) : result
  }

  private static func isWrapping(_ octet: UInt8) -> Bool {
    switch octet {
    case ASCII.quote, ASCII.apostrophe, ASCII.lessThan, ASCII.greaterThan: true
    default: octet <= ASCII.space
    }
  }

  /// Path and query of an address that was copied; nil where it is not that of this login.
  private func target(ofPasted text: [UInt8]) -> [UInt8]? {
    for origin in [[UInt8](ascii: "http://") + redirect.authority, redirect.authority]
    where text.starts(with: origin) {
      let target = [UInt8](text[origin.count...])
      return target.first == ASCII.slash ? target : nil
    }
    let query = text.drop { $0 == ASCII.slash }.drop { $0 == ASCII.questionMark }
    guard let form = WebForm(query), !form.values("state").isEmpty,
      !form.values("code").isEmpty || !form.values("error").isEmpty
    else { return nil }
    return [ASCII.slash, ASCII.questionMark] + query
  }

  private func answer(target: [UInt8]) -> RedirectAnswer {
    let halves = target.split(
      separator: ASCII.questionMark,
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    guard let path = halves.first, path.elementsEqual([ASCII.slash]) else { return .otherPath }
    guard halves.count > 1, let form = WebForm(halves[1]),
      let given = Self.only(form.values("state")), Self.areEqual(given, state)
    else { return .malformed(.otherState) }
    let issuers = form.values("iss")
    guard issuers.count < 2, issuer.fits(issuers.first) else {
      return .otherIssuer(issuers.first)
    }
    return Self.outcome(form)
  }

  private static func outcome(_ form: WebForm) -> RedirectAnswer {
    let (codes, errors) = (form.values("code"), form.values("error"))
    switch (codes.count, errors.count) {
    case (1, 0) where !codes[0].isEmpty: return .code(codes[0])
    case (0, 1):
      return .refused(
        OAuthError(code: errors[0], description: only(form.values("error_description")))
      )
    default: return .malformed(.noAnswer)
    }
  }

  // MARK: - HTTP

  private static func lines(_ head: ArraySlice<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = head
    while let end = rest.firstPlace(of: [UInt8](ascii: "\r\n")) {
      lines.append([UInt8](rest[..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    return lines + [[UInt8](rest)]
  }

  /// The target of `GET target HTTP/1.x`.
  private static func target(_ line: [UInt8]) -> [UInt8]? {
    let words = line.split(separator: ASCII.space, omittingEmptySubsequences: false)
    guard words.count == 3, words[0].elementsEqual("GET".utf8),
      words[2].elementsEqual("HTTP/1.1".utf8) || words[2].elementsEqual("HTTP/1.0".utf8),
      words[1].first == ASCII.slash, words[1].allSatisfy({ $0 > ASCII.space && $0 < 0x7F })
    else { return nil }
    return [UInt8](words[1])
  }

  private static func hosts(_ lines: some Collection<[UInt8]>) -> [[UInt8]] {
    lines.filter { $0.startsCaseless(with: "host:") }.map { line in
      let value = line.dropFirst(5).drop(while: ASCII.isBlank)
      return value.reversed().drop(while: ASCII.isBlank).reversed().map(ASCII.lowercased)
    }
  }

  private static func only(_ values: [[UInt8]]) -> [UInt8]? {
    values.count == 1 ? values.first : nil
  }

  /// Compares in a time that does not tell where the first difference is.
  private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
