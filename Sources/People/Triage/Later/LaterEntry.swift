internal import Octets
internal import SpoolPlan

/// What is to be done about a message at a moment: a file in `later` below the state home.
///
///     magnum-later 1
///     kind snooze
///     due 2026-12-24T08:00:00Z
///     base 1700000000.V17U5.0123456789abcdef
///     id a@x.test
///     text 9f86d081884c7d65
///     act 17
package struct LaterEntry: Hashable, Sendable {
  /// What is done then.
  package enum Kind: String, Hashable, Sendable {
    /// The message comes back to the inbox.
    case snooze
    /// It is looked at whether the message was answered.
    case remind
  }

  package let kind: Kind
  /// When, in seconds since 1970: fixed when it was asked for, whatever becomes of zones.
  package let due: Int64
  /// The base name of the message's file, as it was then.
  package let base: [UInt8]
  /// Its Message-ID, without its brackets; empty for none.
  package let id: [UInt8]
  /// The hash of its file's octets, in hexadecimal digits; empty where it could not be read.
  package let text: [UInt8]
  /// The number of the act that went with it; 0 for none.
  package let act: Int

  package init(kind: Kind, due: Int64, base: [UInt8], id: [UInt8], text: [UInt8], act: Int) {
    (self.kind, self.due) = (kind, due)
    (self.base, self.id, self.text, self.act) = (base, id, text, act)
  }

  private static let title = [UInt8](ascii: "magnum-later 1")

  /// The octets of its file.
  var octets: [UInt8] {
    let lines: [(StaticString, [UInt8])] = [
      ("kind", [UInt8](kind.rawValue.utf8)), ("due", Timestamp.octets(due)),
      ("base", JournalText.escaped(base)), ("id", JournalText.escaped(id)), ("text", text),
      ("act", [UInt8](decimal: act)),
    ]
    return Self.title + [ASCII.lineFeed]
      + lines.flatMap { [UInt8](ascii: $0.0) + [ASCII.space] + $0.1 + [ASCII.lineFeed] }
  }

  /// The entry of a file's octets; nil for what is none, or not whole.
  ///
  /// Lines of later versions are skipped.
  init?(_ octets: [UInt8]) {
    guard octets.last == ASCII.lineFeed else { return nil }
    let lines = octets.split(separator: ASCII.lineFeed)
    guard lines.first.map({ [UInt8]($0) }) == Self.title else { return nil }
    var values: [[UInt8]: [UInt8]] = [:]
    for line in lines.dropFirst() {
      guard let space = line.firstIndex(of: ASCII.space) else { continue }
      values[[UInt8](line[..<space])] = [UInt8](line[(space + 1)...])
    }
    func value(_ name: StaticString) -> [UInt8]? { values[[UInt8](ascii: name)] }
    guard let kind = value("kind").flatMap({ Kind(rawValue: String(decoding: $0, as: UTF8.self)) }),
      let due = value("due").flatMap({ Timestamp.seconds($0) }),
      let base = value("base").flatMap({ PercentEscape.unescape($0) }), !base.isEmpty,
      let act = value("act").flatMap({ Int(String(decoding: $0, as: UTF8.self)) })
    else { return nil }
    self.init(
      kind: kind,
      due: due,
      base: base,
      id: value("id").flatMap { PercentEscape.unescape($0) } ?? [],
      text: value("text") ?? [],
      act: act
    )
  }
}
