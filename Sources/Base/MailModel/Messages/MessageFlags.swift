internal import Octets

/// What a message is marked with: system flags, and the keywords that only the server can keep.
package struct MessageFlags: Hashable, Sendable {
  /// The flags that a file name shows too.
  package var system: SystemFlags
  /// Other keywords as the server spells them, sorted by octets, none twice, `$Forwarded` not among them.
  package private(set) var keywords: [[UInt8]]

  /// Flags with the given keywords, which may come in any order; `$Forwarded` is the flag that a file name shows as `P`.
  package init(_ system: SystemFlags = [], keywords: [[UInt8]] = []) {
    guard keywords.contains(where: Self.isForwarded) else {
      self.system = system
      self.keywords = keywords.count < 2 ? keywords : Self.sorted(keywords)
      return
    }
    self.system = system.union(.forwarded)
    self.keywords = Self.sorted(keywords.filter { !Self.isForwarded($0) })
  }

  private static func isForwarded(_ keyword: [UInt8]) -> Bool {
    keyword.equalsCaseless("$Forwarded")
  }

  /// The marks of both, for messages that have no common base.
  package func union(_ other: Self) -> Self {
    Self(system.union(other.system), keywords: keywords + other.keywords)
  }

  /// Without the system flags that are not among `flags`.
  package func intersection(_ flags: SystemFlags) -> Self {
    Self(system.intersection(flags), keywords: keywords)
  }

  /// The marks that both have.
  package func intersection(_ other: Self) -> Self {
    Self(
      system.intersection(other.system),
      keywords: keywords.filter(other.keywords.contains)
    )
  }

  private static func sorted(_ keywords: [[UInt8]]) -> [[UInt8]] {
    Set(keywords).sorted { $0.lexicographicallyPrecedes($1) }
  }
}

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

/// The six flags that the name of a Maildir file and an IMAP server can both keep.
package struct SystemFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// None of them; the literal `[]` goes by way of an array, which is felt where there are very many messages.
  package init() { rawValue = 0 }

  /// `D`, `\Draft`: the user is still writing it.
  package static let draft = Self(rawValue: 1)
  /// `F`, `\Flagged`.
  package static let flagged = Self(rawValue: 2)
  /// `P`, `$Forwarded`: passed on, resent or bounced.
  package static let forwarded = Self(rawValue: 4)
  /// `R`, `\Answered`.
  package static let answered = Self(rawValue: 8)
  /// `S`, `\Seen`.
  package static let seen = Self(rawValue: 16)
  /// `T`, `\Deleted`: no more than a mark, nothing is expunged because of it.
  package static let deleted = Self(rawValue: 32)

  /// All six.
  package static let all: Self = [.draft, .flagged, .forwarded, .answered, .seen, .deleted]

  /// The characters of all flags in the info part of a Maildir name, in the order of the bits, which is that of ASCII.
  private static let characters = [UInt8](ascii: "DFPRST")

  /// The flag of a character in the info part of a Maildir name; nil for one that means nothing here.
  package init?(character: UInt8) {
    switch character {
    case UInt8(ascii: "D"): self = .draft
    case UInt8(ascii: "F"): self = .flagged
    case UInt8(ascii: "P"): self = .forwarded
    case UInt8(ascii: "R"): self = .answered
    case UInt8(ascii: "S"): self = .seen
    case UInt8(ascii: "T"): self = .deleted
    default: return nil
    }
  }

  /// The characters of the flags in a Maildir name, in ASCII order.
  package var characters: [UInt8] {
    Self.characters.enumerated()
      .filter { bit, _ in rawValue & 1 << UInt8(bit) != 0 }
      .map { _, character in character }
  }
}
