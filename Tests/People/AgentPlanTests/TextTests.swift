import Testing

@testable import AgentPlan

/// Texts, pages, links, cursors and counts.
@Suite struct TextTests {
  /// Text, what is left of it, and how many characters went.
  static let texts: [(given: String, wanted: String, removed: Int)] = [
    ("plain\n\ttext", "plain\n\ttext", 0), ("a\u{0}b\u{7}c\u{1B}[31m", "abc[31m", 3),
    ("a\u{7F}b\u{85}c\u{9F}", "abc", 3), ("a\rb", "ab", 1), ("ünïcödé 日本 🙂", "ünïcödé 日本 🙂", 0),
    ("a\u{202E}b\u{202C}c\u{2066}d\u{2069}\u{200E}\u{200F}\u{61C}", "abcd", 7),
    ("a\u{200B}b\u{200C}c\u{200D}d\u{2060}e\u{FEFF}", "abcde", 5), ("so\u{AD}ft", "soft", 1),
    ("\u{E0049}\u{E0067}\u{E006E}x\u{E007F}", "x", 4), ("❤\u{FE0F}", "❤\u{FE0F}", 0),
    ("❤\u{FE0F}\u{FE0E}\u{FE0F}x\u{FE0F}", "❤\u{FE0F}x\u{FE0F}", 2), ("a\u{E0100}", "a", 1),
    ("a\u{2028}b\u{2029}", "ab", 2), ("a\u{3164}\u{115F}\u{FFA0}", "a", 3),
    ("a\u{34F}b\u{180E}", "ab", 2), ("a\u{FFF9}b\u{FFFB}", "ab", 2), ("٠\u{600}", "٠\u{600}", 0),
  ]

  @Test(arguments: texts.indices)
  func whatNoReaderSeesIsTakenOut(_ index: Int) {
    let row = Self.texts[index]
    var clean = CleanText()
    #expect(String(decoding: clean.text([UInt8](row.given.utf8)), as: UTF8.self) == row.wanted)
    #expect(clean.removed == row.removed)
    #expect(CleanText.isClean([UInt8](row.given.utf8)) == (row.removed == 0))
  }

  @Test func octetsThatAreNoTextAreRepaired() {
    var clean = CleanText()
    let text = clean.text([0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80])
    #expect(String(validating: text, as: UTF8.self) != nil)
  }

  @Test func linesAreCutByCharacters() {
    var clean = CleanText()
    #expect(clean.line([UInt8]("äö\nü€".utf8), limit: 4) == [UInt8]("äö ü".utf8))
  }

  @Test func pagesEndWithLines() {
    #expect(TextPages.size == 16 << 10)
    #expect(TextPages.limit == 64)
    #expect(TextPages([]).count == 1)
    #expect(TextPages([]).page(1) == [])
    let line = [UInt8](repeating: 0x61, count: 99) + [10]
    let text = [UInt8]((0..<1000).map { _ in line }.joined())
    let pages = TextPages(text)
    var whole: [UInt8] = []
    for number in 1...pages.count {
      let page = pages.page(number) ?? []
      #expect(page.count <= TextPages.size)
      #expect(page.last == 10)
      whole += page
    }
    #expect(whole == text)
    #expect(pages.page(0) == nil)
    #expect(pages.page(pages.count + 1) == nil)
  }

  @Test func aLongLineIsCutBeforeACharacter() {
    let text = [UInt8](String(repeating: "€", count: 400_000).utf8)
    let pages = TextPages(text)
    #expect(pages.count == 64)
    #expect(pages.left > 0)
    for number in 1...64 {
      #expect(String(validating: pages.page(number) ?? [0xFF], as: UTF8.self) != nil)
    }
  }

  @Test func quotedLinesAreCounted() {
    let text = [UInt8]("a\n> b\n>> c\n d\n>e".utf8)
    let (kept, count) = QuotedLines.removed(from: text)
    #expect(String(decoding: kept, as: UTF8.self) == "a\n d\n")
    #expect(count == 3)
  }

  /// Text, and the addresses in it with their hosts.
  static let links: [(text: String, urls: [String], hosts: [String])] = [
    ("see https://a.example/x.", ["https://a.example/x"], ["a.example"]),
    (
      "(<HTTP://B.example:80/>) http://b.example", ["HTTP://B.example:80/", "http://b.example"],
      ["b.example", "b.example"]
    ),
    ("[text](https://c.example/a?b=c)", ["https://c.example/a?b=c"], ["c.example"]),
    (
      "https://good.example@evil.example/", ["https://good.example@evil.example/"], ["evil.example"]
    ),
    ("javascript:alert(1) file:///etc/passwd data:text/html,x", [], []), ("https://", [], []),
  ]

