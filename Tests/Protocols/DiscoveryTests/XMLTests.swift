import Discovery
import TestSupport
import Testing

/// Documents of strangers.
@Suite struct XMLTests {
  private static func root(_ text: String) throws(XMLProblem) -> XMLElement {
    try XMLDocument.root(of: Array(text.utf8))
  }

  @Test func elementsAttributesAndText() throws {
    let root = try Self.root(
      "<?xml version='1.0'?><a x='1' y=\"&lt;\"> t&amp;<b/>ü <!-- no --><![CDATA[<]]><b>2</b>\n</a>"
    )
    #expect(root.name == "a" && root.attributes == ["x": "1", "y": "<"])
    #expect(root.text == "t&ü <")
    #expect(root.children(named: "b").map(\.text) == ["", "2"])
    #expect(root.child(named: "b")?.text == "" && root.child(named: "c") == nil)
  }

  @Test func otherCharsets() throws {
    let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xFC]
    #expect(try XMLDocument.root(of: latin + Array("</a>".utf8)).text == "ü")
    let units: [UInt16] = [0xFEFF] + Array("<a>ü</a>".utf16)
    let wide: [UInt8] = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    #expect(try XMLDocument.root(of: wide).text == "ü")
  }

  @Test(arguments: [
    "<!DOCTYPE a><a/>", "<!DOCTYPE a SYSTEM 'http://127.0.0.1/a'><a/>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
  ])
  func documentTypesAreRefused(text: String) {
    #expect(throws: XMLProblem.documentType) { try Self.root(text) }
  }

  @Test func depthAndLength() throws {
    func nest(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(try Self.root(nest(32)).name == "a")
    #expect(throws: XMLProblem.tooDeep) { try Self.root(nest(33)) }
    let long = "<a>" + String(repeating: "x", count: 256 << 10) + "</a>"
    #expect(throws: XMLProblem.tooLong) { try Self.root(long) }
    let flat = "<a>" + String(repeating: "<b/>", count: 60_000) + "</a>"
    #expect(try Self.root(flat).children.count == 60_000)
  }

  @Test(arguments: ["", "x", "<a>", "<a></b>", "<a/><a/>", "<a>&b;</a>", "<a b=c/>"])
  func whatIsNoXML(text: String) {
    #expect {
      try Self.root(text)
    } throws: { error in
      if case .malformed(line: 1, _)? = error as? XMLProblem { true } else { false }
    }
  }
}
