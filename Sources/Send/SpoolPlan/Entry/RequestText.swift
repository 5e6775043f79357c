internal import MailModel
internal import Octets

/// The way of a change into a line, and back: `flags +\Seen -$Junk`, `move Archive/2026`, `trash`, `expunge`.
enum RequestText {
  static func octets(_ change: MessageRequest.Change) -> [UInt8] {
    switch change {
    case .flags(let added, let removed):
      let words = added.map { word(ASCII.plus, $0) } + removed.map { word(ASCII.minus, $0) }
      return [UInt8](([[UInt8](ascii: "flags")] + words).joined(separator: [ASCII.space]))
    case .move(let target): return [UInt8](ascii: "move ") + EntryText.escape(target)
    case .trash: return [UInt8](ascii: "trash")
    case .expunge: return [UInt8](ascii: "expunge")
    }
  }

  /// The change that a line is about; `nil` for any other line.
  static func change(_ line: [UInt8]) -> MessageRequest.Change? {
    var cursor = Cursor(line)
    let word = cursor.take { $0 != ASCII.space }
    let hasMore = cursor.skip(ASCII.space)
    switch String(decoding: word, as: UTF8.self) {
    case "flags": return flags(cursor.remaining)
    case "move":
      let target = PercentEscape.unescape(cursor.remaining)
      return target.flatMap { $0.isEmpty ? nil : .move(to: $0) }
    case "trash": return hasMore ? nil : .trash
    case "expunge": return hasMore ? nil : .expunge
    default: return nil
    }
  }

  private static func word(_ sign: UInt8, _ flag: [UInt8]) -> [UInt8] {
    [sign] + EntryText.escapeWord(flag)
  }

  private static func flags(_ text: ArraySlice<UInt8>) -> MessageRequest.Change? {
    var (added, removed): ([[UInt8]], [[UInt8]]) = ([], [])
    for word in text.split(separator: ASCII.space) {
      guard word.count > 1, let flag = PercentEscape.unescape(word.dropFirst()) else { return nil }
      switch word.first {
      case ASCII.plus: added.append(flag)
      case ASCII.minus: removed.append(flag)
      default: return nil
      }
    }
    return .flags(adding: added, removing: removed)
  }
}