  @Test(arguments: links.indices)
  func addressesAreFound(_ index: Int) {
    let row = Self.links[index]
    let found = TextLinks.all(in: [UInt8](row.text.utf8), limit: 10)
    #expect(found.map { String(decoding: $0, as: UTF8.self) } == row.urls)
    #expect(found.map { String(decoding: TextLinks.host(of: $0), as: UTF8.self) } == row.hosts)
  }

  @Test func cursorsAreReadBack() {
    let cursor = SearchCursor(offset: 20, count: 57, query: .max, last: 0)
    #expect(SearchCursor(cursor.text) == cursor)
    for text in [
      "", "1", "1-2-3", "1-2-3-4-5", "-1-2-3-4", "a-2-3-4", "0-2-3-4", "3-2-1-1", "1-2-3-",
      "99999999999999999999-1-1-1", "１-2-3-4", "1-2-3-4 ",
    ] {
      #expect(SearchCursor(text) == nil, "\(text)")
    }
  }

  // MARK: Limits

  private static let hour: Int64 = 3600

  @Test func nothingIsTakenBeyondALimit() {
    var window = UsageWindow(kinds: 2)
    let now: Int64 = 1_800_000_000
    #expect(window.charge([2, 100], within: [3, 200], at: now) == true)
    // One kind over its limit, and nothing is taken of either.
    #expect(window.charge([2, 1], within: [3, 200], at: now) == false)
    #expect(window.used(0, at: now) == 2)
    #expect(window.used(1, at: now) == 100)
    #expect(window.charge([1, 100], within: [3, 200], at: now + 60) == true)
    #expect(window.charge([0, 1], within: [3, 200], at: now + 61) == false)
    #expect(window.charge([0, 0], within: [0, 0], at: now + 62) == true)
  }

  @Test func anHourLaterItIsFree() {
    var window = UsageWindow(kinds: 1)
    let now: Int64 = 1_800_000_000
    #expect(window.charge([5], within: [5], at: now) == true)
    #expect(window.nextFree(0, at: now) == now + Self.hour)
    #expect(window.charge([1], within: [5], at: now + Self.hour - 60) == false)
    #expect(window.charge([5], within: [5], at: now + Self.hour) == true)
  }

  @Test func aClockThatIsSetBackFreesNothing() {
    var window = UsageWindow(kinds: 1)
    let now: Int64 = 1_800_000_000
    #expect(window.charge([5], within: [5], at: now) == true)
    for time in [now - 1, now - Self.hour * 48, 0, -1, .min] {
      #expect(window.charge([1], within: [5], at: time) == false, "\(time)")
      #expect(window.used(0, at: time) == 5)
    }
  }

  @Test func whatIsWrittenIsReadBack() {
    var window = UsageWindow(kinds: 4)
    for minute in 0..<200 {
      let isTaken = window.charge(
        [1, 1000, 2, 3],
        within: [.max, .max, .max, .max],
        at: Int64(minute) * 60
      )
      #expect(isTaken)
      #expect(window.text.count == UsageWindow.size)
      #expect(UsageWindow(window.text, kinds: 4) == window)
    }
    #expect(window.used(0, at: 199 * 60) == 60)
    #expect(UsageWindow([], kinds: 4) == UsageWindow(kinds: 4))
  }

  /// An earlier version counted fewer kinds of things; what it counted still counts.
  @Test func aTextOfAnEarlierVersionIsRead() {
    let now: Int64 = 1_800_000_000
    let window = UsageWindow([UInt8]("\(now / 60) 1 2 3 4\n".utf8), kinds: 6)
    #expect((0..<6).map { window?.used($0, at: now) } == [1, 2, 3, 4, 0, 0])
  }

  @Test func aTextThatIsNoneIsRefused() {
    for text in ["x", "1", "1 2 3 4 5 6", "2 1 1 1 1\n1 1 1 1 1", "1 -1 0 0 0", "1 1 1 1 1.5"] {
      #expect(UsageWindow([UInt8](text.utf8), kinds: 4) == nil, "\(text)")
    }
  }
}
