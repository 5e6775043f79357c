internal import Octets

/// How a part wants to be shown, from its Content-Disposition field (RFC 2183).
package struct ContentDisposition: Sendable, Hashable {
  /// Whether it says `inline`; all other words but that mean `attachment` (RFC 2183 §2.8).
  package let isInline: Bool

  /// What follows the word, such as `filename`.
  package let parameters: Parameters

  /// What the value of the field says; `nil` when it has no word.
  package init?(_ body: [UInt8]) {
    var scanner = ParameterScanner(body[...])
    let word = scanner.token()
    guard !word.isEmpty else { return nil }
    if scanner.rest.first == ASCII.equals {
      // `Content-Disposition: filename=x` forgets the word.
      isInline = false
      parameters = Parameters(body[...])
    } else {
      isInline = word.equalsCaseless("inline")
      parameters = Parameters(scanner.rest)
    }
  }
}
