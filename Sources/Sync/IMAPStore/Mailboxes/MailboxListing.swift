internal import IMAP
internal import MailModel
internal import MailStore
internal import Octets
internal import SyncPlan

/// Asks the server for its mailboxes and what happened in them, in as few round trips as it allows.
struct MailboxListing {
  /// What the server answered.
  struct Result {
    var entries: [ListEntry] = []
    var status: [MailboxName: MailboxStatus] = [:]
    /// Whether QRESYNC is on for the connection.
    var isQuickResync = false
    /// What names begin with; nil where the server does not say.
    var namespaces: Namespaces?

    /// The same as if nothing was told of one of them.
    func listing(_ naming: NamingRules, withoutStatusOf name: MailboxName) -> ServerListing {
      var result = self
      result.status[name] = nil
      return result.listing(naming)
    }

    /// The mailboxes with their status, and with their names here.
    func listing(_ naming: NamingRules) -> ServerListing {
      ServerListing(
        entries.map { ServerMailbox($0, status[$0.name]) },
        namespaces: namespaces.map(ServerNamespaces.init),
        rules: naming
      )
    }
  }

  /// Mailboxes that one account has at the most.
  private static let limit = 100_000

  /// Switches QRESYNC on, on each connection anew (RFC 7162 §3.2.3).
  static let enableQuickResync = Command.enable([Array("QRESYNC".utf8)])

  private static let statusItems: [StatusItem] = [
    .messages, .uidNext, .uidValidity, .highestModSequence,
  ]

  private let connection: Connection
  private var result = Result()
  /// Whether anything was told of messages meanwhile.
  private(set) var tellsOfMessages = false
  /// Whether it was asked once more, step by step.
  private(set) var isAnew = false

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// The commands that ask for everything in one round trip; empty where the server cannot do that.
  ///
  /// `capabilities` are those of the last run where the server has not told them yet.
  static func pipelined(_ capabilities: Capabilities, isEnabled: Bool = false) -> [Command] {
    guard capabilities.contains("LIST-STATUS"), capabilities.contains("CONDSTORE") else {
      return []
    }
    return [isEnabled ? nil : enable(capabilities), namespace(capabilities), list(capabilities)]
      .compactMap { $0 }
  }

  /// Whether mailboxes may be opened behind the pipelined commands: QRESYNC is on then, and any mailbox can be left.
  static func canFollow(_ capabilities: Capabilities) -> Bool {
    enable(capabilities) != nil && capabilities.contains("UNSELECT")
  }

  /// Takes the answers to the pipelined commands; nil when the server did not like one of them.
  ///
  /// Where it does not say what names begin with, they begin with nothing.
  mutating func finish(
    _ tags: [CommandTag],
    of commands: [Command],
    then: () throws(SyncFailure) -> Void = {}
  ) throws(SyncFailure) -> Result? {
    guard !tags.isEmpty else { return nil }
    var isFine = true
    for (tag, command) in zip(tags, commands)
    where try finish(tag).kind != .ok && command != .namespace { isFine = false }
    try then()
    guard isFine else { return nil }
    return try finishListing()
  }

  /// Asks: all at once where the server can tell all at once, else step by step.
  ///
  /// Nothing is switched on where `isEnabled` says that this was done over the connection before. The reply to `earlier` is
  /// awaited first. Where all is asked at once `along` may send more behind it, whose answers `then` takes.
  mutating func ask(
    isEnabled: Bool = false,
    behind earlier: CommandTag? = nil,
    along: () throws(SyncFailure) -> Void = {},
    then: () throws(SyncFailure) -> Void = {}
  ) throws(SyncFailure) -> Result {
    result = Result()
    let capabilities = connection.capabilities
    let commands = Self.pipelined(capabilities, isEnabled: isEnabled)
    let tags = commands.map { connection.send($0) }
    if !tags.isEmpty { try along() }
    if let earlier { _ = try connection.finish(earlier) }
    if let answered = try finish(tags, of: commands, then: then) { return answered }
    isAnew = true
    result = Result()
    if !isEnabled, let enable = Self.enable(capabilities) {
      _ = try finish(connection.send(enable))
    }
    let asked = Self.namespace(capabilities).map { connection.send($0) }
    let listed = connection.send(Self.list(capabilities))
    if let asked { _ = try finish(asked) }
    let response = try finish(listed)
    guard response.kind == .ok else {
      throw .commandRefused(.list, ServerReply(response))
    }
    if !capabilities.contains("LIST-STATUS") { try askStatus(capabilities) }
    return try finishListing()
  }

