package import Platform

/// The configuration file, read and checked as a whole.
package struct Configuration: Hashable, Sendable {
  /// The file it came from.
  package let path: Path

  /// A checksum of what the file says, by which programs tell that they read the same.
  package let checksum: UInt64

  /// The accounts with a Maildir in the order of the file; none where the file is about sending only.
  package let accounts: [Account]

  /// The accounts that can send, in the order of the file.
  package let senders: [Sender]

  /// The one for mail whose sender fits no account: `default-account`, or the only one there is.
  package let defaultSender: Sender?

  /// Where a line is noted about each delivery.
  package let deliveryLog: DeliveryLog

  /// How long a message may be that is handed in.
  package let messageSizeLimit: SizeLimit

  /// What searches are given besides a query.
  package let search: SearchSettings

  /// Mail on other machines that searches find too, in the order of the file.
  package let archives: [ArchiveSettings]

  /// The programs that read mail for a person, in the order of the file.
  package let agents: [AgentSettings]

  /// What is done to messages that queries find, in the order of the file.
  package let rules: [RuleSettings]

  /// What makes text of attachments for the index.
  package let indexFilters: IndexFilterSettings

  /// When signatures are checked, and messages decrypted.
  package let crypto: CryptoSettings

  /// The directory that gets the events of invitations; nil for none.
  package let calendar: Path?

  /// That of a program that needs none, and has none.
  package static let none = Configuration(
    path: Path(""),
    checksum: 0,
    accounts: [],
    senders: [],
    defaultSender: nil,
    deliveryLog: .none,
    messageSizeLimit: .standard,
    search: SearchSettings(),
    archives: [],
    agents: [],
    rules: [],
    indexFilters: IndexFilterSettings(),
    crypto: CryptoSettings(),
    calendar: nil
  )

  /// Whether it is the one of the system, whose accounts all users share.
  package var isSystem: Bool { path == ConfigurationEnvironment.systemFile }

  /// The account of that name, compared octet by octet; `nil` when there is none.
  package func account(named name: String) -> Account? {
    accounts.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// The account of that name that can send, compared octet by octet; `nil` when there is none.
  package func sender(named name: String) -> Sender? {
    senders.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// The same with what a fetch gives for the secret of each sender, or why there is none: no source is asked again.
  package func withSecrets(
    _ fetch: (Sender) throws(SecretError) -> Sender
  ) -> Configuration {
    let fetched = senders.map { sender -> Sender in
      guard sender.secret != .none else { return sender }
      do throws(SecretError) {
        return try fetch(sender)
      } catch {
        return sender.withheld(error)
      }
    }
    return Configuration(
      path: path,
      checksum: checksum,
      accounts: accounts,
      senders: fetched,
      defaultSender: defaultSender.flatMap { sender in fetched.first { $0.name == sender.name } },
      deliveryLog: deliveryLog,
      messageSizeLimit: messageSizeLimit,
      search: search,
      archives: archives,
      agents: agents,
      rules: rules,
      indexFilters: indexFilters,
      crypto: crypto,
      calendar: calendar
    )
  }

  /// Reads the file the user named, else his own, else the system's.
  ///
  /// - Parameters:
  ///   - explicit: the file of `--config`; it must be there. `nil`: the well-known places.
  ///   - environment: home, user and the well-known places.
  /// - Returns: what the file says; nothing of it is ever ignored.
  /// - Throws: the first mistake found.
  package static func load(
    explicit: Path? = nil,
    environment: ConfigurationEnvironment = .current
  ) throws(ConfigurationError) -> Configuration {
    let file = try ConfigurationFile.find(explicit: explicit, environment: environment)
    return try ConfigurationReader(file: file, environment: environment).configuration()
  }
}
