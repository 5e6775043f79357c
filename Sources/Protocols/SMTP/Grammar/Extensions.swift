internal import Octets

/// What a server offers beyond the plain protocol, as its reply to EHLO says (RFC 5321 §4.1.1.1).
package struct Extensions: Hashable, Sendable {
  /// The lines of the reply but the first, keyword and parameters, in the order of the server.
  package let lines: [[UInt8]]

  /// The words of each line, the keyword first, letters large.
  private let words: [[[UInt8]]]

  /// No extension: before EHLO, after HELO, and after STARTTLS until the next EHLO.
  package init() {
    self.init(lines: [])
  }

  /// The extensions of these lines, without the line that names the server.
  package init(lines: [[UInt8]]) {
    self.lines = lines
    words = lines.map { line in
      line.split(whereSeparator: ASCII.isBlank).map { $0.map(ASCII.uppercased) }
    }
  }

  /// Whether nothing is offered.
  package var isEmpty: Bool { words.isEmpty }

  /// Whether the server offers the extension of this keyword, in any case.
  package func contains(_ keyword: StaticString) -> Bool {
    parameters(of: keyword) != nil
  }

  /// Several commands may be sent without waiting for their replies (RFC 2920).
  package var hasPipelining: Bool { contains("PIPELINING") }

  /// Messages may be sent in chunks whose length is said before (RFC 3030).
  package var hasChunking: Bool { contains("CHUNKING") }

  /// Octets above 127 may be sent in the body (RFC 6152).
  package var hasEightBitMIME: Bool { contains("8BITMIME") }

  /// Octets above 127 may be sent in addresses and header (RFC 6531).
  package var hasSMTPUTF8: Bool { contains("SMTPUTF8") }

  /// What is to be reported about the delivery can be said (RFC 3461).
  package var hasDSN: Bool { contains("DSN") }

  /// The connection can be encrypted (RFC 3207).
  package var hasStartTLS: Bool { contains("STARTTLS") }

  /// The size of a message can be announced (RFC 1870).
  package var hasSize: Bool { contains("SIZE") }

  /// The largest message the server takes, in octets; `nil` when it does not say or has no limit.
  package var sizeLimit: UInt64? {
    number(parameters(of: "SIZE")?.first).flatMap { $0 == 0 ? nil : $0 }
  }

  /// The most recipients in one transaction (RFC 9422 RCPTMAX); `nil` when it does not say.
  package var recipientLimit: Int? { limit("RCPTMAX=") }

  /// The most transactions in one connection (RFC 9422 MAILMAX); `nil` when it does not say.
  package var transactionLimit: Int? { limit("MAILMAX=") }

  /// The SASL mechanisms offered, letters large, each once (RFC 4954 §3).
  ///
  /// `AUTH=PLAIN LOGIN`, written so before the RFC, counts as well.
  package var mechanisms: [[UInt8]] {
    var result: [[UInt8]] = []
    for line in words {
      guard let keyword = line.first else { continue }
      var names = line.dropFirst()
      if keyword.starts(with: Self.oldAUTH) {
        names = [[UInt8](keyword.dropFirst(Self.oldAUTH.count))] + names
      } else if !keyword.equalsCaseless("AUTH") {
        continue
      }
      for name in names where !name.isEmpty && !result.contains(name) { result.append(name) }
    }
    return result
  }

  private static let oldAUTH = [UInt8](ascii: "AUTH=")

  private func parameters(of keyword: StaticString) -> ArraySlice<[UInt8]>? {
    words.first { $0.first?.equalsCaseless(keyword) ?? false }?.dropFirst()
  }

  private func limit(_ name: StaticString) -> Int? {
    let word = parameters(of: "LIMITS")?.first { $0.startsCaseless(with: name) }
    return number(word?.dropFirst(name.utf8CodeUnitCount)).flatMap {
      $0 == 0 ? nil : Int(exactly: $0)
    }
  }

  /// The number that a word consists of; `nil` when it does not, or exceeds 64 bits.
  private func number(_ word: (some Collection<UInt8>)?) -> UInt64? {
    guard let word else { return nil }
    var cursor = Cursor([UInt8](word))
    guard let number = cursor.decimal(), cursor.isAtEnd else { return nil }
    return number
  }
}
