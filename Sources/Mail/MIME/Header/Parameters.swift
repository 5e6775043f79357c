internal import Octets

/// The parameters of a structured field such as Content-Type (RFC 2045 §5.1, RFC 2231).
package struct Parameters: Sendable, Hashable {
  /// One as written, the quotes of its value undone.
  private struct Raw: Sendable, Hashable {
    /// The name in small letters, with its `*0*`.
    let name: [UInt8]
    let value: [UInt8]
  }

  private let raw: [Raw]

  /// How many pieces a value may be cut into; more are left out.
  private static let pieceLimit = 1000

  /// The parameters in what follows the type, or any text of the form `; name=value`.
  ///
  /// Missing semicolons between quoted values, missing closing quotes, comments and white space
  /// anywhere do no harm.
  init(_ text: ArraySlice<UInt8>) {
    var scanner = ParameterScanner(text)
    var raw: [Raw] = []
    while let (name, value) = scanner.next() { raw.append(Raw(name: name, value: value)) }
    self.raw = raw
  }

  /// The names, in small letters and without the marks of RFC 2231, in order, doubles kept.
  package var names: [[UInt8]] {
    raw.map { [UInt8]($0.name.prefix { $0 != ASCII.asterisk }) }
  }

  /// All as they were written, the quotes of their values undone.
  var written: [(name: [UInt8], value: [UInt8])] { raw.map { ($0.name, $0.value) } }

  /// The octets of a value that is no text for people, such as a boundary; `nil` when there is none.
  ///
  /// Pieces are joined and percent signs undone (RFC 2231), a charset is left out.
  package func octets(_ name: StaticString) -> [UInt8]? {
    extended(name)?.octets ?? plain(name)
  }

  /// A value for people, as UTF-8; `nil` when there is none.
  ///
  /// Encoded words in it are decoded, which the standard forbids and the world does.
  package func text(_ name: StaticString, _ decoder: CharsetDecoder) -> [UInt8]? {
    guard let (octets, charset) = extended(name) else {
      return plain(name).map { EncodedWord.decode($0[...], decoder) }
    }
    guard let charset else { return EncodedWord.decode(octets[...], decoder) }
    let text = decoder.decode(octets[...], charset)
    return text.map { ASCII.isControl($0) ? ASCII.space : $0 }
  }

  private func plain(_ name: StaticString) -> [UInt8]? {
    raw.first { $0.name.equalsCaseless(name) }?.value
  }

  /// The value of `name*` or of `name*0`, `name*1`, …; the charset is `nil` when none is told.
  private func extended(_ name: StaticString) -> (octets: [UInt8], charset: Charset?)? {
    let length = name.utf8CodeUnitCount
    var pieces: [Int: (value: [UInt8], isEscaped: Bool)] = [:]
    for parameter in raw where parameter.name.count > length {
      guard parameter.name[length] == ASCII.asterisk,
        parameter.name.prefix(length).equalsCaseless(name)
      else { continue }
      var mark = Cursor(parameter.name[(length + 1)...])
      if mark.isAtEnd { return Parameters.withCharset(parameter.value) }
      guard let number = mark.decimal(), number < Parameters.pieceLimit else { continue }
      let isEscaped = mark.skip(ASCII.asterisk)
      if pieces[Int(number)] == nil { pieces[Int(number)] = (parameter.value, isEscaped) }
    }
    return Parameters.join(pieces)
  }

  private static func join(
    _ pieces: [Int: (value: [UInt8], isEscaped: Bool)]
  ) -> (octets: [UInt8], charset: Charset?)? {
    // Some programs count from 1.
    guard var number = [0, 1].first(where: { pieces[$0] != nil }) else { return nil }
    var octets: [UInt8] = []
    var charset: Charset?
    var isFirst = true
    while let piece = pieces[number] {
      if isFirst, piece.isEscaped {
        (octets, charset) = withCharset(piece.value)
      } else {
        octets += piece.isEscaped ? unescape(piece.value[...]) : piece.value
      }
      isFirst = false
      number += 1
    }
    return (octets, charset)
  }

  /// Takes `charset'language'` off and undoes the percent signs; many programs leave it out.
  private static func withCharset(_ value: [UInt8]) -> (octets: [UInt8], charset: Charset?) {
    let parts = value.split(
      separator: ASCII.apostrophe,
      maxSplits: 2,
      omittingEmptySubsequences: false
    )
    guard parts.count == 3 else { return (unescape(value[...]), .unlabelled) }
    return (unescape(parts[2]), Charset(label: parts[0]))
  }

  /// Undoes `%XX`; a percent sign without two digits stands for itself.
  private static func unescape(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      if text[index] == ASCII.percent, index + 2 < text.endIndex,
        let octet = Hex.decode(text[index + 1...index + 2])?.first
      {
        result.append(octet)
        index += 3
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }
}
