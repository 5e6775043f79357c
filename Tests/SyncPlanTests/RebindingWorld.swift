import MailModel
import SyncPlan

/// Files and messages with all their facts, and a server that gives a message's only when asked.
struct RebindingWorld {
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

  var locals: [(content: Content, local: Rebinding.Local)] = []
  var remotes: [(content: Content, remote: Rebinding.Remote)] = []

  mutating func addLocal(
    _ name: String,
    _ content: Content,
    flags: SystemFlags = [],
    date: Int64 = 0
  ) {
    let local = Rebinding.Local(
      name: Array(name.utf8),
      flags: flags,
      identity: ContentIdentity(
        messageID: Self.messageID(content),
        bodyHigh: Self.hash(content.body),
        bodyLow: 1,
        header: Self.hash(content.head)
      ),
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
      (content, Rebinding.Remote(message: message, messageID: Self.messageID(content)))
    )
  }

  /// What came out, and what the server was asked for on the way.
  struct Outcome {
    var rebinding: Rebinding
    var headers: [UInt32] = []
    var bodies: [UInt32] = []
    /// How often the server was asked.
    var rounds = 0
  }

  /// Asks for all that is needed, then matches.
  func settle() -> Outcome {
    let locals = locals.map(\.local)
    var known = remotes.map(\.remote)
    var outcome = Outcome(rebinding: Rebinding(locals, known))
    while outcome.rounds < 20 {
      let headers = Rebinding.needsHeader(locals, known)
      let bodies = headers.isEmpty ? Rebinding.needsBody(locals, known) : []
      guard !headers.isEmpty || !bodies.isEmpty else { break }
      tell(Set(headers), Set(bodies), &known)
      outcome.headers += headers
      outcome.bodies += bodies
      outcome.rounds += 1
    }
    outcome.rebinding = Rebinding(locals, known)
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
    _ known: inout [Rebinding.Remote]
  ) {
    for index in known.indices {
      let content = remotes[index].content
      if headers.contains(known[index].message.uid) {
        known[index].headerKey = Self.hash(content.head)
        known[index].headerSize = content.headerSize
        known[index].header = Self.hash(content.head)
      }
      if bodies.contains(known[index].message.uid) {
        known[index].bodyHash = Rebinding.BodyHash(high: Self.hash(content.body), low: 1)
      }
    }
  }

  private static func messageID(_ content: Content) -> UInt64 {
    content.messageID.map { hash("id" + $0) } ?? 0
  }

  /// FNV-1a.
  static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

extension RebindingWorld {
  /// Whether nothing is lost, doubled or joined with another Message-ID, or with what differs in header and body where the
  /// file never was on the server.
  func isSound(_ rebinding: Rebinding, comparingBodies: Bool = true) -> Bool {
    let names = rebinding.bindings.map(\.name) + rebinding.orphans + rebinding.additions
    let uids = rebinding.bindings.map(\.uid) + rebinding.fresh
    let files = locals.map(\.local.name)
    let messages = remotes.map(\.remote.message.uid)
    guard names.count == files.count, Set(names) == Set(files), uids.count == messages.count,
      Set(uids) == Set(messages)
    else { return false }
    let synced = Set(locals.filter(\.local.wasSynced).map(\.content))
    return pairs(rebinding).allSatisfy { file, message in
      let isAlike = file.head == message.head && file.body.utf8.count == message.body.utf8.count
      return file.messageID == message.messageID
        && (!comparingBodies || file.body == message.body || isAlike || synced.contains(file))
    }
      && locals.allSatisfy { file in
        file.local.wasSynced
          ? !rebinding.additions.contains(file.local.name)
          : !rebinding.orphans.contains(file.local.name)
      }
  }

  /// The contents of what was joined.
  func pairs(_ rebinding: Rebinding) -> [(Content, Content)] {
    let files = Dictionary(uniqueKeysWithValues: locals.map { ($0.local.name, $0.content) })
    let messages = Dictionary(
      uniqueKeysWithValues: remotes.map { ($0.remote.message.uid, $0.content) }
    )
    return rebinding.bindings.compactMap { binding in
      guard let file = files[binding.name], let message = messages[binding.uid] else { return nil }
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
