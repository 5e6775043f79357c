internal import Octets

/// HTML as plain text, for reading and for the index.
package enum PlainText {
  /// What becomes of the addresses of links.
  package enum Links: Sendable, Hashable {
    /// They follow the text of the link, `text <url>`, where they differ from it.
    case shown
    /// They are left out.
    case omitted
  }

  /// The text that a reader of the HTML sees, as UTF-8 with LF line ends.
  ///
  /// Blocks are lines, paragraphs are set apart by an empty one, list items have a mark, cells of a
  /// row stand in one line, quoted blocks have `> ` before every line. Scripts, styles, the title,
  /// comments and what is hidden by its style (preheaders) do not appear; pictures do by their
  /// replacement text, or by the address that they link to. Of a page that would be blank, hidden text
  /// is shown. Addresses that only count clicks, and what others carry for that purpose, are left out. The text holds no control but LF, and no mark that turns its direction.
  ///
  /// Every sequence of octets is taken; the time grows with their number alone.
  ///
  /// - Parameters:
  ///   - html: UTF-8; octets that are not, become U+FFFD.
  ///   - links: What becomes of the addresses of links.
  ///   - hiding: When hidden text does appear.
  /// - Returns: The text, without empty lines at its start and end.
  package static func render(
    _ html: [UInt8],
    links: Links = .shown,
    hiding: Hiding = .unlessBlank
  ) -> [UInt8] {
    var renderer = HTMLRenderer(repaired(html), links: links, hiding)
    return renderer.render()
  }

  /// What becomes of text that styles hide.
  package enum Hiding: Sendable, Hashable {
    /// It appears where the page would be blank without it, and behind an element that hides and never ends: for people.
    case unlessBlank
    /// It never appears: for programs, which hidden text addresses.
    case always
  }

  /// A link of a page to the web.
  package struct Link: Sendable, Hashable {
    /// What a reader sees of it; empty for a picture.
    package let text: [UInt8]
    /// Where it leads: http or https, without what only follows the reader.
    package let url: [UInt8]
  }

  /// The links to the web that a reader of the HTML sees, at most so many.
  package static func links(in html: [UInt8], limit: Int) -> [Link] {
    var renderer = HTMLRenderer(repaired(html), links: .omitted, .always, collecting: limit)
    _ = renderer.render()
    return renderer.collected
  }

  private static func repaired(_ html: [UInt8]) -> [UInt8] {
    UTF8Repair.isValid(html) ? html : UTF8Repair.decode(html[...])
  }
}
