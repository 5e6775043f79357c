package import MailModel
package import Platform

/// The directory that holds what is known of an account, beside its mail.
package enum StateDirectory {
  /// The directory for Maildirs below a root: hidden where the layout allows it.
  ///
  /// In the Maildir++ layout a name that begins with a dot would be a mailbox.
  package static func path(root: Path, layout: FolderLayout) -> Path {
    root.appending(layout == .verbatim ? ".magnum" : "_magnum")
  }
}
