internal import IMAP
internal import Octets

/// A mailbox's place in the hierarchy, decoded: what people call it and what directories are made of.
struct MailboxPath: Hashable, Sendable {
  /// UTF-8, or the wire's octets where the server breaks modified UTF-7; `["INBOX"]` is the inbox.
  let components: [[UInt8]]

  init(_ name: MailboxName, delimiter: UInt8?) {
    let octets = name.decoded
    guard let delimiter else {
      components = [octets]
      return
    }
    components = octets.split(separator: delimiter, omittingEmptySubsequences: false)
      .map(Array.init)
  }

  /// The components between slashes: the form of patterns and of the configuration.
  var joined: [UInt8] {
    Array(components.joined(separator: [ASCII.slash]))
  }

  /// The levels as they stand on the wire, in modified UTF-7 where the server keeps to it.
  var wireComponents: [[UInt8]] {
    components.map { ModifiedUTF7.encode($0) ?? $0 }
  }

  /// The joined form, safe to print.
  var display: String { Printable.text(joined) }
}
