import Synchronization

/// A mail provider as a scripted server: small mailboxes in memory that can be read and changed, and the habits of one
/// provider.
///
/// Any user with the password "pass". What it keeps can be looked at and changed between runs.
package final class ProviderServer: Sendable {
  /// The provider that it plays.
  package let provider: Provider

  /// What it has; a test may change it between runs.
  package var mailboxes: [ProviderMailbox] {
    get { store.withLock { $0.mailboxes } }
    set { store.withLock { $0.mailboxes = newValue } }
  }

  /// What clients did since it is looked for that may take messages or labels along that are not theirs.
  package var violations: [String] { store.withLock { $0.violations } }

  /// Has it looked for that.
  package func judgeClients() { store.withLock { $0.judges = true } }

  /// The commands that came, in the order of their arrival.
  package var requests: [String] { server.requests }

  /// How many connections came.
  package var connectionCount: Int { server.connectionCount }

  /// Where it listens.
  package var port: UInt16 { server.port }

  /// The URL for a configuration file.
  package var clearURL: String { server.clearURL }

  /// What becomes of an answer on its way, for a server that lies.
  package typealias Bend =
    @Sendable (ScriptedServer.Request, [ScriptedServer.Action]) ->
    [ScriptedServer.Action]

  private let store: ProviderStore
  private let server: ScriptedServer
  private let bend = Bent()

  /// Has answers changed like this from now on; nil for the truth.
  package func bend(_ body: Bend?) {
    bend.current.withLock { $0 = body }
  }

  /// Has commands answered like this from now on, and not carried out; what it gives nil for is.
  package func refuse(_ body: (@Sendable (ScriptedServer.Request) -> [ScriptedServer.Action]?)?) {
    bend.refusal.withLock { $0 = body }
  }

  /// Has messages that clients upload changed like this from now on.
  package func changeUploads(_ body: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    store.withLock { $0.uploadChange = body }
  }

  /// Gives a mailbox another UIDVALIDITY, and its messages other UIDs.
  package func renumber(_ mailbox: String) {
    store.withLock { content in
      guard let index = content.index(mailbox) else { return }
      content.mailboxes[index].validity += 1
      for place in content.mailboxes[index].messages.indices {
        content.mailboxes[index].messages[place].uid += 10
      }
      content.mailboxes[index].uidNext += 10
      content.mailboxes[index].vanished = []
    }
  }

  private final class Bent: Sendable {
    let current = Mutex<Bend?>(nil)
    let refusal = Mutex<(@Sendable (ScriptedServer.Request) -> [ScriptedServer.Action]?)?>(nil)
  }

  /// Starts the server with the provider's mailboxes, all empty.
  ///
  /// - Throws: `HarnessError` when it cannot listen.
  package init(_ provider: Provider) throws {
    self.provider = provider
    let store = ProviderStore(provider)
    self.store = store
    let bend = bend
    server = try ScriptedServer(greeting: [.lines(provider.greeting)]) { request in
      if let refusal = bend.refusal.withLock({ $0 })?(request) { return refusal }
      let answer = store.answer(request)
      return bend.current.withLock { $0 }?(request, answer) ?? answer
    }
  }

  /// Brings a message as another client would; on a provider with labels, into All Mail too.
  package func deliver(_ body: [UInt8], to mailbox: String = "INBOX", flags: Set<String> = []) {
    _ = store.withLock { $0.add(body, flags, to: mailbox) }
  }

  /// Removes a message of that subject as another client would.
  package func expunge(_ subject: String, from mailbox: String = "INBOX") {
    store.withLock { content in
      content.remove(content.uids(of: subject, in: mailbox), from: mailbox)
    }
  }

  /// Moves a message of that subject as another client would.
  package func move(_ subject: String, from mailbox: String = "INBOX", to target: String) {
    store.withLock { content in
      let uids = content.uids(of: subject, in: mailbox)
      _ = content.copy(uids, from: mailbox, to: target)
      content.remove(uids, from: mailbox)
    }
  }

  /// Copies a message of that subject, or gives it another label, as another client would.
  package func copy(_ subject: String, from mailbox: String = "INBOX", to target: String) {
    store.withLock { content in
      _ = content.copy(content.uids(of: subject, in: mailbox), from: mailbox, to: target)
    }
  }

  /// Sets the flags of a message of that subject as another client would.
  package func setFlags(_ flags: Set<String>, of subject: String, in mailbox: String = "INBOX") {
    store.withLock { content in
      for uid in content.uids(of: subject, in: mailbox) { content.set(flags, uid, in: mailbox) }
    }
  }

  /// The subjects in a mailbox, sorted.
  package func subjects(_ mailbox: String = "INBOX") -> [String] {
    (mailboxes.first { $0.name == mailbox }?.messages ?? []).map(\.subject).sorted()
  }

  /// The flags of a message of that subject, sorted; nil where there is none.
  package func flags(of subject: String, in mailbox: String = "INBOX") -> [String]? {
    mailboxes.first { $0.name == mailbox }?.messages.first { $0.subject == subject }?.flags.sorted()
  }
}

/// A mailbox of a scripted provider.
package struct ProviderMailbox: Sendable {
  /// A message in it.
  package struct Message: Sendable {
    /// Its UID.
    package var uid: UInt32
    /// What it is, also in other mailboxes of a provider with labels.
    package var identity: Int
    /// Its flags.
    package var flags: Set<String>
    /// Its octets.
    package var body: [UInt8]
    /// Its modification sequence.
    package var modSequence: UInt64
    /// What it had in All Mail before it went to Trash or Spam.
    var formerLabels: [String] = []
    var formerUID: UInt32?

    /// A message.
    package init(uid: UInt32, identity: Int, flags: Set<String>, body: [UInt8], modSequence: UInt64)
    {
      (self.uid, self.identity, self.flags) = (uid, identity, flags)
      (self.body, self.modSequence) = (body, modSequence)
    }

    /// Its subject.
    package var subject: String {
      let lines = String(decoding: body, as: UTF8.self).split(separator: "\r\n")
      return String(lines.first { $0.hasPrefix("Subject: ") }?.dropFirst(9) ?? "")
    }
  }

  /// The name on the wire.
  package var name: String
  /// The attributes in LIST.
  package var attributes: String
  /// UIDVALIDITY.
  package var validity: UInt32 = 1
  /// UIDNEXT.
  package var uidNext: UInt32 = 1
  /// The messages in the order of their UIDs.
  package var messages: [Message] = []
  /// The UIDs of messages that went, with the modification sequence of their going.
  var vanished: [(uid: UInt32, modSequence: UInt64)] = []

  /// An empty mailbox.
  package init(_ name: String, _ attributes: String = "") {
    self.name = name
    self.attributes = attributes
  }

  var isSelectable: Bool { !attributes.contains("\\Noselect") }
}
