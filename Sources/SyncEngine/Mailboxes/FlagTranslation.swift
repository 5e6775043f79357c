internal import IMAP
internal import Maildir
internal import Octets
internal import SyncPlan

/// The one place where the flags of wire, file name and plan meet.
enum FlagTranslation {
  private static let letters: [(MaildirFlags, SystemFlags)] = [
    (.draft, .draft), (.flagged, .flagged), (.passed, .forwarded), (.replied, .answered),
    (.seen, .seen), (.trashed, .deleted),
  ]

  /// Flags of the wire; `\Recent` and unknown system flags say nothing about the message.
  static func flags(_ wire: [Flag]) -> MessageFlags {
    var system: SystemFlags = []
    var keywords: [[UInt8]] = []
    for flag in wire {
      switch flag {
      case .seen: system.insert(.seen)
      case .answered: system.insert(.answered)
      case .flagged: system.insert(.flagged)
      case .deleted: system.insert(.deleted)
      case .draft: system.insert(.draft)
      case .keyword(let keyword) where keyword.equalsCaseless("$Forwarded"):
        system.insert(.forwarded)
      case .keyword(let keyword): keywords.append(keyword)
      case .recent, .any, .other: break
      }
    }
    return MessageFlags(system, keywords: keywords)
  }

  /// Those of the flags, as IMAP writes them, that a file name can show.
  static func shown(_ wire: [[UInt8]]) -> SystemFlags {
    flags(wire.map { Flag(wire: $0) }).system
  }

  /// Flags of a file name.
  static func flags(_ name: MaildirFlags) -> SystemFlags {
    letters.reduce(into: []) { if name.contains($1.0) { $0.insert($1.1) } }
  }

  /// Flags for the wire.
  static func wire(_ flags: SystemFlags) -> [Flag] {
    let names: [(SystemFlags, Flag)] = [
      (.draft, .draft), (.flagged, .flagged), (.forwarded, .keyword([UInt8](ascii: "$Forwarded"))),
      (.answered, .answered), (.seen, .seen), (.deleted, .deleted),
    ]
    return names.filter { flags.contains($0.0) }.map(\.1)
  }

  /// What the server keeps of the flags that a file name shows.
  static func permanent(_ flags: [Flag]?) -> SystemFlags {
    guard let flags else { return .all }
    let named = Self.flags(flags).system
    return flags.contains(.any) ? named.union(.forwarded) : named
  }

  /// Whether a mailbox with those PERMANENTFLAGS keeps the flag; nil are all.
  static func isKept(_ flag: Flag, by permanent: [Flag]?) -> Bool {
    guard flag.isStorable else { return false }
    guard let permanent else { return true }
    if case .keyword = flag, permanent.contains(.any) { return true }
    return permanent.contains(flag)
  }

  /// Flags for a file name.
  static func letters(_ flags: SystemFlags) -> MaildirFlags {
    letters.reduce(into: []) { if flags.contains($1.1) { $0.insert($1.0) } }
  }
}