  private mutating func finishListing() throws(SyncFailure) -> Result {
    try dropBareNames()
    connection.statusMemory.list(result.status)
    return result
  }

  private static func enable(_ capabilities: Capabilities) -> Command? {
    guard capabilities.contains("ENABLE"), capabilities.contains("QRESYNC") else { return nil }
    return enableQuickResync
  }

  private static func namespace(_ capabilities: Capabilities) -> Command? {
    capabilities.contains("NAMESPACE") ? .namespace : nil
  }

  private static func list(_ capabilities: Capabilities) -> Command {
    let isSpecial = capabilities.contains("SPECIAL-USE")
    var items: [StatusItem] = []
    if capabilities.contains("LIST-STATUS") { items = statusItems(capabilities) }
    let isExtended = !items.isEmpty || isSpecial && capabilities.contains("LIST-EXTENDED")
    return .list(
      reference: [],
      pattern: Array("*".utf8),
      returning: isExtended ? ListReturn(specialUse: isSpecial, status: items) : nil
    )
  }

  private static func statusItems(_ capabilities: Capabilities) -> [StatusItem] {
    capabilities.contains("CONDSTORE") || capabilities.contains("QRESYNC")
      ? statusItems : Array(statusItems.dropLast())
  }

  /// Without modification sequences STATUS cannot show that nothing happened: then it is not asked.
  private mutating func askStatus(_ capabilities: Capabilities) throws(SyncFailure) {
    guard capabilities.contains("CONDSTORE") else { return }
    let tags = result.entries.filter(\.isSelectable).map {
      connection.send(.status($0.name, Self.statusItems(capabilities)))
    }
    for tag in tags { _ = try finish(tag) }
  }

  /// Leaves out what is only a name above others: Dovecot 2.3 lists a removed mailbox as if it could be opened.
  ///
  /// Such a mailbox has no status; asked for it alone, the server says that there is none.
  private mutating func dropBareNames() throws(SyncFailure) {
    let suspects = result.entries.filter {
      $0.isSelectable && result.status[$0.name] == nil && hasOthersBelow($0)
    }
    let tags = suspects.map { connection.send(.status($0.name, [.messages])) }
    for (entry, tag) in zip(suspects, tags) {
      let response = try connection.finish(tag)
      let isNone = response.code == nil || response.code == .nonexistent
      if response.kind == .no, isNone { result.entries.removeAll { $0 == entry } }
    }
  }

  private func hasOthersBelow(_ entry: ListEntry) -> Bool {
    guard let delimiter = entry.delimiter else { return false }
    let prefix = entry.name.wire + [delimiter]
    return result.entries.contains { $0.name.wire.starts(with: prefix) }
  }

  private mutating func addEntry(_ entry: ListEntry) throws(SyncFailure) {
    guard result.entries.count < Self.limit else {
      throw .protocolViolation(ProtocolViolation(.listTooLong(limit: Self.limit)))
    }
    result.entries.append(entry)
  }

  private mutating func finish(_ tag: CommandTag) throws(SyncFailure) -> StatusResponse {
    try connection.finish(tag) { (event: Event) throws(SyncFailure) in
      switch event {
      case .list(let entry): try addEntry(entry)
      case .namespaces(let namespaces): result.namespaces = namespaces
      case .mailboxStatus(let status): result.status[status.name] = status
      case .enabled(let words):
        if words.contains(where: { $0.equalsCaseless("QRESYNC") }) { result.isQuickResync = true }
      case .exists, .expunge, .vanished, .fetch: tellsOfMessages = true
      default: break
      }
    }
  }
}

extension ServerNamespaces {
  /// What names begin with, as a server says; of several namespaces of the user's own the first one counts.
  init(_ namespaces: Namespaces) {
    self.init(
      personal: namespaces.personal.first?.prefix ?? [],
      others: namespaces.others.map(\.prefix)
    )
  }
}
