import Glibc
import MemoryStore

/// A server in memory, against which the engine runs in the judge's own process, or in one that fork(2) makes.
final class MemorySide: ServerSide {
  let account = """
    imap = "imap://localhost:1"
    user = "user"
    password = "pass"
    """
  /// Where the processes of runs find the server's mail.
  let mail: SharedMail
  /// The server's mail.
  var content = MemoryContent()
  /// Whether each run is made in a process of its own.
  private let isApart: Bool
  private let names: MailboxNames

  /// A server that lacks some things, with no mail yet.
  init(_ abilities: MemoryAbilities, _ ways: AccountWays, _ mail: SharedMail, isApart: Bool) {
    self.mail = mail
    self.isApart = isApart
    names = ways.isBelowInbox ? .belowInbox : .plain
    content.abilities = abilities
    content.abilities.hasLabels = ways.isLabelled
    content.abilities.isBelowInbox = ways.isBelowInbox
    content.make("INBOX")
    content.make(names.wire("Sent"), use: .sent)
    content.make(names.wire("Drafts"), use: .drafts)
    content.make(names.wire("Trash"), use: .trash)
    content.make(names.wire("Junk"), use: .junk)
  }

  // MARK: What is there

  var mailboxes: [String] { content.mailboxes.keys.map(names.plain).sorted() }

  func messages(_ box: String) -> [(uid: UInt32, message: Message)] {
    (content.mailboxes[names.wire(box)]?.messages ?? [:]).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  var fingerprints: [String: Int] { content.mailboxes.mapValues(\.hashValue) }

  private func has(_ box: String) -> Bool { content.mailboxes[names.wire(box)] != nil }

  // MARK: What another client does

  private func change(_ box: String, _ body: (inout MemoryMailbox) -> Void) -> Bool {
    let name = names.wire(box)
    guard var mailbox = content.mailboxes[name] else { return false }
    body(&mailbox)
    content.replace(name, with: mailbox)
    return true
  }

  func append(_ octets: [UInt8], _ flags: Set<String>, date: Int64, to box: String) -> Bool {
    change(box) { $0.add(octets, flags: flags, date: date) }
  }

  func move(_ uid: UInt32, from box: String, to: String, isByCopy: Bool) -> Departure {
    transfer(uid, box, to, isMove: true) ? .moved : .refused
  }

  func copy(_ uid: UInt32, from box: String, to: String) -> Bool {
    transfer(uid, box, to, isMove: false)
  }

  private func transfer(_ uid: UInt32, _ box: String, _ to: String, isMove: Bool) -> Bool {
    let (source, target) = (names.wire(box), names.wire(to))
    return content.transfer(uid, from: source, to: target, isMove: isMove) != nil
  }

  func change(_ uid: UInt32, in box: String, _ change: FlagChange) -> Bool {
    self.change(box) {
      if change.isAdded {
        $0.change(uid, adding: [change.name])
      } else {
        $0.change(uid, adding: [], removing: [change.name])
      }
    }
  }

  func expunge(_ uids: [UInt32], in box: String) -> Bool {
    change(box) { for uid in uids { $0.expunge(uid) } }
  }

  func create(_ box: String) -> Bool {
    guard !has(box) else { return false }
    content.make(names.wire(box))
    return true
  }

  func rename(_ box: String, to: String) -> Bool {
    content.rename(names.wire(box), to: names.wire(to))
  }

  func delete(_ box: String) -> Bool {
    content.mailboxes.removeValue(forKey: names.wire(box)) != nil
  }

  func renumber(_ box: String) -> Bool {
    guard has(box) else { return false }
    let validity = content.freshValidity()
    return change(box) { $0.renumber(validity) }
  }

  // MARK: Runs

  func run(_ machine: Machine, _ order: RunOrder, in world: World) throws -> RunEnd {
    guard !order.isWatch else { throw BadStep(line: "a watch needs a real server") }
    return isApart || order.endsProcess
      ? try ChildRun(world, self, machine, order).end()
      : try InnerRun(world, self, machine, order).end()
  }

  func agreed(_ machines: [Machine]) {
    for machine in machines { machine.known = KnownContent(content, names) }
  }

  func wait() { usleep(25_000) }

  func discard() {}
}
