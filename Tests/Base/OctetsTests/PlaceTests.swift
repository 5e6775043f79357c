import Octets
import Testing

@Test(
  arguments: [
    ("imaps://host", "://", 5..<8), ("://", "://", 0..<3), ("a:/b://c", "://", 4..<7),
    ("aab", "ab", 1..<3),
    ("aaab", "aab", 1..<4), ("abab", "ab", 0..<2), ("ab", "abc", nil), ("", "a", nil),
    ("x", "", 0..<0), ("", "", 0..<0),
    ("abcab", "abd", nil),
  ] as [(String, String, Range<Int>?)]
)
func firstPlaces(_ text: String, _ sought: String, _ place: Range<Int>?) {
  #expect([UInt8](text.utf8).firstPlace(of: sought.utf8) == place)
  #expect(text.holds(sought) == (place != nil))
  let found = text.firstPlace(of: sought)
  #expect(found.map { text[$0] } == place.map { _ in sought[...] })
}

/// A letter is sought with its accent: as part of another one it is not there.
@Test func textsAreSearchedByCharacter() {
  #expect(!"cafe\u{301}".holds("fe"))
  #expect("caf\u{E9}".holds("fe\u{301}"))
}

@Test(
  arguments: [
    ("a%sb%s", "%s", "x", "axbx"), ("%s%s", "%s", "%s!", "%s!%s!"), ("aaa", "aa", "b", "ba"),
    ("abc", "d", "x", "abc"),
    ("abc", "", "x", "abc"), ("", "a", "b", ""), ("secret", "secret", "", ""),
  ]
)
func exchanges(_ text: String, _ sought: String, _ others: String, _ result: String) {
  #expect(text.exchanging(sought, for: others) == result)
  #expect([UInt8](text.utf8).exchanging(sought.utf8, for: others.utf8) == [UInt8](result.utf8))
}

/// Indices of a slice stay those of the whole.
@Test func slicesAreSearchedInPlace() {
  let octets = [UInt8](ascii: "--a--b")
  #expect(octets[2...].firstPlace(of: [UInt8](ascii: "--")) == 3..<5)
}
