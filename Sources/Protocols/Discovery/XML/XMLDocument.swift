internal import CExpat
internal import Octets

/// Documents of strangers, read by expat, which is loaded at the first use.
///
/// Nothing is fetched and nothing is expanded: a document type declaration ends the reading, and without one there are no
/// entities but those of XML itself.
package enum XMLDocument {
  /// The longest document that is read, in octets.
  package static let lengthLimit = 256 << 10
  /// How deep elements may lie in each other.
  package static let depthLimit = 32

  /// The outermost element of a document in UTF-8, UTF-16, ISO 8859-1 or ASCII, whichever it says that it is in.
  ///
  /// - Throws: why it is not read.
  package static func root(of document: [UInt8]) throws(XMLProblem) -> XMLElement {
    guard document.count <= lengthLimit else { throw .tooLong }
    guard let library = magnum_load_expat() else { throw .noLibrary }
    let expat = library.pointee
    guard let parser = expat.parser_create(nil) else {
      throw .malformed(line: 0, "out of memory")
    }
    defer { expat.parser_free(parser) }
    let builder = ElementBuilder { _ = expat.stop_parser(parser, 0) }
    expat.set_user_data(parser, Unmanaged.passUnretained(builder).toOpaque())
    expat.set_element_handler(
      parser,
      { ElementBuilder.at($0)?.begin($1, $2) },
      { data, _ in ElementBuilder.at(data)?.end() }
    )
    expat.set_text_handler(parser) { ElementBuilder.at($0)?.add($1, $2) }
    expat.set_doctype_handler(parser) { data, _, _, _, _ in
      ElementBuilder.at(data)?.stop(.documentType)
    }
    let isWhole = withExtendedLifetime(builder) {
      document.withUnsafeBytes { octets in
        expat.parse(parser, octets.bindMemory(to: CChar.self).baseAddress, Int32(octets.count), 1)
      } == 1
    }
    if let problem = builder.problem { throw problem }
    guard isWhole, let root = builder.root else {
      let words = expat.error_string(expat.error_code(parser)).map { String(cString: $0) }
      throw .malformed(line: Int(expat.current_line(parser)), words ?? "not XML")
    }
    return root
  }
}

/// Puts elements together from what expat finds.
private final class ElementBuilder {
  private struct Open {
    let name: String
    let attributes: [String: String]
    var children: [XMLElement] = []
    var text: [UInt8] = []
  }

  private(set) var root: XMLElement?
  private(set) var problem: XMLProblem?
  private var open: [Open] = []
  private let stopParser: () -> Void

  init(stopParser: @escaping () -> Void) {
    self.stopParser = stopParser
  }

  static func at(_ data: UnsafeMutableRawPointer?) -> ElementBuilder? {
    data.map { Unmanaged<ElementBuilder>.fromOpaque($0).takeUnretainedValue() }
  }

  func stop(_ problem: XMLProblem) {
    self.problem = self.problem ?? problem
    stopParser()
  }

  func begin(
    _ name: UnsafePointer<CChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard problem == nil, let name else { return }
    guard open.count < XMLDocument.depthLimit else { return stop(.tooDeep) }
    var found: [String: String] = [:]
    var next = attributes
    // Names and values by turns, a null pointer behind the last.
    while let place = next, let key = place.pointee, let value = (place + 1).pointee {
      found[String(cString: key)] = String(cString: value)
      next = place + 2
    }
    open.append(Open(name: String(cString: name), attributes: found))
  }

  func add(_ text: UnsafePointer<CChar>?, _ count: Int32) {
    guard problem == nil, let text, !open.isEmpty else { return }
    let octets = UnsafeBufferPointer(start: text, count: Int(count))
    open[open.count - 1].text += octets.map { UInt8(bitPattern: $0) }
  }

  func end() {
    guard problem == nil, let last = open.popLast() else { return }
    let element = XMLElement(
      name: last.name,
      attributes: last.attributes,
      children: last.children,
      text: Self.trimmed(last.text)
    )
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }

  private static func trimmed(_ text: [UInt8]) -> String {
    func isSpace(_ octet: UInt8) -> Bool {
      ASCII.isBlank(octet) || octet == ASCII.lineFeed || octet == ASCII.carriageReturn
    }
    guard let first = text.firstIndex(where: { !isSpace($0) }),
      let last = text.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: text[first...last], as: UTF8.self)
  }
}

/// An element of an XML document, with what is in it.
package struct XMLElement: Hashable, Sendable {
  /// Its name as it is written, with a prefix where it has one.
  package let name: String
  /// The values of its attributes by their names.
  package let attributes: [String: String]
  /// The elements in it, in their order.
  package let children: [XMLElement]
  /// The text in it but outside of its children, without white space at either end.
  package let text: String

  /// The children of that name.
  package func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// The first child of that name; nil where there is none.
  package func child(named name: String) -> XMLElement? { children.first { $0.name == name } }
}

/// Why a text is no document that is read here.
package enum XMLProblem: Error, Hashable, Sendable {
  /// The system has no expat (libexpat.so.1), which reads documents.
  case noLibrary
  /// It is longer than ``XMLDocument/lengthLimit``.
  case tooLong
  /// Its elements lie deeper in each other than ``XMLDocument/depthLimit``.
  case tooDeep
  /// It declares a document type, in which entities could be declared.
  case documentType
  /// It is no XML, in this line, counted from 1; the words of expat.
  case malformed(line: Int, String)
}
