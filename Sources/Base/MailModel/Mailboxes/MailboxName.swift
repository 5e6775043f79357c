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

/// A mailbox's place in the hierarchy, decoded: what people call it and what directories are made of.
package struct MailboxPath: Hashable, Sendable {
  /// The levels: UTF-8, or the wire's octets where the server breaks modified UTF-7; `["INBOX"]` is the inbox.
  package let components: [[UInt8]]

  /// The path of a name of the server; `delimiter` is nil where names have no levels.
  package init(_ name: MailboxName, delimiter: UInt8?) {
    let octets = name.decoded
    guard let delimiter else {
      components = [octets]
      return
    }
    components = octets.split(separator: delimiter, omittingEmptySubsequences: false)
      .map(Array.init)
  }

  package init(components: [[UInt8]]) {
    self.components = components
  }

  /// The path of a name with slashes between its levels.
  package init(joined name: [UInt8]) {
    components = name.split(separator: ASCII.slash, omittingEmptySubsequences: false)
      .map(Array.init)
  }

  /// The components between slashes: the form of patterns and of the configuration.
  package var joined: [UInt8] {
    Array(components.joined(separator: [ASCII.slash]))
  }

  /// The levels as they stand on the wire, in modified UTF-7 where the server keeps to it.
  package var wireComponents: [[UInt8]] {
    components.map { ModifiedUTF7.encode($0) ?? $0 }
  }

  /// The joined form, safe to print.
  package var display: String { Printable.text(joined) }
}

/// What tells whether a name of the server still means the same mailbox.
package struct MailboxIdentity: Hashable, Sendable {
  /// UIDVALIDITY (RFC 9051 §2.3.1.1); nil where it is not known.
  package var validity: UInt32?
  /// The server's own id, MAILBOXID (RFC 8474 §4), which a rename leaves as it is; empty where it is not known.
  package var serverID: [UInt8]

  package init(validity: UInt32?, serverID: [UInt8]) {
    self.validity = validity
    self.serverID = serverID
  }

  /// Whether the server's ids tell that both are one mailbox; nil where one of the two is not known.
  package func sharesID(with other: MailboxIdentity) -> Bool? {
    guard !serverID.isEmpty, !other.serverID.isEmpty else { return nil }
    return serverID == other.serverID
  }

  /// Whether UIDs mean the same messages in both.
  package func sharesUIDs(with other: MailboxIdentity) -> Bool {
    validity.equals(other.validity) && sharesID(with: other) != false
  }
}
