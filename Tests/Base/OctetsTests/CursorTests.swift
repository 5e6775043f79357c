import Octets
import Testing

private func cursor(_ text: String) -> Cursor { Cursor([UInt8](text.utf8)) }

private func text(_ octets: ArraySlice<UInt8>?) -> String? {
  octets.map { String(decoding: $0, as: UTF8.self) }
}

@Test(
  arguments: [
    ("0", 0), ("007x", 7), ("18446744073709551615", .max), ("18446744073709551616", nil),
    ("99999999999999999999999", nil), ("", nil), ("x1", nil), ("-1", nil), ("+1", nil),
  ] as [(String, UInt64?)]
)
func decimalNumbers(_ digits: String, _ number: UInt64?) {
  var cursor = cursor(digits)
  #expect(cursor.decimal() == number)
  if number == nil { #expect(text(cursor.remaining) == digits) }
}

@Test func aCursorMovesPastWhatItTakes() {
  var cursor = cursor("key: value;rest")
  #expect(text(cursor.take(upTo: ASCII.colon)) == "key")
  #expect(cursor.skip(ASCII.space) == false)
  #expect(cursor.skip(ASCII.colon) == true)
  #expect(text(cursor.take { $0 == ASCII.space }) == " ")
  #expect(cursor.peek == UInt8(ascii: "v"))
  #expect(text(cursor.take(count: 5)) == "value")
  #expect(cursor.next() == ASCII.semicolon)
  #expect(cursor.skip("result") == false)
  #expect(cursor.skip("re") == true)
  #expect(text(cursor.takeAll()) == "st")
  #expect(cursor.isAtEnd)
  #expect(cursor.peek == nil)
  #expect(cursor.next() == nil)
}

@Test func whatIsNotThereLeavesTheCursorInPlace() {
  var cursor = cursor("abc")
  #expect(cursor.take(upTo: ASCII.colon) == nil)
  #expect(cursor.take(count: 4) == nil)
  #expect(cursor.take(count: -1) == nil)
  #expect(cursor.skip("abcd") == false)
  #expect(text(cursor.take { $0 == ASCII.colon }) == "")
  #expect(text(cursor.remaining) == "abc")
}

@Test func aCursorKeepsTheIndicesOfItsSlice() {
  let octets = [UInt8]("..abc".utf8)
  var cursor = Cursor(octets[2...])
  #expect(cursor.next() == UInt8(ascii: "a"))
  #expect(cursor.remaining.startIndex == 3)
}
