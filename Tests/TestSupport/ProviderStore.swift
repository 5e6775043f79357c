import Synchronization

/// The mailboxes of a scripted provider, and its answers.
final class ProviderStore: Sendable {
  /// What it has, and what its connections did.
  struct Content: Sendable {
    let provider: Provider
    var mailboxes: [ProviderMailbox]
    var selected: [Int: String] = [:]
    var identified: Set<Int> = []
    var logins: [Int: String] = [:]
    var quickResync: Set<Int> = []
    var lastIdentity = 0
    var lastSequence: UInt64 = 1
    /// What a client did that may do harm where mailboxes are labels, looked for where a test asks for that.
    var violations: [String] = []
    var judges = false
    /// Whether labels change by STORE just now.
    var storesLabels = false
    var stale: [String: (count: Int, left: Int)] = [:]
    /// INTERNALDATE of messages that clients sent, where clients are judged.
    var dates: [Int: String] = [:]
    var uploadChange: (@Sendable ([UInt8]) -> [UInt8])?

    init(_ provider: Provider) {
      self.provider = provider
      mailboxes = provider.mailboxes
    }
  }

  private let content: Mutex<Content>
  private let provider: Provider

  init(_ provider: Provider) {
    self.provider = provider
    content = Mutex(Content(provider))
  }

  func withLock<R: Sendable>(_ body: (inout Content) -> R) -> R {
    content.withLock { body(&$0) }
  }

  func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Action] {
    content.withLock { content in
      if request.tag.isEmpty, let tag = content.logins.removeValue(forKey: request.connection) {
        return [.send(welcome().replacing("{tag}", with: tag))]
      }
      content.judge(request)
      var command = ProviderCommand(request)
      return command.answer(&content) ?? answerLogin(request, &content)
    }
  }

  /// What comes before mailboxes, and what is not understood.
  private func answerLogin(
    _ request: ScriptedServer.Request,
    _ content: inout Content
  ) -> [ScriptedServer.Action] {
    switch request.name {
    case "CAPABILITY":
      let isIn = content.identified.contains(-request.connection)
      let words = isIn ? provider.capabilities.after : provider.capabilities.before
      return [.lines("* CAPABILITY \(words)", "{tag} OK CAPABILITY completed")]
    case "LOGIN", "AUTHENTICATE":
      content.identified.insert(-request.connection)
      if request.text.uppercased() == "AUTHENTICATE PLAIN" {
        content.logins[request.connection] = request.tag
        return [.lines("+ ")]
      }
      let early: [ScriptedServer.Action] = provider.dropsEarlyCommands ? [.dropInput] : []
      return early + [.send(welcome())]
    case "ID":
      content.identified.insert(request.connection)
      return [.lines("* ID (\"name\" \"\(provider.name)\")", "{tag} OK ID completed")]
    case "ENABLE":
      if request.text.contains("QRESYNC") { content.quickResync.insert(request.connection) }
      return [.lines("* ENABLED QRESYNC", "{tag} OK Success")]
    case "NOOP", "CHECK", "SUBSCRIBE", "UNSUBSCRIBE": return [.lines("{tag} OK Success")]
    case "LOGOUT": return [.lines("* BYE", "{tag} OK"), .close]
    default: return [.lines("{tag} BAD Unknown command")]
    }
  }

  private func welcome() -> String {
    let words = provider.capabilities.after
    return provider.tellsCapabilities
      ? "* CAPABILITY \(words)\r\n{tag} OK authenticated (Success)\r\n"
      : "{tag} OK completed\r\n"
  }
}

// Changes.
extension ProviderStore.Content {
  func index(_ mailbox: String) -> Int? {
    mailboxes.firstIndex { $0.name == mailbox && $0.isSelectable }
  }

  func uids(of subject: String, in mailbox: String) -> [UInt32] {
    guard let index = index(mailbox) else { return [] }
    return mailboxes[index].messages.filter { $0.subject == subject }.map(\.uid)
  }

  /// Adds a message; gives its UID.
  @discardableResult
  mutating func add(_ body: [UInt8], _ flags: Set<String>, to mailbox: String) -> UInt32 {
    lastIdentity += 1
    let identity = lastIdentity
    let uid = put(body, flags, identity, in: mailbox)
    if let all = provider.allMail, mailbox != all, !isOutside(mailbox) {
      put(body, flags, identity, in: all)
    }
    return uid
  }

  /// Adds a message as a client does; gives its UID.
  mutating func append(_ body: [UInt8], _ flags: Set<String>, to mailbox: String) -> UInt32 {
    guard let all = provider.allMail, !isOutside(mailbox) else {
      return add(body, flags, to: mailbox)
    }
    let isDraft = mailboxes.contains { $0.name == mailbox && $0.attributes.contains("\\Drafts") }
    if let twin = twin(of: body) {
      let own = mailboxes.first { $0.name == mailbox }?.messages ?? []
      if let known = own.first(where: { $0.identity == twin.identity }) { return known.uid }
      return put(body, twin.flags, twin.identity, in: mailbox)
    }
    let uid = add(body, flags, to: mailbox)
    guard isDraft, !provider.labels.labelsDrafts, mailbox != all else { return uid }
    remove([uid], from: mailbox)
    return uid
  }

