internal import Octets

/// How the octets of a part are written, from Content-Transfer-Encoding (RFC 2045 §6).
package enum TransferEncoding: Sendable, Hashable {
  /// As they are: 7bit, 8bit, binary, and every name that is not known.
  case identity
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

  /// How many octets `decode` gives, told piece by piece.
  package func size(_ body: ArraySlice<UInt8>) -> Int {
    switch self {
    case .identity: body.count
    case .quotedPrintable: Self.size(body, QuotedPrintableConverter())
    case .base64: Self.size(body, Base64Converter())
    case .uuencode: decode(body).count
    }
  }

  private static func size(_ body: ArraySlice<UInt8>, _ converter: some OctetConverter) -> Int {
    var (converter, rest, size) = (converter, body, 0)
    while !rest.isEmpty {
      let piece = rest.prefix(1 << 16)
      rest = rest[piece.endIndex...]
      size += converter.convert(piece, isEnd: rest.isEmpty).count
    }
    return size
  }
}
