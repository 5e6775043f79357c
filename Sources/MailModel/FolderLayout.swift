/// How mailboxes become folders below an account's Maildir root.
package enum FolderLayout: String, Hashable, Sendable, CaseIterable {
  /// A folder a mailbox, nested as on the server: `Lists/swift/{cur,new,tmp}`.
  case verbatim

  /// Dovecot's and Courier's flat layout, the inbox being the root: `.Lists.swift/{cur,new,tmp}`.
  case maildirPlusPlus = "maildir++"
}
