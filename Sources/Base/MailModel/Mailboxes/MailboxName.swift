internal import Octets

/// The name of a mailbox as the server writes it, in modified UTF-7 (RFC 3501 §5.1.3).
///
/// Names are equal when their octets are. Only `INBOX`, which has no case (RFC 9051 §5.1), is
/// brought into one form, so that `inbox` and `INBOX` are one mailbox.
package struct MailboxName: Hashable, Sendable {
  /// The octets that go over the wire, before quoting.
  package let wire: [UInt8]

  /// The name that stands for the mailbox on the wire.
  package init(wire: some Collection<UInt8>) {
    self.wire = wire.equalsCaseless("INBOX") ? [UInt8](ascii: "INBOX") : [UInt8](wire)
  }

  /// The name for a text that people write; `nil` when the octets are not valid UTF-8.
  package init?(decoded utf8: some Collection<UInt8>) {
    guard let wire = ModifiedUTF7.encode(utf8) else { return nil }
    self.init(wire: wire)
  }

  /// The name in UTF-8, or the octets of the wire where they are not valid modified UTF-7.
  ///
  /// Two names of the wire can therefore have one decoded form, but only if one is malformed.
  package var decoded: [UInt8] { ModifiedUTF7.decode(wire) ?? wire }

  /// Whether this is the mailbox every account has.
  package var isInbox: Bool { wire == [UInt8](ascii: "INBOX") }
}

extension MailboxName: CustomStringConvertible {
  package var description: String { Printable.text(decoded) }
}