  @discardableResult
  mutating func put(
    _ body: [UInt8],
    _ flags: Set<String>,
    _ identity: Int,
    in mailbox: String
  ) -> UInt32 {
    guard let index = index(mailbox) else { return 0 }
    lastSequence += 1
    let uid = mailboxes[index].uidNext
    mailboxes[index].uidNext += 1
    let message = ProviderMailbox.Message(
      uid: uid,
      identity: identity,
      flags: flags,
      body: body,
      modSequence: lastSequence
    )
    mailboxes[index].messages.append(message)
    raise([identity])
    return uid
  }

  /// Copies messages; gives their new UIDs.
  ///
  /// Where mailboxes are labels, what goes to Trash leaves all others.
  mutating func copy(_ uids: [UInt32], from source: String, to target: String) -> [UInt32] {
    guard let index = index(source) else { return [] }
    let messages = mailboxes[index].messages.filter { uids.contains($0.uid) }
    if provider.allMail != nil, isOutside(target) {
      let new = messages.map { message in
        let uid = put(message.body, message.flags, message.identity, in: target)
        remember(message, from: source, uid, in: target)
        return uid
      }
      for message in messages {
        for box in mailboxes where box.name != target && box.name != source {
          let same = box.messages.filter { $0.identity == message.identity }.map(\.uid)
          remove(same, from: box.name)
        }
      }
      return new
    }
    return messages.map { message in
      guard let place = self.index(target) else { return 0 }
      let known = mailboxes[place].messages.first { $0.identity == message.identity }
      if provider.allMail != nil, let known { return known.uid }
      let identity = provider.allMail == nil ? nextIdentity() : message.identity
      let uid = put(message.body, message.flags, identity, in: target)
      return target == provider.allMail ? bringBack(message, uid) : uid
    }
  }

  /// What a message had before it went to Trash or Spam.
  private mutating func remember(
    _ message: ProviderMailbox.Message,
    from source: String,
    _ uid: UInt32,
    in target: String
  ) {
    guard let index = index(target),
      let place = mailboxes[index].messages.firstIndex(where: { $0.uid == uid })
    else { return }
    guard !isOutside(source) else {
      mailboxes[index].messages[place].formerLabels = message.formerLabels
      mailboxes[index].messages[place].formerUID = message.formerUID
      return
    }
    let labels = mailboxes.filter { box in
      box.name != provider.allMail && !isOutside(box.name)
        && box.messages.contains { $0.identity == message.identity }
    }
    mailboxes[index].messages[place].formerLabels = labels.map { $0.name }
    guard source == provider.allMail else { return }
    mailboxes[index].messages[place].formerUID = message.uid
  }

  /// A message came back into All Mail; gives its UID.
  private mutating func bringBack(_ message: ProviderMailbox.Message, _ uid: UInt32) -> UInt32 {
    if provider.labels.returnsLabels {
      for name in message.formerLabels {
        put(message.body, message.flags, message.identity, in: name)
      }
    }
    guard provider.labels.returnsUIDs, let former = message.formerUID, let all = provider.allMail,
      let index = index(all),
      let place = mailboxes[index].messages.firstIndex(where: { $0.uid == uid }),
      !mailboxes[index].messages.contains(where: { $0.uid == former })
    else { return uid }
    mailboxes[index].messages[place].uid = former
    mailboxes[index].messages.sort { $0.uid < $1.uid }
    mailboxes[index].vanished.removeAll { $0.uid == former }
    return former
  }

  private mutating func nextIdentity() -> Int {
    lastIdentity += 1
    return lastIdentity
  }

  mutating func remove(_ uids: [UInt32], from mailbox: String) {
    guard let index = index(mailbox), !uids.isEmpty else { return }
    lastSequence += 1
    raise(Set(mailboxes[index].messages.filter { uids.contains($0.uid) }.map(\.identity)))
    mailboxes[index].messages.removeAll { uids.contains($0.uid) }
    mailboxes[index].vanished += uids.map { ($0, lastSequence) }
  }

  /// Sets flags; where mailboxes are labels, of the message in all of them.
  mutating func set(_ flags: Set<String>, _ uid: UInt32, in mailbox: String) {
    guard let index = index(mailbox),
      let message = mailboxes[index].messages.first(where: { $0.uid == uid })
    else { return }
    lastSequence += 1
    for box in mailboxes.indices {
      for place in mailboxes[box].messages.indices
      where mailboxes[box].messages[place].identity == message.identity {
        mailboxes[box].messages[place].flags = flags
        mailboxes[box].messages[place].modSequence = lastSequence
      }
    }
  }
}
