internal import Octets

/// Finds tags in HTML as browsers do, however broken it is.
///
/// The place only moves forward except for one return: when a quote in a tag is never closed, reading
/// starts again behind the `<` of that tag and quotes mean nothing from there on.
struct HTMLScanner {
  let html: [UInt8]
  private(set) var index = 0
  private var honoursQuotes = true

  init(_ html: [UInt8]) {
    self.html = html
  }

  var isAtEnd: Bool { index >= html.count }

  /// What stands between here and the next `<`.
  mutating func text() -> ArraySlice<UInt8> {
    let start = index
    index = OctetScan.index(of: ASCII.lessThan, in: html, from: index, to: html.count)
    return html[start..<index]
  }

  /// Reads what begins with the `<` here; `nil` for a comment or declaration.
  ///
  /// Gives `text` the `<` when it begins no tag.
  mutating func tag(orText text: (UInt8) -> Void) -> HTMLTag? {
    let next = index + 1 < html.count ? html[index + 1] : 0
    switch next {
    case ASCII.exclamationMark, ASCII.questionMark: skipDeclaration()
    case ASCII.slash where index + 2 < html.count && ASCII.isLetter(html[index + 2]):
      return readTag(from: index + 2, isEnd: true)
    case ASCII.slash: index = afterNext(ASCII.greaterThan, from: index)
    case _ where ASCII.isLetter(next): return readTag(from: index + 1, isEnd: false)
    default:
      text(ASCII.lessThan)
      index += 1
    }
    return nil
  }

  /// Goes on at another place.
  mutating func move(to index: Int) {
    self.index = index
  }

  /// Moves past the end tag of that name; `false` when there is none, and the place means nothing.
  mutating func skip(toEndOf name: ArraySlice<UInt8>) -> Bool {
    while index < html.count {
      index = OctetScan.index(of: ASCII.lessThan, in: html, from: index, to: html.count)
      guard index + 1 < html.count else { break }
      let rest = html[(index + 1)...]
      index += 1
      guard rest.first == ASCII.slash, rest.dropFirst().prefix(name.count).equalsCaseless(name)
      else { continue }
      index = afterNext(ASCII.greaterThan, from: index)
      return true
    }
    return false
  }

  private mutating func readTag(from start: Int, isEnd: Bool) -> HTMLTag {
    var nameEnd = start
    while nameEnd < html.count, !HTMLScanner.endsName(html[nameEnd]) { nameEnd += 1 }
    let name = html[start..<nameEnd].map { ASCII.lowercased($0) }
    let close = tagEnd(from: nameEnd)
    index = min(close + 1, html.count)
    return HTMLTag(name: name[...], isEnd: isEnd, attributes: nameEnd..<close, end: index)
  }

  /// Where the `>` stands that ends the tag, outside of quotes; the end of the text if none does.
  private mutating func tagEnd(from start: Int) -> Int {
    var index = start
    var previous: UInt8 = 0
    while index < html.count {
      let octet = html[index]
      if octet == ASCII.greaterThan { return index }
      let isQuote = octet == ASCII.quote || octet == ASCII.apostrophe
      // A quote counts only where a value begins: `<p title=it's>` has none.
      if isQuote, previous == ASCII.equals, honoursQuotes {
        let close = OctetScan.index(of: octet, in: html, from: index + 1, to: html.count)
        if close == html.count {
          honoursQuotes = false
          return tagEnd(from: start)
        }
        index = close
      }
      if octet > ASCII.space { previous = octet }
      index += 1
    }
    return index
  }

  private mutating func skipDeclaration() {
    guard html[index...].starts(with: [UInt8](ascii: "<!--")) else {
      index = afterNext(ASCII.greaterThan, from: index)
      return
    }
    // `<!-->` and `<!--->` are whole comments.
    var end = index + 2
    while true {
      end = OctetScan.index(of: ASCII.greaterThan, in: html, from: end, to: html.count)
      guard end < html.count else { break }
      if html[end - 1] == ASCII.minus, html[end - 2] == ASCII.minus { break }
      end += 1
    }
    index = min(end + 1, html.count)
  }

  private func afterNext(_ octet: UInt8, from start: Int) -> Int {
    min(OctetScan.index(of: octet, in: html, from: start, to: html.count) + 1, html.count)
  }

  private static func endsName(_ octet: UInt8) -> Bool {
    octet <= ASCII.space || octet == ASCII.slash || octet == ASCII.greaterThan
  }
}
