internal import Configuration
internal import Glibc
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import Submission

/// The user who calls, and the places of this user's files.
enum SendEnvironment {
  static let user = geteuid()

  /// Whether the caller asks by its environment for a status that tells of a refusal, as `--wait` does.
  static var isStrict: Bool { Environment.octets("MAGNUM_SEND_STRICT") == [UInt8](ascii: "1") }

  /// Where the configuration is looked for: a home that is not the caller's own counts for nothing.
  static var configuration: ConfigurationEnvironment {
    var environment = ConfigurationEnvironment.current
    let home = SpoolPlace.home(of: user)
    if let home { environment.home = home }
    if Environment.ownPlace("XDG_CONFIG_HOME") == nil {
      environment.configHome = home?.appending(".config") ?? Path("/nonexistent")
    }
    return environment
  }

  /// Where mail goes that is handed in: what leaves with an account of the system lies where root can send it too.
  static func spools(_ configuration: Configuration) -> Path {
    SendingPlace.root(configuration)
  }

  /// The queues of the user.
  static var outboxes: [Outbox] { SpoolPlace.roots().map { Outbox(root: $0, user: user) } }

  /// The queues that are listed: root's list has those of all users in the system's place too.
  static var listedOutboxes: [Outbox] {
    outboxes + (user == 0 ? Outbox.shared.filter { $0.user != 0 } : [])
  }

  /// Whether a copy of what is sent with an account is put into its mailbox for that.
  ///
  /// Users share the system's accounts, and have no mailboxes of their own there.
  static func keepsCopy(_ sender: Sender, _ configuration: Configuration) -> Bool {
    SendingPlace.keepsCopy(sender, configuration, user: user)
  }
}
