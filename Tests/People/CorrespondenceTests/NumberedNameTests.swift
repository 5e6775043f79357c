import Correspondence
import Testing

struct NumberedNameTests {
  @Test(arguments: [
    ("report.pdf", 1, "report.pdf"), ("report.pdf", 2, "report (2).pdf"), ("a", 3, "a (3)"),
    (".profile", 2, ".profile (2)"), ("a.tar.gz", 2, "a.tar (2).gz"),
    ("no ending that is. so long as this one", 2, "no ending that is. so long as this one (2)"),
  ])
  func namesAreNumbered(name: String, number: Int, result: String) {
    #expect(NumberedName.of(Array(name.utf8), number) == Array(result.utf8))
  }

  @Test func longNamesLoseWholeCharacters() {
    let name = Array((String(repeating: "é", count: 125) + ".pdf").utf8)
    let numbered = NumberedName.of(name, 10)
    #expect(numbered.count <= 255 && numbered.count > 250)
    #expect(String(validating: numbered, as: UTF8.self)?.hasSuffix("é (10).pdf") == true)
  }
}
