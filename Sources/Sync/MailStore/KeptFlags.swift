package import MailModel

/// The flags that a mailbox keeps (PERMANENTFLAGS, RFC 9051 §7.1).
package struct KeptFlags: Hashable, Sendable {
  /// Those that a file name can show.
  package let system: SystemFlags
  private let permanent: [Flag]?

  /// A mailbox that keeps all.
  package static let all = KeptFlags(permanent: nil)

  /// What a mailbox keeps with these PERMANENTFLAGS; nil, where none were told, is all.
  package init(permanent: [Flag]?) {
    self.permanent = permanent
    system = SystemFlags(permanent: permanent)
  }

  /// Whether it keeps the flag or keyword, as IMAP writes it; none that IMAP cannot write.
  package func keeps(_ name: [UInt8]) -> Bool { Flag(wire: name).isKept(by: permanent) }

  /// Those of the flags and keywords that it keeps.
  package func kept(of flags: MessageFlags) -> MessageFlags {
    MessageFlags(flags.system.intersection(system), keywords: flags.keywords.filter(keeps))
  }
}
