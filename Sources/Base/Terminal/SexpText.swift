internal import Octets

/// JSON as an S-expression, as Emacs reads it and notmuch prints it.
///
/// An object is a list of keywords and values, an array a list; true is t, false and null are nil. Strings are the same
/// in both: Emacs reads the escapes of JSON.
package enum SexpText {
  /// The expression of a piece of JSON: of whole values, or of the brackets and commas between them.
  package static func of(json: some Collection<UInt8>) -> [UInt8] {
    let json = [UInt8](json)
    var result: [UInt8] = []
    result.reserveCapacity(json.count)
    var index = 0
    while index < json.count {
      switch json[index] {
      case ASCII.quote:
        let end = endOfString(json, index)
        let isKey = end < json.count && json[end] == ASCII.colon
        result += isKey ? [ASCII.colon] + json[(index + 1)..<(end - 1)] : Array(json[index..<end])
        index = end
        continue
      case ASCII.openBracket, ASCII.openBrace: result.append(ASCII.openParenthesis)
      case ASCII.closeBracket, ASCII.closeBrace: result.append(ASCII.closeParenthesis)
      case ASCII.colon, ASCII.comma: result.append(ASCII.space)
      case let octet where ASCII.isLetter(octet):
        let word = json[index...].prefix { ASCII.isLetter($0) }
        result +=
          word.elementsEqual([UInt8](ascii: "true")) ? [UInt8](ascii: "t") : [UInt8](ascii: "nil")
        index = word.endIndex
        continue
      case let octet: result.append(octet)
      }
      index += 1
    }
    return result
  }

  /// Where a string that begins there ends, its quotation marks counted.
  private static func endOfString(_ json: [UInt8], _ start: Int) -> Int {
    var index = start + 1
    while index < json.count, json[index] != ASCII.quote {
      index += json[index] == ASCII.backslash ? 2 : 1
    }
    return min(index + 1, json.count)
  }
}
