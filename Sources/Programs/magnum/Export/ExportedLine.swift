internal import Carriage
internal import Correspondence
internal import MailModel
internal import MIME
internal import Octets
internal import Platform
internal import Protection
internal import SearchIndex
internal import Terminal

/// The line of JSON that stands for a message.
final class ExportedLine: ExportRenderer {
  private let protection: ProtectionLook
  private let dates: RelativeDate

  let end: [UInt8] = []

  init(_ protection: ProtectionLook, now: Int64) {
    self.protection = protection
    dates = RelativeDate(now: now)
  }

  func octets(of exported: ExportedMessage) throws(Explanation) -> [UInt8] {
    let octets: [UInt8]
    do throws(SourceError) {
      octets = try exported.octets.whole()
    } catch {
      throw Explanation(.partial, error.description)
    }
    let message = Message(octets)
    let reading = try protection.read(message)
    var shown = ShownMessage(message, path: exported.path, found: nil)
    shown.tags = exported.words
    let wishes = ShownPart.Wishes(prefersHTML: false, includesHTML: false, room: .max)
    var line = shown.json(wishes, dates, reading)
    if let account = exported.account { line.add("account", account) }
    line.add("folder", octets: exported.folder)
    return line.octets
  }
}

extension ExportedMessage {
  /// Its flags and tags as words, in their order.
  var words: [String] {
    let marks: [(SystemFlags, String)] = [
      (.draft, "draft"), (.flagged, "flagged"), (.forwarded, "passed"), (.answered, "replied"),
    ]
    let flags = marks.filter { self.flags.contains($0.0) }.map(\.1)
    let unread = self.flags.contains(.seen) ? [] : ["unread"]
    return (flags + unread + tags.map { Printable.text($0) }).sorted()
  }
}
