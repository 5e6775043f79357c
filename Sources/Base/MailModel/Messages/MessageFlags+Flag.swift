internal import Octets

extension MessageFlags {
  /// The flags that a server lists of a message; `\Recent` and unknown system flags say nothing about it.
  package init(_ flags: [Flag]) {
    var system: SystemFlags = []
    var keywords: [[UInt8]] = []
    for flag in flags {
      switch flag {
      case .seen: system.insert(.seen)
      case .answered: system.insert(.answered)
      case .flagged: system.insert(.flagged)
      case .deleted: system.insert(.deleted)
      case .draft: system.insert(.draft)
      case .keyword(let keyword): keywords.append(keyword)
      case .recent, .any, .other: break
      }
    }
    self.init(system, keywords: keywords)
  }

  /// The flags of these names, as IMAP writes them.
  package init(imapNames: [[UInt8]]) { self.init(imapNames.map { Flag(wire: $0) }) }
}

extension SystemFlags {
  private static let names: [(Self, Flag)] = [
    (.draft, .draft), (.flagged, .flagged), (.forwarded, .keyword([UInt8](ascii: "$Forwarded"))),
    (.answered, .answered), (.seen, .seen), (.deleted, .deleted),
  ]

  /// The flags as commands name them.
  package var imapFlags: [Flag] {
    Self.names.filter { contains($0.0) }.map(\.1)
  }

  /// Those that a mailbox with these PERMANENTFLAGS keeps (RFC 9051 §7.1); nil, where none were told, is all.
  package init(permanent flags: [Flag]?) {
    guard let flags else {
      self = .all
      return
    }
    let named = MessageFlags(flags).system
    self = flags.contains(.any) ? named.union(.forwarded) : named
  }

  /// Those of the flags, as IMAP writes them, that a file name can show.
  package init(imapNames: [[UInt8]]) { self = MessageFlags(imapNames: imapNames).system }
}

extension Flag {
  /// Whether a mailbox with these PERMANENTFLAGS keeps the flag; nil, where none were told, is all.
  package func isKept(by permanent: [Flag]?) -> Bool {
    guard isStorable else { return false }
    guard let permanent else { return true }
    if case .keyword = self, permanent.contains(.any) { return true }
    return permanent.contains(self)
  }
}
