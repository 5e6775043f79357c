internal import Octets

/// A flag of a message (RFC 9051 §2.3.2).
///
/// System flags have no case and are recognised in any; keywords and unknown system flags are
/// compared octet by octet, since servers keep their case.
package enum Flag: Hashable, Sendable {
  /// Read.
  case seen
  /// Replied to.
  case answered
  /// Marked as urgent or special.
  case flagged
  /// To be removed by the next EXPUNGE.
  case deleted
  /// Not finished.
  case draft
  /// Set by the server for the session that first sees a message; never stored by clients.
  case recent
  /// A flag without backslash, such as `$Forwarded`.
  case keyword([UInt8])
  /// A system flag beyond RFC 9051, backslash included.
  case other([UInt8])
  /// `\*`: only in PERMANENTFLAGS, where it says that new keywords can be made.
  case any

  /// The flag that the octets name.
  package init(wire: [UInt8]) {
    self.init(wire: wire[...])
  }

  /// The flag that the octets name; not generic, since a list of messages is made of many flags.
  package init(wire: ArraySlice<UInt8>) {
    guard wire.first == ASCII.backslash else {
      self = .keyword([UInt8](wire))
      return
    }
    self = Self.system(wire) ?? .other([UInt8](wire))
  }

  /// The octets of the flag in the spelling of RFC 9051.
  package var wire: [UInt8] {
    switch self {
    case .seen: [UInt8](ascii: "\\Seen")
    case .answered: [UInt8](ascii: "\\Answered")
    case .flagged: [UInt8](ascii: "\\Flagged")
    case .deleted: [UInt8](ascii: "\\Deleted")
    case .draft: [UInt8](ascii: "\\Draft")
    case .recent: [UInt8](ascii: "\\Recent")
    case .any: [UInt8](ascii: "\\*")
    case .keyword(let octets), .other(let octets): octets
    }
  }

  /// Whether STORE and APPEND can name the flag: not \Recent, not `\*`, nor what is no atom.
  package var isStorable: Bool {
    switch self {
    case .seen, .answered, .flagged, .deleted, .draft: true
    case .recent, .any: false
    case .keyword(let octets): Self.isAtom(octets[...])
    case .other(let octets):
      octets.first == ASCII.backslash && Self.isAtom(octets.dropFirst())
    }
  }

  private static func isAtom(_ octets: ArraySlice<UInt8>) -> Bool {
    !octets.isEmpty && octets.allSatisfy { Atom.mayHold($0) && $0 != ASCII.backslash }
  }

  /// The flag among the known ones; the length decides first, so each name is compared once.
  private static func system(_ wire: ArraySlice<UInt8>) -> Flag? {
    switch wire.count {
    case 2: wire.equalsCaseless("\\*") ? .any : nil
    case 5: wire.equalsCaseless("\\Seen") ? .seen : nil
    case 6: wire.equalsCaseless("\\Draft") ? .draft : nil
    case 7: wire.equalsCaseless("\\Recent") ? .recent : nil
    case 8:
      wire.equalsCaseless("\\Flagged")
        ? .flagged : wire.equalsCaseless("\\Deleted") ? .deleted : nil
    case 9: wire.equalsCaseless("\\Answered") ? .answered : nil
    default: nil
    }
  }
}

extension Flag: CustomStringConvertible {
  package var description: String { Printable.text(wire) }
}
