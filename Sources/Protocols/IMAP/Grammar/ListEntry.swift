package import MailModel
internal import Octets

/// A mailbox that LIST found (RFC 9051 §7.3.1).
package struct ListEntry: Hashable, Sendable {
  /// The full name.
  package let name: MailboxName

  /// What separates the levels of the name; `nil` when the server has no levels.
  package let delimiter: UInt8?

  /// The attributes as the server wrote them, backslash included.
  package let attributes: [[UInt8]]

  /// The name with its levels, decoded.
  package var path: MailboxPath { MailboxPath(name, delimiter: delimiter) }

  /// Whether the mailbox has the attribute, in any case: `\Sent`.
  package func has(_ attribute: StaticString) -> Bool {
    attributes.contains { $0.equalsCaseless(attribute) }
  }

  /// Whether the mailbox can hold messages at all.
  package var isSelectable: Bool { !has("\\NoSelect") && !has("\\NonExistent") }
}

/// What a server says that names of mailboxes begin with (RFC 2342).
package struct Namespaces: Hashable, Sendable {
  /// One namespace.
  package struct Namespace: Hashable, Sendable {
    /// What its names begin with, as it stands on the wire; possibly nothing.
    package let prefix: [UInt8]
    /// What separates the levels of a name; nil where there are none.
    package let delimiter: UInt8?
  }

  /// Those of the user's own mailboxes.
  package var personal: [Namespace]
  /// Those of other users' mailboxes, and of shared ones.
  package var others: [Namespace]
}
