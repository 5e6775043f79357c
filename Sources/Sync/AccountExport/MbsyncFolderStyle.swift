package import MailModel
internal import Octets
package import SyncState

/// How mbsync finds the folders of a Maildir: its `SubFolders`, and `Flatten`.
package enum MbsyncFolderStyle: Hashable, Sendable, CaseIterable {
  case verbatim
  /// `Archive.2024` is `Archive/2024`.
  case flat
  /// `Archive/.2024` is.
  case legacy
  /// `.Archive.2024` is.
  case maildirPlusPlus

  /// The style in which most folders have the names of their mailboxes, and all can be named.
  package init(_ headers: [MailboxHeader], _ names: ServerNames, layout: FolderLayout) {
    guard layout == .verbatim else {
      self = .maildirPlusPlus
      return
    }
    let styles = [Self.verbatim, .flat, .legacy].filter { style in
      headers.allSatisfy { style.name(of: $0.directory) != nil }
    }
    let counts = styles.map { style in
      headers.count { MbsyncBox($0, names, style)?.hasOneName ?? false }
    }
    self = counts.max().flatMap(counts.firstIndex).map { styles[$0] } ?? .verbatim
  }

  /// The name of a folder, levels divided by slashes; nil where there is none that leads to it.
  func name(of directory: [UInt8]) -> [UInt8]? {
    switch self {
    case .verbatim: return directory
    case .flat:
      guard !directory.contains(ASCII.slash) else { return nil }
      return directory.map { $0 == ASCII.dot ? ASCII.slash : $0 }
    case .legacy:
      let levels = directory.split(separator: ASCII.slash, omittingEmptySubsequences: false)
      guard levels.dropFirst().allSatisfy({ $0.first == ASCII.dot }) else { return nil }
      return Array(
        ([levels[0]] + levels.dropFirst().map { $0.dropFirst() })
          .joined(separator: [ASCII.slash])
      )
    case .maildirPlusPlus:
      guard !directory.isEmpty else { return Array("INBOX".utf8) }
      // Below the inbox it is `..sub`.
      let isBelowInbox = directory.starts(with: [ASCII.dot, ASCII.dot])
      let rest = directory.dropFirst(isBelowInbox ? 2 : 1)
        .map { $0 == ASCII.dot ? ASCII.slash : $0 }
      return isBelowInbox ? Array("INBOX/".utf8) + rest : rest
    }
  }

  /// The lines of a store.
  var lines: [String] {
    switch self {
    case .verbatim: ["SubFolders Verbatim"]
    case .flat: ["SubFolders Verbatim", "Flatten ."]
    case .legacy: ["SubFolders Legacy"]
    case .maildirPlusPlus: ["SubFolders Maildir++"]
    }
  }
}
