internal import Octets

/// How the octets of a part are written, from Content-Transfer-Encoding (RFC 2045 §6).
package enum TransferEncoding: Sendable, Hashable {
  /// As they are: 7bit, 8bit, binary, and every name that is not known.
  case identity
  /// quoted-printable.
  case quotedPrintable
  /// base64.
  case base64
  /// x-uuencode and its other names, which never were a standard.
  case uuencode

  /// The encoding that the value of the field names.
  package init(_ body: [UInt8]) {
    var scanner = ParameterScanner(body[...])
    let word = scanner.token()
    let names: [(StaticString, TransferEncoding)] = [
      ("base64", .base64), ("base-64", .base64), ("x-base64", .base64), ("b64", .base64),
      ("quoted-printable", .quotedPrintable), ("quotedprintable", .quotedPrintable),
      ("quoted_printable", .quotedPrintable), ("qp", .quotedPrintable),
      ("uuencode", .uuencode), ("x-uuencode", .uuencode), ("x-uue", .uuencode), ("uue", .uuencode),
    ]
    self = names.first { word.equalsCaseless($0.0) }?.1 ?? .identity
  }

  /// What the octets stand for, as far as damage lets.
  package func decode(_ body: ArraySlice<UInt8>) -> [UInt8] {
    switch self {
    case .identity: [UInt8](body)
    case .quotedPrintable: QuotedPrintable.decode(body)
    case .base64: DamagedBase64.decode(body)
    case .uuencode: Uuencode.blocks(body).first.map { $0.decode() } ?? [UInt8](body)
    }
  }

  /// About how many octets `decode` gives, told from the first few hundred of them.
  package func estimate(_ body: ArraySlice<UInt8>) -> Int {
    switch self {
    case .identity: body.count
    case .quotedPrintable: estimateQuotedPrintable(body)
    case .base64: estimateBase64(body)
    // 45 octets become a line of 61 and its end.
    case .uuencode: body.count * 45 / 62
    }
  }

  private func estimateBase64(_ body: ArraySlice<UInt8>) -> Int {
    let end = body.prefix(1000).firstIndex(of: ASCII.lineFeed).map { $0 + 1 }
    let line = body[..<(end ?? body.endIndex)]
    guard let end, end < body.endIndex else {
      let used = line.prefix(1000).count { $0 > ASCII.space && $0 != ASCII.equals }
      return line.count <= 1000 ? used * 3 / 4 : line.count * 3 / 4
    }
    let used = line.count { $0 > ASCII.space }
    let padding = body.suffix(4).count { $0 == ASCII.equals }
    return max(0, body.count * used / line.count * 3 / 4 - padding)
  }

  private func estimateQuotedPrintable(_ body: ArraySlice<UInt8>) -> Int {
    let sample = body.prefix(2000)
    guard !sample.isEmpty else { return 0 }
    let escapes = sample.count { $0 == ASCII.equals }
    return max(0, body.count - body.count * escapes * 2 / sample.count)
  }
}
