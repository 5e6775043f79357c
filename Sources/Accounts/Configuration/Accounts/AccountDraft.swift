internal import MailModel
internal import Platform

/// An account while its keys are read: first the defaults, then its own above them.
struct AccountDraft {
  var address: String?
  var maildir: Path?
  var layout = FolderLayout.verbatim
  var server: Server?
  var user: String?
  var secret = SecretSource.none {
    // A key for passwords takes the place of a login of the defaults.
    didSet { oauth = nil }
  }
  /// The login at an authorization server, which takes the place of ``secret``; nil where there is none.
  var oauth: OAuthDraft?
  var environment: ConfigurationEnvironment?
  var trustFile: Path?
  var fingerprint: [UInt8]?
  var roles: [MailboxRole: [UInt8]] = [:]
  var sync = SyncSettings.standard
  var isIndexed = true
  var subjectThreading: SubjectThreading?
  var logsInEarly = false
  var sending = SenderDraft()
  /// `index-filter-unconfined`, which stands at the top of the file alone.
  var runsFiltersUnconfined = false
}
