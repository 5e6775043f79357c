package import MailModel
internal import Platform

/// What the caller of a run asks for, beyond the configuration.
package struct SyncOptions: Sendable {
  /// One account to sync, and which of its mailboxes; no pattern is all of them.
  package struct Selection: Sendable {
    /// The account's name in the configuration.
    package var account: String
    /// Which of its mailboxes; empty is all.
    package var patterns: [MailboxPattern]

    package init(account: String, patterns: [MailboxPattern]) {
      self.account = account
      self.patterns = patterns
    }
  }

  /// What is known of the time since something changed in the account, for new files that are copies of messages.
  package enum CopyTiming: Sendable {
    /// Nothing: they wait for a later run.
    case byClock
    /// Something changed within the last minute.
    case busy
    /// Nothing changed for a minute.
    case quiet
  }

  /// Accounts named by the caller, who is thus there to see a refused secret; empty is all accounts.
  package var selections: [Selection] = []
  /// Plan and say, write nothing here or there.
  package var isDryRun = false
  /// Change nothing on the servers, whatever the configuration says.
  package var isPullOnly = false
  /// Look at every file and message, whatever the last run remembers.
  package var isScanning = false
  /// Leave on the server what was removed here, for a later sync: the file may be on its way to another folder.
  package var postponesRemovals = false
  /// How long new files that are copies of messages wait.
  package var copies = CopyTiming.byClock
  /// Seconds since 1970.
  package var clock: @Sendable () -> Int64 = { TestTime.ofDays() }
  /// Report the lines of the protocol.
  package var isTracing = false
  /// Mailboxes whose deletions the deletion guard lets through this once, by account.
  package var massDeletionAllowed: [Selection] = []
  /// Mailboxes of which what is missing here is fetched again, by account.
  package var fetchedAgain: [Selection] = []

  /// Files without attachments that are to be made whole.
  package var completions: [FileReference] = []

  /// A file of an account.
  package struct FileReference: Hashable, Sendable {
    /// The account's name in the configuration.
    package var account: String
    /// The directory of its mailbox, below the account's root.
    package var folder: [UInt8]
    /// Its base name.
    package var name: [UInt8]

    package init(account: String, folder: [UInt8], name: [UInt8]) {
      self.account = account
      self.folder = folder
      self.name = name
    }
  }

  /// The options of a sync right behind another one, which need not look at everything once more.
  var repeated: SyncOptions {
    var options = self
    options.isScanning = false
    (options.fetchedAgain, options.completions) = ([], [])
    return options
  }

  /// Nothing out of the ordinary.
  package init() {}
}
