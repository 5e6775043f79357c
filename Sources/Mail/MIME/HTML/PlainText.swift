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
  /// - Returns: The text, without empty lines at its start and end.
  package static func render(_ html: [UInt8], links: Links = .shown) -> [UInt8] {
    let html = UTF8Repair.isValid(html) ? html : UTF8Repair.decode(html[...])
    var renderer = HTMLRenderer(html, links: links)
    return renderer.render()
  }
}
