import Octets
import Testing

@Test func questionsAgreeWithTheDefinitions() {
  for octet in UInt8.min...UInt8.max {
    let character = Character(UnicodeScalar(octet))
    let isLetter = octet < 128 && character.isLetter
    #expect(ASCII.isDigit(octet) == ("0"..."9").contains(character))
    #expect(ASCII.isLetter(octet) == isLetter)
    #expect(ASCII.isControl(octet) == (octet < 32 || octet == 127))
    #expect(ASCII.isBlank(octet) == (octet == 32 || octet == 9))
    #expect(ASCII.lowercased(octet) == (isLetter ? octet | 32 : octet))
    #expect(ASCII.uppercased(octet) == (isLetter ? octet & 0xDF : octet))
  }
}

@Test(arguments: [
  ("inbox", "INBOX", true), ("", "", true), ("inbox", "inbo", false), ("[", "{", false),
  ("@", "`", false), ("é", "É", false), ("é", "é", true), ("K", "\u{212A}", false),
])
func caselessComparison(_ one: String, _ other: String, _ isEqual: Bool) {
  #expect([UInt8](one.utf8).equalsCaseless(other.utf8) == isEqual)
  #expect([UInt8](other.utf8).equalsCaseless(one.utf8) == isEqual)
}

@Test func comparisonWithLiterals() {
  let octets = [UInt8]("Auth=Plain".utf8)
  #expect(octets.equalsCaseless("AUTH=PLAIN"))
  #expect(octets.startsCaseless(with: "AUTH="))
  #expect(!octets.startsCaseless(with: "AUTH=PLAINER"))
  #expect(!octets.equalsCaseless("AUTH="))
}

@Test(
  arguments: [
    (0, "0"), (7, "7"), (-10, "-10"), (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
  ] as [(Int64, String)]
)
func decimalDigits(_ number: Int64, _ digits: String) {
  #expect([UInt8](decimal: number) == [UInt8](digits.utf8))
  var octets = [UInt8](ascii: "n=")
  octets.append(decimal: number)
  octets.append(ascii: ";")
  #expect(octets == [UInt8]("n=\(digits);".utf8))
}

@Test(arguments: [
  ("", ""), ("a\n", "a\n"), ("a\r\nb\r\n", "a\nb\n"), ("a\rb\r", "a\rb\r"), ("\r\r\n", "\r\n"),
])
func lineFeedsForLineEnds(_ given: String, _ expected: String) {
  #expect(LineFeeds.only([UInt8](given.utf8)) == [UInt8](expected.utf8))
}
