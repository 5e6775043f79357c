/// What a server says that names of mailboxes begin with (RFC 2342).
package struct Namespaces: Hashable, Sendable {
  /// One namespace.
  package struct Namespace: Hashable, Sendable {
    /// What its names begin with, as it stands on the wire; possibly nothing.
    package let prefix: [UInt8]
    /// What separates the levels of a name; nil where there are none.
    package let delimiter: UInt8?

    package init(prefix: [UInt8], delimiter: UInt8?) {
      self.prefix = prefix
      self.delimiter = delimiter
    }
  }

  /// Those of the user's own mailboxes.
  package var personal: [Namespace]
  /// Those of other users' mailboxes, and of shared ones.
  package var others: [Namespace]

  package init(personal: [Namespace], others: [Namespace]) {
    self.personal = personal
    self.others = others
  }
}
