internal import Octets

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
