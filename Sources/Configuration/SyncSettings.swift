/// What of an account is mirrored, and how: the keys of `[account.NAME.sync]`.
package struct SyncSettings: Hashable, Sendable {
  /// Which way changes travel; only `pull` is there yet.
  package var direction: Direction

  /// Mailboxes to mirror; by default `*`, all.
  package var include: [MailboxPattern]

  /// Mailboxes not to mirror, whatever ``include`` says; none by default.
  package var exclude: [MailboxPattern]

  /// How far back messages are mirrored; by default all.
  package var window: SyncWindow

  /// The most connections to the server at once, 1…5; 3 by default.
  package var connections: Int

  /// Whether mailboxes that only show others' mail again (\All, \Important) are mirrored too.
  package var allMail: Bool

  /// The settings of an account that says nothing.
  package static let standard = SyncSettings(
    direction: .pull,
    include: [MailboxPattern("*")],
    exclude: [],
    window: .all,
    connections: 3,
    allMail: false
  )

  /// Whether a mailbox of that decoded name (UTF-8, `/` between levels) is to be mirrored.
  ///
  /// `exclude` wins. What the server says about the mailbox (\All, \NoSelect) is not asked here.
  package func selects(_ name: [UInt8]) -> Bool {
    include.contains { $0.matches(name) } && !exclude.contains { $0.matches(name) }
  }
}
