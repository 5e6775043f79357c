package import MailModel
internal import Octets
package import SyncPlan

/// Which mailbox a directory of a Maildir is restored to, in either layout.
///
/// A directory whose path begins with a dot is one of Maildir++, any other one is nested. The root's own messages go to the
/// prefix, or to INBOX where there is none; everything else goes below the prefix.
package struct RestoreNaming: Sendable {
  private let prefix: [[UInt8]]
  private let rootLength: Int

  /// The naming of directories below a root whose path has that many octets; `prefix` are the levels of a mailbox, none for
  /// the server's top level.
  package init(prefix: [[UInt8]], rootLength: Int) {
    self.prefix = prefix
    self.rootLength = rootLength
  }

  /// What a directory stands for, by its path relative to the root; "" is the root itself.
  ///
  /// Where Magnum made the directory, its name is percent-escaped; other programs write names that are not ASCII in modified
  /// UTF-7, as they stand on the wire.
  package func meaning(of relative: [UInt8], isOurs: Bool) -> FolderMeaning {
    guard let first = relative.first else {
      return .mailbox(prefix.isEmpty ? [Self.inbox] : prefix)
    }
    let layout: FolderLayout = first == ASCII.dot ? .maildirPlusPlus : .verbatim
    let meaning = FolderNaming(layout: layout, rootLength: rootLength).meaning(of: relative)
    guard case .mailbox(let levels) = meaning else { return meaning }
    return .mailbox(prefix + (isOurs ? levels : Self.levels(relative, layout)))
  }

  /// The names to try on a server for the levels of a mailbox, the likeliest first; none where it could hold none of them.
  ///
  /// What is below `Inbox`, in whatever case, is below INBOX, as servers have it, unless `isListed` says that the server has a
  /// mailbox of the name as it is written.
  package static func names(
    for levels: [[UInt8]],
    on server: MailboxNaming,
    isListed: (MailboxName) -> Bool
  ) -> [MailboxName] {
    guard levels.first?.equalsCaseless("INBOX") == true else { return server.names(for: levels) }
    if let written = server.name(for: levels), isListed(written) { return [written] }
    return [server.name(for: [inbox] + levels.dropFirst())].compactMap { $0 }
  }

  private static let inbox = [UInt8](ascii: "INBOX")

  private static func levels(_ relative: [UInt8], _ layout: FolderLayout) -> [[UInt8]] {
    let parts =
      switch layout {
      case .verbatim: relative.split(separator: ASCII.slash)
      case .maildirPlusPlus: relative.split(separator: ASCII.dot)
      }
    return parts.map { decoded(Array($0)) }
  }

  /// The name that is meant where it is written in modified UTF-7.
  private static func decoded(_ name: [UInt8]) -> [UInt8] {
    guard name.contains(UInt8(ascii: "&")), let text = ModifiedUTF7.decode(name),
      ModifiedUTF7.encode(text) == name
    else { return name }
    return text
  }
}
