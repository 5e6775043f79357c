internal import MailModel
internal import Octets

/// A key of the configuration file: all that the program knows about it.
///
/// Reading, refusals, suggestions and the check of the manual page against the program all work
/// from the table in `ConfigurationKey+Table.swift`.
struct ConfigurationKey: Sendable {
  /// Puts the value where it belongs; throws when it is not one that the key takes.
  typealias Reader = @Sendable (KeyValue, inout AccountDraft) throws(Mistake) -> Void

  let name: String
  let section: KeySection
  let kind: KeyKind
  let group: KeyGroup?

  /// Whether the key means something only in an account with a server.
  let needsServer: Bool

  let read: Reader

  init(
    _ name: String,
    in section: KeySection,
    _ kind: KeyKind,
    group: KeyGroup? = nil,
    needsServer: Bool = false,
    read: @escaping Reader
  ) {
    self.name = name
    self.section = section
    self.kind = kind
    self.group = group
    self.needsServer = needsServer
    self.read = read
  }

  /// The key of that name in a section of that kind; `nil` when there is none.
  static func named(_ name: String, in section: KeySection) -> ConfigurationKey? {
    all.first { $0.section == section && $0.name == name }
  }
}

extension ConfigurationKey {
  /// The keys of `[account.NAME.mailbox."PATTERN"]`: those of the section `sync` that can differ between mailboxes.
  static let mailbox: [ConfigurationKey] = [
    mailboxKey("direction") { value, mailbox throws(Mistake) in
      mailbox.direction = try value.choice(SyncDirection.self)
    },
    mailboxKey("on-local-delete") { value, mailbox throws(Mistake) in
      mailbox.localDeletion = try value.choice(LocalDeletion.self)
    },
    mailboxKey("on-remote-delete") { value, mailbox throws(Mistake) in
      mailbox.remoteDeletion = try value.choice(RemoteDeletion.self)
    },
    mailboxKey("expunge") { value, mailbox throws(Mistake) in
      mailbox.expunge = try value.choice(ExpungePolicy.self)
    },
    mailboxKey("create") { value, mailbox throws(Mistake) in
      mailbox.create = try value.choice(FolderSide.self)
    },
    mailboxKey("remove") { value, mailbox throws(Mistake) in
      mailbox.remove = try value.choice(FolderSide.self)
    },
  ]

  private static func mailboxKey(
    _ name: String,
    read: @escaping @Sendable (KeyValue, inout MailboxSettings) throws(Mistake) -> Void
  ) -> ConfigurationKey {
    ConfigurationKey(name, in: .mailbox, .string, needsServer: true) {
      value,
      draft throws(Mistake) in
      // The section that is read was opened last.
      guard let last = draft.sync.mailboxes.indices.last else { return }
      try read(value, &draft.sync.mailboxes[last])
    }
  }
}

/// What a key takes for a value.
enum KeyKind: Hashable, Sendable {
  case string
  case strings
  case integer
  case boolean
  /// A number with a unit as a string, or 0.
  case size
  /// Strings by strings.
  case table
  /// A program with its arguments, or a string for the shell.
  case command

  /// The kind with its article, for "must be …".
  var name: String {
    switch self {
    case .string: "a string"
    case .strings: "an array of strings"
    case .integer: "an integer"
    case .boolean: "true or false"
    case .size: "a string or 0"
    case .table: "a table of strings"
    case .command: "a string or an array of strings"
    }
  }
}

/// Names of keys and sections with all that stands above them: `account.work.sync.direction`.
enum KeyName {
  /// The path as TOML writes it, parts that are not plain words in quotes.
  static func text(_ parts: [String]) -> String {
    parts.map(part).joined(separator: ".")
  }

  private static func part(_ name: String) -> String {
    guard name.isEmpty || !name.utf8.allSatisfy(isBare) else { return name }
    let quoted = name.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
    return "\"\(Printable.text(String(quoted).utf8, limit: 100))\""
  }

  /// Whether the octet may stand in a key without quotes (TOML 1.0, "Keys").
  static func isBare(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.minus
      || octet == ASCII.underscore
  }
}

/// The kinds of sections, each with keys of its own.
enum KeySection: String, Hashable, Sendable, CaseIterable {
  /// The top of the file, above all sections.
  case root = ""

  /// `[account.NAME]`, and `[defaults]` for all of them.
  case account

  /// `[account.NAME.roles]`.
  case roles

  /// `[account.NAME.sync]`.
  case sync

  /// `[account.NAME.mailbox."PATTERN"]`.
  case mailbox

  /// `[account.NAME.oauth]`.
  case oauth

  /// `[account.NAME.oauth.store]`.
  case store

  /// `[crypto]`.
  case crypto

  /// `[calendar]`.
  case calendar

  /// `[account.NAME.crypto]`.
  case accountCrypto = "account.crypto"

  /// The section of that name that stands in this one; nil where there is none.
  func section(named name: String) -> KeySection? {
    guard sections.contains(name) else { return nil }
    return self == .account && name == Self.crypto.rawValue ? .accountCrypto : Self(rawValue: name)
  }

  /// The sections that stand in this one, by name.
  var sections: [String] {
    switch self {
    case .root:
      [
        "account", "defaults", SearchSettings.section, IndexFilterSettings.section,
        ArchiveSettings.section, AgentSettings.section, RuleSettings.section,
        KeySection.crypto.rawValue, KeySection.calendar.rawValue,
      ]
    case .account:
      [KeySection.roles, .sync, .mailbox, .oauth, .crypto].map(\.rawValue)
    case .oauth: [KeySection.store.rawValue]
    case .roles, .sync, .mailbox, .store, .crypto, .calendar, .accountCrypto: []
    }
  }
}

/// Keys that answer the same question: one section may hold only one of a group.
///
/// A key of an account takes the place of all keys of its group in the defaults.
enum KeyGroup: Hashable, Sendable {
  case server
  case secret
  case trust
  case greeting
  case submissionServer
  case submissionUser
  case submissionLogin
  case submissionSecret
  case submissionTrust
  case programRecipients
  case failureReports
  case proxy
  case proxyUser
  case proxyPassword
  case signature
  case authorizationServer
}
