internal import MIME
internal import Octets
internal import Terminal

/// A part of a message as JSON, with those below it, as notmuch nests them.
struct ShownPart {
  /// Whose text is wanted.
  struct Wishes {
    let prefersHTML: Bool
    /// Whether the HTML itself is wanted, besides the text of it.
    let includesHTML: Bool
    /// How many octets the texts may have.
    var room = Int.max
  }

  private let wishes: Wishes
  /// How many octets there is room for still.
  private var room: Int
  private let decoder: CharsetDecoder
  private let protection: ShownProtection
  /// The texts that are to be read.
  private let shown: Set<Int>
  /// The number of the part: all are counted as they come, those that hold others too, from 1.
  private var number = 0

  init(
    _ message: Message,
    _ wishes: Wishes,
    _ decoder: CharsetDecoder,
    _ protection: ShownProtection
  ) {
    self.wishes = wishes
    self.protection = protection
    room = wishes.room
    self.decoder = decoder
    shown = Set(Self.readable(message.root, wishes.prefersHTML ? .html : .plain))
  }

  /// Where the texts to be read begin, those of messages inside too.
  private static func readable(_ part: Part, _ preference: BodyPreference) -> [Int] {
    part.readable(preferring: preference).flatMap { part in
      part.messageInside.map { readable($0, preference) } ?? [part.octets.startIndex]
    }
  }

  /// The part at a path as an object; to be called once for the root of a message.
  mutating func json(_ part: Part, _ path: [Int]) -> JSONLine {
    number += 1
    var line = JSONLine()
    line.add("id", number)
    if let section = part.section { line.add("section", section.description) }
    protection.add(path, to: &line)
    // Programs show what they know as a multipart.
    let isOpened = part.kind == .multipart && part.isTNEF
    line.add(
      "content-type",
      octets: isOpened ? [UInt8](ascii: "multipart/mixed") : part.contentType.octets
    )
    if let disposition = part.disposition {
      line.add("content-disposition", disposition.isInline ? "inline" : "attachment")
    }
    if let id = part.contentID { line.add("content-id", octets: id.octets) }
    // Those that hold other parts alone say nothing.
    let isHidden = protection.isHidden(part) && part.kind != .multipart
    if !isHidden, let name = part.fileName(decoder) { line.add("filename", octets: name) }
    line.add("size", part.decodedSize)
    line.add("attachment", part.role == .attachment)
    if isHidden {
      line.add("hidden", true)
      // The parts behind it keep their numbers.
      number += part.flattened.count - 1
    } else {
      addContent(part, path, &line)
    }
    return line
  }

  private mutating func addContent(_ part: Part, _ path: [Int], _ line: inout JSONLine) {
    switch part.kind {
    case .multipart:
      var parts: [JSONLine] = []
      for (place, child) in part.children.enumerated() { parts.append(json(child, path + [place])) }
      line.add("content", parts)
    case .message:
      guard let root = part.messageInside else { return line.add("content", [JSONLine]()) }
      var inside = JSONLine()
      inside.add("headers", ShownHeaders.json(root.header, decoder))
      inside.add("body", [json(root, path + [0])])
      line.add("content", [inside])
    case .leaf where part.contentType.isHTML: addHTML(part, &line)
    case .leaf where part.contentType.isText:
      add("content", part.plainText(decoder) ?? [], to: &line)
    case .leaf:
      addCharset(part, &line)
      line.add("content-length", part.decodedSize)
      if let field = part.header.first("Content-Transfer-Encoding") {
        line.add("content-transfer-encoding", octets: field.text(decoder))
      }
    }
  }

  /// Adds a text, or as much of it as there is room for.
  private mutating func add(_ name: String, _ text: [UInt8], to line: inout JSONLine) {
    let kept = text.count > room ? Self.beginning(of: text, room) : text[...]
    room -= kept.count
    line.add(name, octets: kept)
    if kept.count < text.count { line.add("\(name)-cut", text.count - kept.count) }
  }

  /// At most so many octets, and no half of a character.
  private static func beginning(of text: [UInt8], _ count: Int) -> ArraySlice<UInt8> {
    var end = max(0, count)
    while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    return text[..<end]
  }

  private mutating func addHTML(_ part: Part, _ line: inout JSONLine) {
    let links = protection.links(in: part)
    if wishes.includesHTML, links == .shown {
      add("content", part.text(decoder) ?? [], to: &line)
    } else {
      addCharset(part, &line)
    }
    if shown.contains(part.octets.startIndex), let text = part.plainText(decoder, links: links) {
      add("text", text, to: &line)
    }
  }

  private func addCharset(_ part: Part, _ line: inout JSONLine) {
    guard let charset = part.contentType.parameters.octets("charset") else { return }
    line.add("content-charset", octets: charset)
  }
}

/// What people have to know of a part that is not, or not wholly, shown.
enum PartRemark {
  /// Nil for a part of which there is nothing to say.
  static func text(_ part: Part) -> String? { text(part, part.losses) }

  /// The same, of a part of which not all is in memory.
  static func text(_ part: Part, _ losses: [PartLoss]) -> String? {
    let remarks = [secured(part), fragment(part)].compactMap { $0 } + losses.map(text)
    return remarks.isEmpty ? nil : remarks.joined(separator: "; ")
  }

  private static func secured(_ part: Part) -> String? {
    if part.isOpenedCMS { return nil }
    return switch part.secured {
    case .signed?: "a message signed with S/MIME, not opened"
    case .encrypted?, .authenticated?: "a message encrypted with S/MIME, not opened"
    case .compressed?: "a message compressed with S/MIME, not opened"
    case .certificates?, nil: nil
    }
  }

  private static func fragment(_ part: Part) -> String? {
    part.contentType.fragment.map { number, total in
      "piece \(number)\(total.map { " of \($0)" } ?? "") of a message"
    }
  }

  private static func text(_ loss: PartLoss) -> String {
    switch loss {
    case .lines(1): "1 line is damaged"
    case .lines(let count): "\(count) lines are damaged"
    case .end: "the end is missing"
    case .damage: "damaged"
    case .objects(1): "1 object in it cannot be read"
    case .objects(let count): "\(count) objects in it cannot be read"
    }
  }
}
