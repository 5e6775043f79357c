package import MailModel
package import Configuration
package import Platform
package import Syncing

/// What the caller of a watch asks for.
package struct WatchSetting: Sendable {
  /// Reads the configuration, at the beginning and whenever it is to be read anew.
  package var configuration: @Sendable () throws(Explanation) -> Configuration
  /// The accounts to watch; empty is all that have a server.
  package var accounts: [String] = []
  /// Seconds between syncs where nothing is heard.
  package var poll = 300.0
  /// Whether the watch ends after the first sync that something gave rise to.
  package var isOnce = false
  /// Run after each sync that brought something, beside the account's own `post-sync`.
  package var command: ChildProcess.Command?
  /// Whether the lines of the protocol are reported.
  package var isTracing = false
  /// Whether everything is reported each time, as to a person who reads it, or what stands only once a day.
  package var isRead = false
  /// Whether each sync is reported, also where it says nothing new.
  package var reportsAll = false
  /// Where Magnum remembers things about accounts apart from their mail.
  package var stateHome: Path
  /// Makes what reports one sync.
  package var reporter: @Sendable (ProblemMemory) -> any Reporter
  /// Takes what happens besides.
  package var observer: @Sendable (WatchEvent) -> Void

  /// A watch of all accounts.
  package init(
    stateHome: Path,
    configuration: @escaping @Sendable () throws(Explanation) -> Configuration,
    reporter: @escaping @Sendable (ProblemMemory) -> any Reporter,
    observer: @escaping @Sendable (WatchEvent) -> Void
  ) {
    self.stateHome = stateHome
    self.configuration = configuration
    self.reporter = reporter
    self.observer = observer
  }
}

/// What happens in a watch, apart from what happens in its syncs.
package enum WatchEvent: Sendable {
  /// The account's server tells from now on what changes.
  case listening(account: String)
  /// The account's server cannot be reached, or is to be left alone; it is tried again after so many seconds. The account may
  /// have made all log-ins that it makes in an hour.
  case waiting(account: String, seconds: Double, isOutOfLogins: Bool)
  /// Not all folders of the account can be watched, for there are too many; they are looked at once a minute.
  case tooManyFolders(account: String)
  /// The configuration was read anew.
  case reloaded
  /// Something is wrong with the watch itself.
  case problem(Explanation)
}
