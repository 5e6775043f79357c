internal import Carriage
internal import Correspondence
internal import MailModel
internal import MIME
internal import Octets
internal import Platform
internal import Protection

/// Messages as one page in HTML: what `magnum show` prints of each, and the pictures that its text names.
///
/// Nothing that a stranger wrote is markup in it: text stands between tags, escaped, and a picture is the value of one attribute,
/// in base64. The page itself forbids a browser to fetch anything or to run anything.
final class MessagePage: ExportRenderer {
  private let protection: ProtectionLook
  private let senders: SenderLook
  private let bounces: BounceLook
  private let prefersHTML: Bool
  private let showsAllHeaders: Bool
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
  private var pictures = MessagePictures()
  private var hasBegun = false

  init(
    _ protection: ProtectionLook,
    _ senders: SenderLook,
    _ bounces: BounceLook,
    prefersHTML: Bool = false,
    showsAllHeaders: Bool = false
  ) {
    (self.protection, self.senders, self.bounces) = (protection, senders, bounces)
    (self.prefersHTML, self.showsAllHeaders) = (prefersHTML, showsAllHeaders)
  }

  let end = [UInt8](ascii: "</body>\n</html>\n")

  func octets(of exported: ExportedMessage) throws(Explanation) -> [UInt8] {
    let octets: [UInt8]
    do throws(SourceError) {
      octets = try exported.octets.whole()
    } catch {
      throw Explanation(.partial, error.description)
    }
    let reading = try protection.read(Message(octets))
    var text = MessageText(
      prefersHTML: prefersHTML,
      showsAllHeaders: showsAllHeaders,
      style: .page
    )
    let sender = senders.verdict(on: reading.message.header, at: exported.path)
    let left = senders.unsubscribed(reading.message.header, at: exported.path)
    text.add(
      reading,
      tags: exported.words,
      sender: sender,
      unsubscribed: left,
      bounces: bounces.recipients(of: reading.message, in: exported.path),
      invitation: InvitationLook(in: reading, tags: exported.words, senders)
    )
    var page = hasBegun ? [] : head(reading.header)
    hasBegun = true
    page += "<article>\n<pre>".utf8
    Self.escape(text.octets, to: &page)
    page += "</pre>\n".utf8
    for picture in pictures.next(of: reading, decoder) { Self.add(picture, to: &page) }
    return page + [UInt8](ascii: "</article>\n")
  }

  private func head(_ header: Header) -> [UInt8] {
    var page = [UInt8](
      """
      <!DOCTYPE html>
      <html>
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width">
      <title>
      """.utf8
    )
    let subject = header.text("Subject", decoder) ?? []
    Self.escape([UInt8](Printable.text(subject, limit: 200).utf8), to: &page)
    page += "</title>\n<style>\n\(Self.style)\n</style>\n</head>\n<body>\n".utf8
    return page
  }

  private static let policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

  private static let style = """
    body { max-width: 50em; margin: 2em auto; padding: 0 1em; font-family: sans-serif; }
    pre { white-space: pre-wrap; overflow-wrap: anywhere; font-family: inherit; }
    img { max-width: 100%; }
    article + article { border-top: thin solid; }
    """

  private static func add(_ picture: MessagePictures.Picture, to page: inout [UInt8]) {
    page += "<figure>\n".utf8
    switch picture.content {
    case .shown(let kind, let octets):
      page += "<img alt=\"\" src=\"data:image/\(kind.rawValue);base64,".utf8
      page += Base64.encode(octets)
      page += "\">\n".utf8
    case .left(let reason): page += "<p>\(reason)</p>\n".utf8
    }
    page += "<figcaption>".utf8
    escape([UInt8](Printable.text(picture.name, limit: 200).utf8), to: &page)
    page += "</figcaption>\n</figure>\n".utf8
  }

  /// Adds a text in which nothing is markup.
  private static func escape(_ text: [UInt8], to page: inout [UInt8]) {
    for octet in text {
      switch octet {
      case UInt8(ascii: "&"): page += "&amp;".utf8
      case ASCII.lessThan: page += "&lt;".utf8
      case ASCII.greaterThan: page += "&gt;".utf8
      case ASCII.quote: page += "&quot;".utf8
      case UInt8(ascii: "'"): page += "&#39;".utf8
      default: page.append(octet)
      }
    }
  }
}
