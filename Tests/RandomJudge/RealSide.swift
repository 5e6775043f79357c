import Glibc
import MemoryStore
import TestSupport

/// A real server, against which the real program runs: the judge is another client of the user.
final class RealSide: ServerSide {
  let server: RealServer
  /// Where each run leaves what it printed.
  let runs: RunOutput
  let account: String
  private let user: String
  private var link: RawIMAP?

  /// A user with no mail yet, whose runs leave their output in a folder.
  init(_ server: RealServer, user: String, _ runs: RunOutput) {
    self.server = server
    self.user = user
    self.runs = runs
    account = """
      imap = "imap+plain://127.0.0.1:\(server.port)"
      user = "\(user)"
      password = "pass"
      """
    // Dovecot makes them by itself.
    for box in ["Sent", "Drafts", "Trash", "Junk"] where !mailboxes.contains(box) {
      _ = create(box)
    }
  }

  /// Takes away the user's mail; that of other servers goes with them.
  func discard() {
    link = nil
    if let mail = server.mail { Disk.removeTree("\(mail)/\(user)") }
  }

  // MARK: The connection

  /// Carries out something; nil where the server refuses.
  ///
  /// A new connection comes after that: a server may have ended this one.
  private func on<Result>(_ body: (RawIMAP) throws -> Result) -> Result? {
    do {
      return try body(connected())
    } catch {
      link = nil
      return nil
    }
  }

  private func connected() -> RawIMAP {
    if let link { return link }
    do {
      let new = try RawIMAP(port: server.port, user: user)
      new.waitsForLiterals = server.waitsForLiterals
      link = new
      return new
    } catch {
      say("magnum-judge: the server does not answer: \(error)")
      exit(70)
    }
  }

  /// Carries out something in a mailbox.
  private func within(_ box: String, _ body: (RawIMAP) throws -> Bool) -> Bool {
    on { link in
      try link.select(server.names.wire(box))
      return try body(link)
    } ?? false
  }

  // MARK: What is there

  var mailboxes: [String] {
    let list = { (link: RawIMAP) in try link.mailboxes() }
    return (on(list) ?? on(list) ?? []).map(server.names.plain).sorted()
  }

  func messages(_ box: String) -> [(uid: UInt32, message: Message)] {
    let fetch = { [self] (link: RawIMAP) in try link.messages(in: server.names.wire(box)) }
    return (on(fetch) ?? on(fetch) ?? []).map { found in
      (found.uid, Message(flags: Set(found.flags), octets: found.body))
    }
  }

  var fingerprints: [String: Int] {
    mailboxes.reduce(into: [:]) { prints, box in
      var hasher = Hasher()
      for (uid, message) in messages(box) {
        hasher.combine(uid)
        hasher.combine(message)
      }
      prints[box] = hasher.finalize()
    }
  }

  // MARK: What another client does

  func append(_ octets: [UInt8], _ flags: Set<String>, date: Int64, to box: String) -> Bool {
    let (words, date) = (flags.sorted().joined(separator: " "), Self.text(of: date))
    let name = server.names.wire(box)
    return on { try $0.append(octets, to: name, flags: words, date: date) } != nil
  }

  /// A moment as IMAP writes it.
  private static func text(of moment: Int64) -> String {
    var (seconds, parts) = (time_t(moment), tm())
    gmtime_r(&seconds, &parts)
    var buffer = [CChar](repeating: 0, count: 40)
    let count = strftime(&buffer, buffer.count, "%d-%b-%Y %H:%M:%S +0000", &parts)
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func move(_ uid: UInt32, from box: String, to: String, isByCopy: Bool) -> Departure {
    if server.hasMove, !isByCopy {
      let target = server.names.wire(to)
      return within(box) { try $0.move("\(uid)", to: target) } ? .moved : .refused
    }
    guard copy(uid, from: box, to: to) else { return .refused }
    return expunge([uid], in: box) ? .moved : .copied
  }

  func copy(_ uid: UInt32, from box: String, to: String) -> Bool {
    let target = server.names.wire(to)
    return within(box) { try $0.copy("\(uid)", to: target) }
  }

  func change(_ uid: UInt32, in box: String, _ change: FlagChange) -> Bool {
    within(box) { link in
      try link.store("\(uid)", "\(change.isAdded ? "+" : "-")FLAGS (\(change.name))")
      return true
    }
  }

  func expunge(_ uids: [UInt32], in box: String) -> Bool {
    within(box) { link in
      try link.expunge(uids.map { "\($0)" }.joined(separator: ","))
      return true
    }
  }

  func create(_ box: String) -> Bool {
    let name = server.names.wire(box)
    return on { try $0.create(name) } != nil
  }

  func rename(_ box: String, to: String) -> Bool {
    let (old, new) = (server.names.wire(box), server.names.wire(to))
    return on { try $0.rename(old, to: new) } != nil
  }

  func delete(_ box: String) -> Bool {
    let name = server.names.wire(box)
    return within("INBOX") { link in
      try link.delete(name)
      return true
    }
  }

  func renumber(_ box: String) -> Bool {
    guard let mail = server.mail else { return false }
    link = nil
    let home = "\(mail)/\(user)"
    OpenFiles.wait(below: home)
    let name = box.split(separator: "/").joined(separator: ".")
    let folder = box == "INBOX" ? home : "\(home)/.\(name)"
    guard Disk.isDirectory("\(folder)/cur") else { return false }
    for name in Disk.names(folder)
    where name.hasPrefix("dovecot-uidlist") || name.hasPrefix("dovecot.index") {
      try? Disk.remove("\(folder)/\(name)")
    }
    return true
  }

  // MARK: Runs

  func run(_ machine: Machine, _ order: RunOrder, in world: World) throws -> RunEnd {
    let run = ProgramRun(world, self, machine, order)
    return order.isWatch ? try run.watch() : try run.end()
  }

  func agreed(_ machines: [Machine]) {}

  func wait() { usleep(2_100_000) }
}
