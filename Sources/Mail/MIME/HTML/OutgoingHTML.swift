internal import Octets

/// HTML that is to be sent: nothing in it acts by itself or names files of this machine, and its pictures are parts of the message.
///
/// Readers differ in where comments end. So what stands in a comment is checked as if it stood outside.
package struct OutgoingHTML: Hashable, Sendable {
  /// A part of the message that HTML can show.
  package struct Picture: Hashable, Sendable {
    /// The name of its file.
    package let name: [UInt8]
    package let id: MessageID

    package init(name: [UInt8], id: MessageID) {
      (self.name, self.id) = (name, id)
    }
  }

  /// What no message may have.
  package enum Problem: Error, Hashable, Sendable {
    /// An element that runs something, asks for something, or shows another page.
    case element([UInt8])
    /// An attribute that runs something.
    case attribute([UInt8])
    /// A link that runs something.
    case script([UInt8])
    /// A file of this machine that is to be shown.
    case file([UInt8])
  }

  /// The HTML, in which pictures are named by the ids of their parts.
  package let octets: [UInt8]

  /// The pictures that it shows.
  package let shown: Set<MessageID>

  /// HTML to be sent.
  ///
  /// - Parameters:
  ///   - html: what a program made, in UTF-8.
  ///   - pictures: the parts that it may show, named there by their file names or ids.
  /// - Throws: the first thing in it that no message may have.
  package init(_ html: [UInt8], _ pictures: [Picture]) throws(Problem) {
    try Self.checkElements(html)
    _ = try Self.references(in: html, opensComments: true)
    var octets: [UInt8] = []
    var shown: Set<MessageID> = []
    var end = 0
    for range in try Self.references(in: html, opensComments: false) {
      let name = Self.text(html[range])
      if let id = Self.id(name), pictures.contains(where: { $0.id == id }) {
        shown.insert(id)
      } else if let picture = pictures.first(where: { Self.names(name, $0) }) {
        shown.insert(picture.id)
        octets += html[end..<range.lowerBound] + Self.link(to: picture.id)
        end = range.upperBound
      }
    }
    self.octets = octets + html[end...]
    self.shown = shown
  }

  // MARK: Pictures

  private static let scheme = [UInt8](ascii: "cid:")

  private static func id(_ value: [UInt8]) -> MessageID? {
    guard value.startsCaseless(with: "cid:") else { return nil }
    return PercentEscape.unescape(value.dropFirst(scheme.count)).flatMap {
      MessageID(stripping: $0)
    }
  }

  private static func link(to id: MessageID) -> [UInt8] {
    scheme
      + PercentEscape.escape(id.octets) {
        !(ASCII.isLetter($0) || ASCII.isDigit($0) || [UInt8](ascii: "@.-_+").contains($0))
      }
  }

  private static func names(_ value: [UInt8], _ picture: Picture) -> Bool {
    value == picture.name || PercentEscape.unescape(value) == picture.name
  }

  // MARK: What is refused

  private static let refusedElements = words(
    "script form iframe frame frameset object embed applet base"
  )
  private static let refusedAttributes = words("srcdoc formaction")
  private static let shownAttributes = words("src background poster")
  private static let linkAttributes = words("href xlink:href action cite data")

  private static func words(_ text: String) -> Set<[UInt8]> {
    Set(text.split(separator: " ").map { [UInt8]($0.utf8) })
  }

  /// The longest name that is looked for.
  private static let nameLimit = 12

  /// Looks for refused elements anywhere, in values and comments as well.
  private static func checkElements(_ html: [UInt8]) throws(Problem) {
    var rest = html[...]
    while let start = OctetScan.firstIndex(of: ASCII.lessThan, in: rest) {
      rest = html[(start + 1)...]
      let name = rest.drop { $0 == ASCII.slash }.prefix(nameLimit)
        .prefix { ASCII.isLetter($0) }.map { ASCII.lowercased($0) }
      if refusedElements.contains(name) { throw .element(name) }
    }
  }

  /// Checks all attributes; gives the places where values stand that name what is shown.
  private static func references(
    in html: [UInt8],
    opensComments: Bool
  ) throws(Problem) -> [Range<Int>] {
    var scanner = HTMLScanner(html)
    var found: [Range<Int>] = []
    while !scanner.isAtEnd {
      _ = scanner.text()
      let next = scanner.index + 1
      if opensComments, next < html.count, html[next] == ASCII.exclamationMark {
        scanner.move(to: next)
        continue
      }
      guard !scanner.isAtEnd, let tag = scanner.tag(orText: { _ in }) else { continue }
      for (name, value) in HTMLAttributes(html[tag.attributes]).all {
        let name = name.map { ASCII.lowercased($0) }
        try check(name, value)
        if shownAttributes.contains(name) { found.append(value.indices) }
      }
    }
    return found
  }

  private static func check(_ name: [UInt8], _ value: ArraySlice<UInt8>) throws(Problem) {
    let isHandler = name.starts(with: [UInt8](ascii: "on")) && name.count > 2
    let isRefresh = name.elementsEqual("http-equiv".utf8) && text(value).equalsCaseless("refresh")
    if isHandler || isRefresh || refusedAttributes.contains(name) { throw .attribute(name) }
    let isShown = shownAttributes.contains(name)
    if isShown || linkAttributes.contains(name) {
      let text = text(value)
      guard !runs(text) else { throw .script(text) }
      guard !isShown || !isLocal(text) else { throw .file(text) }
    } else if name.elementsEqual("srcset".utf8) {
      for candidate in value.split(separator: ASCII.comma) {
        let text = text(candidate)
        guard !isLocal(text) else { throw .file(text) }
      }
    }
  }

  /// A value as browsers read it: controls in it do not count.
  private static func text(_ value: ArraySlice<UInt8>) -> [UInt8] {
    let text = HTMLEntities.decode(value).filter { !ASCII.isControl($0) }
    return [UInt8](text.drop { $0 == ASCII.space })
  }

  private static func runs(_ link: [UInt8]) -> Bool {
    link.startsCaseless(with: "javascript:")
      || link.startsCaseless(with: "vbscript:")
  }

  /// Whether it is a file by its absolute name.
  private static func isLocal(_ link: [UInt8]) -> Bool {
    link.first == ASCII.slash || link.first == ASCII.backslash
      || link.startsCaseless(with: "file:")
  }
}
