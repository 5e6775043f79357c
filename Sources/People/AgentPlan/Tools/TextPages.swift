internal import Octets

/// A text in pages that end with a line, so that no answer is long.
package struct TextPages: Sendable {
  /// Octets of a page at most.
  package static let size = 16 << 10
  /// What lies behind that page is not given.
  package static let limit = 64

  private let pages: [ArraySlice<UInt8>]
  /// How many octets lie behind the last page.
  package let left: Int

  /// The pages of a text in UTF-8; one empty page of an empty text.
  package init(_ text: [UInt8]) {
    var (pages, rest): ([ArraySlice<UInt8>], ArraySlice<UInt8>) = ([], text[...])
    repeat {
      let page = rest.prefix(LineCut.end(of: rest, within: Self.size))
      pages.append(page)
      rest = rest.dropFirst(page.count)
    } while !rest.isEmpty && pages.count < Self.limit
    self.pages = pages
    left = rest.count
  }

  /// How many pages there are.
  package var count: Int { pages.count }

  /// A page, from 1; nil where there is none.
  package func page(_ number: Int) -> [UInt8]? {
    pages.indices.contains(number - 1) ? [UInt8](pages[number - 1]) : nil
  }
}

/// Quoted lines of a text, which repeat what other messages have.
package enum QuotedLines {
  /// The text without them, and how many they were.
  package static func removed(from text: [UInt8]) -> (text: [UInt8], count: Int) {
    var (kept, count): ([UInt8], Int) = ([], 0)
    kept.reserveCapacity(text.count)
    var rest = text[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? rest.endIndex
      if rest.first == ASCII.greaterThan { count += 1 } else { kept += rest[..<end] }
      rest = rest[end...]
    }
    return (kept, count)
  }
}

/// Addresses of the web in plain text.
package enum TextLinks {
  /// The first of them, each once.
  package static func all(in text: [UInt8], limit: Int) -> [[UInt8]] {
    var (found, seen): ([[UInt8]], Set<[UInt8]>) = ([], [])
    let words = text.split { $0 <= ASCII.space || $0 == ASCII.lessThan || $0 == ASCII.greaterThan }
    for word in words where found.count < limit {
      guard let url = url(in: word), seen.insert(url).inserted else { continue }
      found.append(url)
    }
    return found
  }

  private static func url(in word: ArraySlice<UInt8>) -> [UInt8]? {
    guard
      let start = word.indices.first(where: {
        word[$0...].startsCaseless(with: "http://") || word[$0...].startsCaseless(with: "https://")
      })
    else { return nil }
    var url = word[start...].prefix { $0 != ASCII.quote }
    let ends = [UInt8](ascii: ".,;:!?)]}'*_")
    while let last = url.last, ends.contains(last) { url.removeLast() }
    return url.count > 8 ? [UInt8](url) : nil
  }

  /// The host that an address leads to, in small letters, without user and port.
  package static func host(of url: [UInt8]) -> [UInt8] {
    let behind = url.split(separator: ASCII.slash, omittingEmptySubsequences: false).dropFirst(2)
    let authority = (behind.first ?? []).prefix { $0 != ASCII.questionMark && $0 != ASCII.hash }
    let host = authority.split(separator: ASCII.at, omittingEmptySubsequences: false).last ?? []
    return host.prefix { $0 != ASCII.colon }.map { ASCII.lowercased($0) }
  }
}
