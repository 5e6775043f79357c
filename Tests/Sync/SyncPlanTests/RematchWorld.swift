import MailModel
import SyncPlan

/// Files and messages with all their facts, and a server that gives a message's only when asked.
struct RematchWorld {
  /// What a file or message consists of.
  struct Content: Hashable {
    /// The Message-ID; nil for none.
    var messageID: String?
    /// What From, Date and Subject say.
    var head = "head"
    /// The body, whose octets are its size.
    var body: String
    /// The octets of the header.
    var headerSize: UInt64 = 100
  }

  var locals: [(content: Content, local: Rematch.Local)] = []
  var remotes: [(content: Content, remote: Rematch.Remote)] = []

  mutating func addLocal(
    _ name: String,
    _ content: Content,
    flags: SystemFlags = [],
    date: Int64 = 0
  ) {
    let local = Rematch.Local(
      name: Array(name.utf8),
      flags: flags,
      identity: Self.identity(content),
      headerKey: Self.hash(content.head),
      bodySize: UInt64(content.body.utf8.count),
      wireSize: content.headerSize + UInt64(content.body.utf8.count),
      date: date
    )
    locals.append((content, local))
  }

  mutating func addRemote(
    _ uid: UInt32,
    _ content: Content,
    flags: MessageFlags = MessageFlags(),
    date: Int64 = 0
  ) {
    let size = content.headerSize + UInt64(content.body.utf8.count)
    let message = RemoteMessage(uid: uid, flags: flags, size: size, date: date)
    remotes.append(
      (content, Rematch.Remote(message: message, messageID: Self.messageID(content)))
    )
  }

  /// What came out, and what the server was asked for on the way.
  struct Outcome {
    var rematch: Rematch
    var headers: [UInt32] = []
    var bodies: [UInt32] = []
    /// How often the server was asked.
    var rounds = 0
  }

  /// Asks for all that is needed, then matches.
  func settle() -> Outcome {
    let locals = locals.map(\.local)
    var known = remotes.map(\.remote)
    var outcome = Outcome(rematch: Rematch(locals, known))
    while outcome.rounds < 20 {
      let headers = Rematch.needsHeader(locals, known)
      let bodies = headers.isEmpty ? Rematch.needsBody(locals, known) : []
      guard !headers.isEmpty || !bodies.isEmpty else { break }
      tell(Set(headers), Set(bodies), &known)
      outcome.headers += headers
      outcome.bodies += bodies
      outcome.rounds += 1
    }
    outcome.rematch = Rematch(locals, known)
    return outcome
  }

  /// Fills in what the server would say of a message.
  mutating func reveal(_ uid: UInt32) {
    var known = remotes.map(\.remote)
    tell([uid], [uid], &known)
    for index in known.indices { remotes[index].remote = known[index] }
  }

  private func tell(
    _ headers: Set<UInt32>,
    _ bodies: Set<UInt32>,
    _ known: inout [Rematch.Remote]
  ) {
    for index in known.indices {
      let content = remotes[index].content
      if headers.contains(known[index].message.uid) {
        known[index].headerKey = Self.hash(content.head)
        known[index].headerSize = content.headerSize
        known[index].header = Self.hash(content.head)
      }
      if bodies.contains(known[index].message.uid) {
        known[index].bodyHash = BodyHash(high: Self.hash(content.body), low: 1)
        known[index].header = Self.hash(content.head)
      }
    }
  }

  static func identity(_ content: Content) -> ContentIdentity {
    ContentIdentity(
      messageID: messageID(content),
      bodyHigh: hash(content.body),
      bodyLow: 1,
      header: hash(content.head)
    )
  }

  private static func messageID(_ content: Content) -> UInt64 {
    content.messageID.map { hash("id" + $0) } ?? 0
  }

  /// FNV-1a.
  static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

extension RematchWorld {
  /// Whether nothing is lost, doubled or joined with another Message-ID, or with what differs in header and body where the
  /// file never was on the server; without a Message-ID bodies have to be equal.
  func isSound(_ rematch: Rematch, comparingBodies: Bool = true) -> Bool {
    let names = rematch.matches.map(\.name) + rematch.detached + rematch.additions
    let uids = rematch.matches.map(\.uid) + rematch.fresh
    let files = locals.map(\.local.name)
    let messages = remotes.map(\.remote.message.uid)
    guard names.count == files.count, Set(names) == Set(files), uids.count == messages.count,
      Set(uids) == Set(messages)
    else { return false }
    let synced = Set(locals.filter(\.local.wasSynced).map(\.content))
    return pairs(rematch).allSatisfy { file, message in
      let isAlike =
        file.messageID != nil && file.head == message.head
        && file.body.utf8.count == message.body.utf8.count
      return file.messageID == message.messageID
        && (!comparingBodies || file.body == message.body || isAlike || synced.contains(file))
    }
      && locals.allSatisfy { file in
        file.local.wasSynced
          ? !rematch.additions.contains(file.local.name)
          : !rematch.detached.contains(file.local.name)
      }
  }

  /// The contents of what was joined.
  func pairs(_ rematch: Rematch) -> [(Content, Content)] {
    let files = Dictionary(uniqueKeysWithValues: locals.map { ($0.local.name, $0.content) })
    let messages = Dictionary(
      uniqueKeysWithValues: remotes.map { ($0.remote.message.uid, $0.content) }
    )
    return rematch.matches.compactMap { match in
      guard let file = files[match.name], let message = messages[match.uid] else { return nil }
      return (file, message)
    }
  }

  /// Whether both sides hold the same messages, each as often.
  var isMirror: Bool {
    let key = { (content: Content) in [content.messageID ?? "-", content.head, content.body] }
    let files = Dictionary(grouping: locals.map { key($0.content) }) { $0 }.mapValues(\.count)
    return files == Dictionary(grouping: remotes.map { key($0.content) }) { $0 }.mapValues(\.count)
  }
}
